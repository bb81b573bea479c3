internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A connection to a host that has been verified.
///
/// One thread may read while another writes. Calls wait outside the lock, so neither direction holds up the other.
package final class TLSConnection: Sendable {
    private enum Direction: Sendable {
        case reading, writing

        /// The event of `poll` that this direction usually waits for.
        var event: Int32 { Int32(self == .reading ? POLLIN : POLLOUT) }
    }

    private struct State: ~Copyable, Sendable {
        /// The session; nil once it is over and no call uses its socket.
        var session: TLSSession?
        /// The calls that use the session.
        var calls = 0
        var isOver = false
        /// The error that ended a direction, which holds for later calls too.
        var failures: [Direction: TLSError] = [:]
    }

    /// The time in milliseconds after which a direction that waits for the event of the other one looks again. The thread of the
    /// other one may have taken what it waits for.
    private static let pause: Int32 = 20

    private let state: Mutex<State>

    init(_ session: consuming sending TLSSession) { state = Mutex(State(session: session)) }

    deinit { close() }

    /// Waits for bytes, and reads at least one into memory that OpenSSL has no copy of. Returns their number; 0 once the host has
    /// ended the connection properly.
    ///
    /// - Throws: ``TLSError/timedOut``, after which you may read again; ``TLSError/endedEarly`` if the host is gone without a
    ///   proper end; ``TLSError/cut``.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, withinMilliseconds milliseconds: Int
    ) throws(TLSError) -> Int {
        precondition(!buffer.isEmpty, "zero bytes would look like the end")
        let deadline = Deadline(Int32(clamping: milliseconds))
        return try call(.reading, until: deadline) { (session) throws(TLSError) in try session.read(into: buffer) }
    }

    /// Writes all bytes. If this throws, some of them may have been sent, and nothing more can be written.
    ///
    /// - Throws: ``TLSError/timedOut``; ``TLSError/endedEarly`` if the host is gone; ``TLSError/cut``.
    package func write(_ bytes: RawSpan, withinMilliseconds milliseconds: Int) throws(TLSError) {
        let deadline = Deadline(Int32(clamping: milliseconds))
        try bytes.withUnsafeBytes { (bytes) throws(TLSError) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = try call(.writing, until: deadline) { (session) throws(TLSError) in try session.write(part)
                }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Ends the connection at once, from any thread. Calls that wait throw ``TLSError/cut``, and the system throws away what it
    /// has not sent yet.
    package func cut() { end { $0.socket.dropUnsent() } }

    /// Tells the host that the connection ends, if that is possible without waiting, and ends it.
    package func close() { end { $0.sayGoodbye() } }

    /// Repeats a call until it succeeds. Waits in between, while the lock is free.
    private func call(
        _ direction: Direction, until deadline: Deadline,
        _ attempt: (borrowing TLSSession) throws(TLSError) -> TLSSession.Progress
    ) throws(TLSError) -> Int {
        let socket = try begin()
        defer { finish() }
        while true {
            switch try self.attempt(direction, attempt) {
            case .done(let count): return count
            case .ended:
                if direction == .writing { throw .endedEarly }
                return 0
            case .waits(let event):
                let isUsual = event == direction.event
                do {
                    try Socket.wait(for: socket, event, until: deadline, atMost: isUsual ? .max : Self.pause)
                } catch {
                    // Half a record may have been sent, and only its rest could follow.
                    if direction == .writing { state.withLock { $0.failures[.writing] = error } }
                    throw error
                }
            }
        }
    }

    private func attempt(
        _ direction: Direction, _ attempt: (borrowing TLSSession) throws(TLSError) -> TLSSession.Progress
    ) throws(TLSError) -> TLSSession.Progress {
        try state.withLock { (state) throws(TLSError) in
            if state.isOver { throw .cut }
            if let failure = state.failures[direction] { throw failure }
            do throws(TLSError) {
                switch state.session {
                case .some(let session): return try attempt(session)
                case .none: throw TLSError.cut
                }
            } catch {
                state.failures[direction] = error
                throw error
            }
        }
    }

    /// Keeps the socket open until ``finish()``, and returns it.
    private func begin() throws(TLSError) -> Int32 {
        try state.withLock { (state) throws(TLSError) in
            if state.isOver { throw .cut }
            state.calls += 1
            switch state.session {
            case .some(let session): return session.socket.descriptor
            case .none: throw .cut
            }
        }
    }

    private func finish() {
        state.withLock { state in
            state.calls -= 1
            if state.isOver && state.calls == 0 { state.session = nil }
        }
    }

    /// Ends the connection unless it is over. If calls use the socket, the last of them releases it.
    private func end(_ last: (borrowing TLSSession) -> Void) {
        state.withLock { state in
            if state.isOver { return }
            state.isOver = true
            switch state.session {
            case .some(let session):
                last(session)
                session.socket.wake()
            case .none: break
            }
            if state.calls == 0 { state.session = nil }
        }
    }
}
