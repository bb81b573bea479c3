internal import AgentProtocol
internal import Glibc
internal import LinuxSystem

/// A process that calls the agent by another protocol, such as that of SSH agents.
struct OuterCaller: Sendable {
    /// The process and its parent.
    var peer: Peer
    /// The process, as long as it runs; nil if the system does not know it.
    var process: PeerProcess?
    /// False if what its user proves counts for one connection alone, and nothing that was proved before counts for it.
    var sharesAuthentications = true
    /// False if a request counts as activity, which puts off the lock of the vault, only if its user answered a prompt.
    var isActive = true

    /// Identifies the process at the other end of a connected socket. Returns nil if the system does not know it.
    init?(of socket: Int32) {
        guard let peer = Peer(of: socket) else { return nil }
        self.peer = peer
        process = PeerProcess(of: socket)
    }

    /// Identifies a process by its number, which a message bus has told.
    init(running number: Int32, of user: UInt32) {
        peer = Peer(running: number, of: user)
        process = PeerProcess(running: number)
    }
}

extension Agent {
    /// Connects a part of the agent that speaks another protocol, on behalf of the process that called it there.
    ///
    /// The connection is one like any other. The process is the caller in prompts and in the audit log, and the holder of what
    /// its user proves. `app` is the name that prompts give to what asks.
    func connect(for caller: OuterCaller, app: String) throws(AgentError) -> AgentClient {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .system("a connection inside the agent")
        }
        admit(
            Session(
                self, ends[0], caller.peer, caller.process, caller: caller.peer.client,
                sharesAuthentications: caller.sharesAuthentications, isActive: caller.isActive))
        return try AgentClient.connected(ends[1], app: app)
    }
}
