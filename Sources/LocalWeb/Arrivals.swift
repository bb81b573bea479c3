internal import Dispatch
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The connections whose request has not arrived, or was refused. Each is cut off at its deadline, however slowly its
/// client sends.
final class Arrivals: Sendable {
    private struct Arrival {
        let socket: Int32
        let deadline: Deadline
    }

    private struct State {
        var all: [UInt: Arrival] = [:]
        var isOver = false
    }

    private let state = Mutex(State())
    private let time: Int32
    private let ended = Signal()

    /// Creates a list of connections, each of which may take `milliseconds`.
    init(milliseconds: Int32) {
        time = milliseconds
        DispatchQueue(label: "latchkey.web.arrivals").async { self.watch() }
    }

    func begin(_ connection: OpaquePointer, on socket: Int32) {
        if socket < 0 { return }
        let key = UInt(bitPattern: connection)
        state.withLock { $0.all[key] = Arrival(socket: socket, deadline: Deadline(time)) }
    }

    /// Forgets a connection whose request has arrived or that is over.
    func end(_ connection: OpaquePointer) {
        let key = UInt(bitPattern: connection)
        state.withLock { $0.all[key] = nil }
    }

    func stop() {
        state.withLock { $0.isOver = true }
        ended.give()
    }

    private func watch() {
        // A tenth of the time is precise enough.
        while !ended.wait(upTo: max(50, Int(time) / 10)) {
            let isOver = state.withLock { state in
                // The server closes the socket only after it has called `end`, so the number still means this connection.
                for arrival in state.all.values where arrival.deadline.left <= 1 {
                    shutdown(arrival.socket, Int32(SHUT_RDWR))
                }
                return state.isOver
            }
            if isOver { return }
        }
    }
}
