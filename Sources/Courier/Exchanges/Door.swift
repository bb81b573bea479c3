internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The listening socket, and the sockets that came from it.
///
/// One thread runs it. Only this thread opens and closes sockets of clients, so no other can end one that is another client's already.
final class Door: Sendable {
    private struct State {
        var connections: [Int32: Connection] = [:]
        /// The connections whose clients have left. They are watched no more.
        var left: Set<Int32> = []
        /// The connections that are no longer served.
        var served: [Int32] = []
        var isEnding = false
        var isRunning = false
    }

    /// POLLRDHUP, which only GNU's headers declare: the other end will send no more.
    private static let hangUp: Int16 = 0x2000
    /// The most connections that were refused and whose clients have not left.
    private static let mostRefused = 16

    private let listener: Int32
    private let most: Int
    /// The bytes for a connection that is one too many.
    private let refusal: [UInt8]
    /// A byte in it wakes the thread.
    private let wish: Pipe
    private let state = Mutex(State())
    private let isShut = Signal()

    init(_ listener: Int32, most: Int, refusal: [UInt8]) throws(SystemError) {
        self.listener = listener
        self.most = most
        self.refusal = refusal
        wish = try Pipe()
        wish.doNotBlock()
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
    }

    deinit { wish.close() }

    /// Starts the thread. `serve` is called on a thread of its own for each connection.
    func open(_ serve: @escaping @Sendable (Connection) -> Void) {
        state.withLock { $0.isRunning = true }
        let isStarted = Supervisor.detach { [self] in run(serve) }
        if !isStarted {
            state.withLock { $0.isRunning = false }
            shut()
        }
    }

    /// Ends all connections. New ones may come.
    func endConnections() {
        state.withLock { state in
            for connection in state.connections.values { connection.end() }
        }
    }

    /// Closes the listening socket. The thread stays until the last connection has ended.
    func shut() {
        let isRunning = state.withLock { state in
            if state.isEnding { return nil as Bool? }
            state.isEnding = true
            return state.isRunning
        }
        if isRunning == true {
            wake()
            _ = isShut.wait(upTo: 1000)
        } else if isRunning == false {
            Glibc.close(listener)
        }
    }

    private func wake() {
        var byte: UInt8 = 0
        _ = write(wish.writing, &byte, 1)
    }

    private func run(_ serve: @escaping @Sendable (Connection) -> Void) {
        var isListening = true
        var refused: [Int32] = []
        while true {
            let (watched, isEnding) = reap()
            if isEnding && isListening {
                Glibc.close(listener)
                isListening = false
                isShut.give()
            }
            if isEnding {
                for socket in refused { Glibc.close(socket) }
                refused = []
                if watched == nil { return }
            }
            let clients = watched ?? []
            var waits = [pollfd(fd: wish.reading, events: Int16(POLLIN), revents: 0)]
            if isListening { waits.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0)) }
            let others = waits.count
            waits += (clients + refused).map { pollfd(fd: $0, events: Self.hangUp, revents: 0) }
            guard poll(&waits, nfds_t(waits.count), -1) > 0 else { continue }
            drain()
            for wait in waits[others...] where wait.revents != 0 {
                if refused.contains(wait.fd) {
                    Glibc.close(wait.fd)
                    refused.removeAll { $0 == wait.fd }
                } else {
                    endConnection(wait.fd)
                }
            }
            if isListening, waits[1].revents != 0 { accept(serve, &refused) }
        }
    }

    /// Closes the sockets that are served no more. Returns those to watch, and true if the end has begun; nil for no socket at all.
    private func reap() -> (watched: [Int32]?, isEnding: Bool) {
        state.withLock { state in
            for socket in state.served {
                state.connections[socket] = nil
                state.left.remove(socket)
                Glibc.close(socket)
            }
            state.served = []
            let watched = state.connections.isEmpty ? nil : state.connections.keys.filter { !state.left.contains($0) }
            return (watched, state.isEnding)
        }
    }

    private func drain() {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        while read(wish.reading, &bytes, bytes.count) > 0 {}
    }

    private func endConnection(_ socket: Int32) {
        state.withLock { state in
            guard state.left.insert(socket).inserted else { return }
            state.connections[socket]?.end()
        }
    }

    private func accept(_ serve: @escaping @Sendable (Connection) -> Void, _ refused: inout [Int32]) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else {
                // Out of descriptors or memory, poll would report the same client again at once.
                if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) { usleep(10_000) }
                return
            }
            let connection = Connection(ClientSocket(descriptor))
            let isAdmitted = state.withLock { state in
                guard state.connections.count - state.served.count < most, !state.isEnding else { return false }
                state.connections[descriptor] = connection
                return true
            }
            guard isAdmitted else {
                refuse(connection.socket, &refused)
                continue
            }
            let isStarted = Supervisor.detach { [self] in
                serve(connection)
                connection.socket.end()
                leave(connection)
            }
            if !isStarted { leave(connection) }
        }
    }

    private func leave(_ connection: Connection) {
        state.withLock { $0.served.append(connection.socket.descriptor) }
        wake()
    }

    /// Answers a connection that is one too many. It is closed when its client leaves, because a client that still sends would lose the
    /// answer.
    private func refuse(_ socket: ClientSocket, _ refused: inout [Int32]) {
        let refusal = refusal
        try? socket.write(refusal.span.bytes, withinMilliseconds: 0)
        _ = shutdown(socket.descriptor, Int32(SHUT_WR))
        if refused.count >= Self.mostRefused { Glibc.close(refused.removeFirst()) }
        refused.append(socket.descriptor)
    }
}
