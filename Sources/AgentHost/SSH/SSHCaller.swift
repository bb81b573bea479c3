internal import AgentProtocol
internal import LinuxSystem

/// The process at the other end of an SSH client's connection.
struct SSHCaller: Sendable {
    /// The process and its parent.
    let peer: Peer
    /// The process, as long as it runs; nil if the system does not know it.
    let process: PeerProcess?

    /// Identifies the process at the other end of a connected socket. Returns nil if the system does not know it.
    init?(of socket: Int32) {
        guard let peer = Peer(of: socket) else { return nil }
        self.peer = peer
        process = PeerProcess(of: socket)
    }
}
