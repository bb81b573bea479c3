internal import Glibc
internal import LinuxSystem
package import Prompts
package import SodiumKit
internal import Synchronization

/// The reason why a frame was not received or sent.
package enum WireError: Error, Hashable, Sendable {
    /// The other end has closed the connection.
    case closed
    /// The frame took too long.
    case timedOut
    /// The other end sent something that is no valid frame; the reason.
    case malformed(String)
    /// There is no room for the frame now. The connection stays open.
    case noRoom
    /// There can be no room for the frame, because the agent may lock too little memory. The connection stays open.
    case neverRoom
    /// A system call failed with this error number.
    case system(Int32)
    /// The prompt was over before the answer came.
    case over
    /// No answer to the prompt began in time.
    case unanswered
}

/// One message: a JSON object, and a secret part beside it.
package struct Frame: ~Copyable, Sendable {
    /// The JSON object.
    package var head: WireObject
    /// The secret part; nil if it is empty.
    package var secret: SecureBytes?
    /// The room that the secret part takes.
    package let share: SecretBudget.Share?

    package init(_ head: WireObject, _ secret: consuming SecureBytes?, _ share: SecretBudget.Share?) {
        self.head = head
        self.secret = secret
        self.share = share
    }
}

/// A connected socket that carries frames. Several threads may send, and one at a time may receive.
package final class Wire: Sendable {
    private let socket: Int32
    private let longestHead: Int
    private let budget: SecretBudget?
    private let writing = BargingLock(())
    private let isClosed = Atomic(false)
    /// The number of bytes still to come of a secret part for which there was no room.
    private let unwanted = Atomic(0)

    /// Takes ownership of `socket`, which has to be blocking; each call decides if it may wait. Received heads may have
    /// up to `longestHead` bytes.
    package init(_ socket: Int32, longestHead: Int, budget: SecretBudget? = nil) {
        self.socket = socket
        self.longestHead = longestHead
        self.budget = budget
    }

    deinit { Glibc.close(socket) }

    /// True if the other end is closed.
    package var isHungUp: Bool { HangupWatch.isGone(socket) }

    /// Starts a watch that calls `whenGone` if the other end closes. End it before the connection goes.
    package func watchHangup(_ whenGone: @escaping @Sendable () -> Void) -> HangupWatch {
        HangupWatch(socket, whenGone)
    }

    /// Ends the connection from any thread. Calls that send or receive return.
    package func end() {
        if !isClosed.exchange(true, ordering: .relaxed) { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    // MARK: - Writing

    /// Sends a frame. The other end sees all of it or nothing.
    package func send(_ head: String) throws(WireError) {
        // An error that memory is short must be sent without allocating any locked memory.
        try send(head, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// Sends a frame whose head is in UTF-8.
    package func send(_ head: [UInt8]) throws(WireError) {
        let result: Result<Void, WireError> = head.withUnsafeBytes { head in
            Result { () throws(WireError) in try send(head, UnsafeRawBufferPointer(start: nil, count: 0)) }
        }
        try result.get()
    }

    /// Sends a frame with a secret part.
    package func send(_ head: String, secret: borrowing SecureBytes) throws(WireError) {
        let result: Result<Void, WireError> = secret.withBytes { secret in
            secret.withUnsafeBytes { secret in
                Result { () throws(WireError) in try send(head, secret) }
            }
        }
        try result.get()
    }

    private func send(_ head: String, _ secret: UnsafeRawBufferPointer) throws(WireError) {
        var text = head
        let result: Result<Void, WireError> = text.withUTF8 { head in
            Result { () throws(WireError) in try send(UnsafeRawBufferPointer(head), secret) }
        }
        try result.get()
    }

    private func send(_ head: UnsafeRawBufferPointer, _ secret: UnsafeRawBufferPointer) throws(WireError) {
        let deadline = Deadline(WireLimits.patience)
        let result: Result<Void, WireError> = writing.withLock { _ in
            Result { () throws(WireError) in try write(head, secret, deadline) }
        }
        try result.get()
    }

    /// Sends a frame only if that works at once. A client that does not read what it is sent is given up.
    package func post(_ head: String) {
        var text = head
        let isSent = writing.withLockIfAvailable { _ in
            text.withUTF8 { head in
                (try? write(UnsafeRawBufferPointer(head), UnsafeRawBufferPointer(start: nil, count: 0), Deadline(0)))
                    != nil
            }
        }
        if isSent != true { end() }
    }

    private func write(
        _ head: UnsafeRawBufferPointer, _ secret: UnsafeRawBufferPointer, _ deadline: Deadline
    ) throws(WireError) {
        var lengths = (UInt32(head.count).bigEndian, UInt32(secret.count).bigEndian)
        try withUnsafeBytes(of: &lengths) { lengths throws(WireError) in
            var parts: [3 of UnsafeRawBufferPointer] = [lengths, head, secret]
            var left = lengths.count + head.count + secret.count
            while left > 0 {
                var sent = try write(parts, deadline)
                left -= sent
                for index in parts.indices {
                    let dropped = min(sent, parts[index].count)
                    parts[index] = UnsafeRawBufferPointer(rebasing: parts[index][dropped...])
                    sent -= dropped
                }
            }
        }
    }

    /// Writes as much of the parts as the socket takes now, and returns the number of bytes.
    private func write(_ parts: [3 of UnsafeRawBufferPointer], _ deadline: Deadline) throws(WireError) -> Int {
        var vectors = [3 of iovec] { index in
            iovec(
                iov_base: UnsafeMutableRawPointer(mutating: parts[index].baseAddress), iov_len: parts[index].count)
        }
        while true {
            var span = vectors.mutableSpan
            let written = span.withUnsafeMutableBufferPointer { vectors in
                var message = msghdr()
                message.msg_iov = vectors.baseAddress
                message.msg_iovlen = vectors.count
                return sendmsg(socket, &message, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if written > 0 { return written }
            switch errno {
            case EAGAIN: try wait(for: POLLOUT, until: deadline)
            case EINTR: continue
            case EPIPE, ECONNRESET: throw .closed
            default: throw .system(errno)
            }
        }
    }

    // MARK: - Reading

    /// Receives the next frame. Waits for its first byte without a limit, unless `prompt` ends, and then for the rest
    /// within ``WireLimits/patience``.
    ///
    /// An answer to `prompt` has to begin within `patience` milliseconds, and its secret part may be only as long as
    /// typed text.
    ///
    /// `part` gets the text of each head first. If it returns true, the frame is done with, and the next one follows.
    package func receive(
        until prompt: Prompt? = nil, within patience: Int32? = nil,
        unless part: (_ text: [UInt8]) throws(WireError) -> Bool = { _ in false }
    ) throws(WireError) -> Frame {
        while true {
            if let frame = try receiveNext(until: prompt, within: patience, unless: part) { return frame }
        }
    }

    private func receiveNext(
        until prompt: Prompt?, within patience: Int32?, unless part: (_ text: [UInt8]) throws(WireError) -> Bool
    ) throws(WireError) -> Frame? {
        try dropUnwanted()
        var lengths = (UInt32(0), UInt32(0))
        var taken = 0
        if prompt == nil, patience == nil {
            // Let recv wait. That takes one system call if a request has arrived already, and saves two if it has not.
            taken = try withUnsafeMutableBytes(of: &lengths) { bytes throws(WireError) in try waitAndTake(bytes) }
        } else {
            do {
                try wait(for: POLLIN, until: patience.map { Deadline($0) }, wake: prompt?.wake)
            } catch {
                throw error == .timedOut ? .unanswered : error
            }
        }
        let longestSecret = prompt == nil ? WireLimits.secret : WireLimits.typed
        let deadline = Deadline(WireLimits.patience)
        try withUnsafeMutableBytes(of: &lengths) { bytes throws(WireError) in
            try fill(UnsafeMutableRawBufferPointer(rebasing: bytes[taken...]), deadline)
        }
        let (head, secret) = (Int(UInt32(bigEndian: lengths.0)), Int(UInt32(bigEndian: lengths.1)))
        guard (2...longestHead).contains(head) else {
            throw .malformed("a head has 2 to \(longestHead) bytes, and this one has \(head)")
        }
        guard secret <= longestSecret else {
            throw .malformed("a secret part has at most \(longestSecret) bytes here, and this one has \(secret)")
        }
        var text = [UInt8](repeating: 0, count: head)
        let filled: Result<Void, WireError> = text.withUnsafeMutableBytes { bytes in
            Result { () throws(WireError) in try fill(bytes, deadline) }
        }
        try filled.get()
        if secret == 0, try part(text) { return nil }
        let parsed = try WireObject(text)
        if secret == 0 { return Frame(parsed, nil, nil) }
        unwanted.store(secret, ordering: .relaxed)
        let share: SecretBudget.Share? = try budget?.share(of: secret)
        var bytes: SecureBytes
        do { bytes = try SecureBytes(count: secret) } catch { throw .noRoom }
        unwanted.store(0, ordering: .relaxed)
        try bytes.withMutableBytes { bytes throws(WireError) in try fill(bytes, deadline) }
        return Frame(parsed, bytes, share)
    }

    /// Reads and discards the rest of a secret part for which there was no room.
    private func dropUnwanted() throws(WireError) {
        var left = unwanted.exchange(0, ordering: .relaxed)
        guard left > 0 else { return }
        let deadline = Deadline(WireLimits.patience)
        while left > 0 {
            // It is still secret, so wipe it.
            let piece = min(left, Self.dropped)
            let taken: Result<Void, WireError> = withUnsafeTemporaryAllocation(byteCount: piece, alignment: 8) {
                bytes in
                defer { Sodium.wipe(bytes) }
                return Result { () throws(WireError) in try fill(bytes, deadline) }
            }
            try taken.get()
            left -= piece
        }
    }

    /// The number of bytes that are discarded at a time.
    private static let dropped = 1024

    /// Waits for bytes without a limit, and returns their number. ``end()`` ends the wait.
    private func waitAndTake(_ bytes: UnsafeMutableRawBufferPointer) throws(WireError) -> Int {
        while true {
            let got = recv(socket, bytes.baseAddress, bytes.count, 0)
            if got > 0 { return got }
            if got == 0 { throw .closed }
            switch errno {
            case EINTR: continue
            case ECONNRESET: throw .closed
            default: throw .system(errno)
            }
        }
    }

    private func fill(_ bytes: UnsafeMutableRawBufferPointer, _ deadline: Deadline) throws(WireError) {
        var place = 0
        while place < bytes.count {
            let got = recv(
                socket, bytes.baseAddress.map { $0 + place }, bytes.count - place, Int32(MSG_DONTWAIT))
            if got > 0 {
                place += got
                continue
            }
            if got == 0 { throw .closed }
            switch errno {
            case EAGAIN: try wait(for: POLLIN, until: deadline)
            case EINTR: continue
            case ECONNRESET: throw .closed
            default: throw .system(errno)
            }
        }
    }

    private func wait(for events: Int32, until deadline: Deadline?, wake: Int32? = nil) throws(WireError) {
        while true {
            var waited = (
                pollfd(fd: socket, events: Int16(events), revents: 0),
                pollfd(fd: wake ?? -1, events: Int16(POLLIN), revents: 0)
            )
            let count = withUnsafeMutableBytes(of: &waited) {
                poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, deadline?.left ?? -1)
            }
            if count < 0 && errno != EINTR { throw .system(errno) }
            if waited.1.revents != 0 { throw .over }
            if waited.0.revents != 0 { return }
            if count == 0, deadline != nil { throw .timedOut }
        }
    }
}

extension WireError {
    /// True if a frame was refused only because there was no room for its secret part.
    package var isWantOfRoom: Bool {
        switch self {
        case .noRoom, .neverRoom: true
        case .closed, .timedOut, .malformed, .system, .over, .unanswered: false
        }
    }
}

extension WireError: CustomStringConvertible {
    /// A message that says what went wrong.
    package var description: String {
        switch self {
        case .closed: "the connection was closed"
        case .timedOut: "the other end took too long"
        case .malformed(let what): "the message is not valid: \(what)"
        case .noRoom: "the agent has no room for this now: try again in a moment"
        case .neverRoom:
            "the agent may lock too little memory for this: raise its limit (`ulimit -l`, or `LimitMEMLOCK=` in "
                + "a service) and run `latchkey agent stop`"
        case .system(let code): SystemError(code).description
        case .over: "the prompt was over before the answer came"
        case .unanswered: "there was no answer in time"
        }
    }
}
