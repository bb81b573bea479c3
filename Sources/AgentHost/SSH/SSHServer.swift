internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import SSHProtocol
internal import Synchronization
internal import VaultService

/// The SSH clients that the agent serves, each on a thread of its own.
final class SSHServer: Sendable {
    let agent: Agent
    var service: VaultService { agent.service }
    let queue = SSHQueue<SSHSession.Line>()
    /// The limits on what one process may ask for.
    ///
    /// One ssh that forwards the agent connects once for each program on the other host. Without limits, a program there could
    /// take all the places for SSH clients, or show one prompt after another until the user gives in.
    let limits = AskingLimits<Int32> { AgentLoop.now }
    private let limit: Int
    private let sessions = Mutex<[ObjectIdentifier: SSHSession]>([:])

    /// The share of all clients that SSH clients may be.
    private static let share = 2
    /// The most signatures that a process may wait for.
    static let mostSignatures = 64
    /// The most that one which forwards the agent may wait for.
    static let mostForwarded = 4

    init(_ agent: Agent) {
        self.agent = agent
        limit = max(8, agent.limits.clients / Self.share)
    }

    /// Serves a client that has connected. Closes the connection of another user.
    func admit(_ socket: Int32) {
        guard let caller = SSHCaller(of: socket), caller.peer.user == geteuid() else {
            close(socket)
            return
        }
        let session = SSHSession(self, socket, caller)
        let isAdmitted = sessions.withLock { sessions in
            if sessions.count >= limit {
                let all = Array(sessions)
                guard let next = SSHPlace.next(of: all.map(\.value.place)) else { return false }
                sessions.removeValue(forKey: all[next].key)?.end()
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

    private func leave(_ session: SSHSession) {
        sessions.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(session)) }
        session.close()
    }

    func endAll() {
        for session in sessions.withLock({ Array($0.values) }) { session.end() }
    }
}
