internal import Glibc
internal import LinuxSystem
internal import SSHProtocol
internal import Synchronization

/// The SSH clients that the agent serves, each on a thread of its own.
final class SSHServer: Sendable {
    let agent: Agent
    let queue = SSHQueue()
    private let limit: Int
    private let sessions = Mutex<[ObjectIdentifier: SSHSession]>([:])

    /// The share of all clients that SSH clients may be. Each needs a connection to the rest of the agent, too.
    private static let share = 2

    init(_ agent: Agent) {
        self.agent = agent
        limit = max(8, agent.limits.clients / Self.share)
    }

    /// Serves a client that has connected. Closes the connection of another user.
    func admit(_ socket: Int32) {
        guard let caller = OuterCaller(of: socket), caller.peer.user == geteuid() else {
            close(socket)
            return
        }
        let session = SSHSession(self, socket, caller)
        let isAdmitted = sessions.withLock { sessions in
            // A client that says nothing has to go for one that may. The program with the most connections loses one.
            if sessions.count >= limit {
                guard let oldest = Self.next(of: sessions) else { return false }
                sessions.removeValue(forKey: oldest)?.end()
            }
            sessions[ObjectIdentifier(session)] = session
            return true
        }
        let isStarted =
            isAdmitted
            && Supervisor.detach { [self] in
                session.serve()
                leave(session)
            }
        if !isStarted { leave(session) }
    }

    private static func next(of sessions: [ObjectIdentifier: SSHSession]) -> ObjectIdentifier? {
        var connections: [Int32: Int] = [:]
        for session in sessions.values { connections[session.caller.peer.process, default: 0] += 1 }
        return sessions.filter { !$0.value.isBusy }.min {
            let (one, other) = ($0.value, $1.value)
            return (-(connections[one.caller.peer.process] ?? 0), one.began)
                < (-(connections[other.caller.peer.process] ?? 0), other.began)
        }?.key
    }

    private func leave(_ session: SSHSession) {
        sessions.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(session)) }
        session.close()
    }

    /// Ends all clients.
    func endAll() {
        for session in sessions.withLock({ Array($0.values) }) { session.end() }
    }
}
