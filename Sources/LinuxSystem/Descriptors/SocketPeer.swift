internal import CLinux
internal import Glibc

/// The process and the user at the other end of a socket when it was connected, as the system knows them.
package struct SocketPeer: Sendable {
    /// The number of the process.
    package let process: Int32
    /// The number of the user.
    package let user: UInt32

    /// Asks the system who is at the other end of `socket`. Returns nil if the system does not say.
    package init?(of socket: Int32) {
        var process: pid_t = 0
        var user: uid_t = 0
        guard latchkey_peer(socket, &process, &user) == 0 else { return nil }
        (self.process, self.user) = (process, user)
    }
}
