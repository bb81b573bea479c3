internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import Synchronization
internal import VaultService

/// The clients that the agent serves. If there are too many, one of the process with the most connections has to go. So
/// no program keeps others out by connecting often, staying silent, or leaving prompts open and answers unread.
final class Clients: Sendable {
    private struct State {
        var places: [ObjectIdentifier: SocketConnection] = [:]
        /// The number of clients with a place and of those that have to go but are not gone yet.
        var present = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Gives a client a place. Returns false if too many that had to go are not gone yet.
    func admit(_ connection: SocketConnection) -> Bool {
        let (isAdmitted, leaving): (Bool, SocketConnection?) = state.withLock { state in
            guard !state.isClosed, state.present < 2 * limit else { return (false, nil) }
            var leaving: SocketConnection?
            if state.places.count >= limit, let id = Self.next(of: state.places) {
                leaving = state.places.removeValue(forKey: id)
            }
            state.places[ObjectIdentifier(connection)] = connection
            state.present += 1
            return (true, leaving)
        }
        leaving?.wire.end()
        return isAdmitted
    }

    /// Returns the client that has to go next.
    private static func next(of places: [ObjectIdentifier: SocketConnection]) -> ObjectIdentifier? {
        var connections: [Int32: Int] = [:]
        for connection in places.values { connections[connection.visit.peer.process, default: 0] += 1 }
        let ranks = places.mapValues { connection in
            let (stage, since) = connection.progress.present
            return (-(connections[connection.visit.peer.process] ?? 0), stage.rawValue, since)
        }
        return ranks.min { $0.value < $1.value }?.key
    }

    /// Notes that a client is gone.
    func leave(_ connection: SocketConnection) {
        let id = ObjectIdentifier(connection)
        state.withLock { state in
            state.places[id] = nil
            state.present -= 1
        }
    }

    /// Ends all clients and admits no more.
    func endAll() {
        let connections = state.withLock { state in
            state.isClosed = true
            return Array(state.places.values)
        }
        for connection in connections { connection.wire.end() }
    }
}

/// The stage of a client's request, and the time of its last change. Any thread reads it, and no thread waits for it.
final class Progress: Sendable {
    /// The stages of a request. If there is no room, the agent gives up the clients of the first one first.
    enum Stage: UInt8, Sendable {
        /// The agent waits for the client to say something, or to finish saying it.
        case silent
        /// The client has a prompt to answer.
        case asked
        /// The agent works for the client.
        case served
    }

    private let stage = Atomic(Stage.silent.rawValue)
    private let since = Atomic(Progress.now)

    /// Begins a stage.
    func note(_ next: Stage) {
        stage.store(next.rawValue, ordering: .relaxed)
        since.store(Self.now, ordering: .relaxed)
    }

    /// The present stage, and its first moment.
    var present: (stage: Stage, since: Int64) {
        (Stage(rawValue: stage.load(ordering: .relaxed)) ?? .silent, since.load(ordering: .relaxed))
    }

    /// The nanoseconds since the machine was started, from a coarse clock, because every request reads it twice.
    private static var now: Int64 { SystemClock.awakeRoughly.nanoseconds }
}
