internal import CLinux
internal import Glibc

/// The process and the user that were at the other end of a socket when it was connected, as the system reports them.
package struct SocketPeer: Sendable {
    package let process: Int32
    package let user: UInt32

    /// Asks the system about the other end of `socket`. Returns nil if the system does not know.
    package init?(of socket: Int32) {
        var process: pid_t = 0
        var user: uid_t = 0
        guard latchkey_peer(socket, &process, &user) == 0 else { return nil }
        (self.process, self.user) = (process, user)
    }
}
