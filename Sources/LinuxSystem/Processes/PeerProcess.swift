internal import CLinux
internal import Glibc

/// The process that connected a socket, for as long as it runs.
///
/// Its number alone does not identify it: the process may have ended, even before the connection was accepted, and
/// another may have the number.
package struct PeerProcess: Sendable {
    private let number: Int32
    private let start: UInt64

    /// Identifies the process at the other end of `socket`. Returns nil if the system does not know it, or if it is gone.
    ///
    /// - Parameter asksSocket: False to do as on Linux before 6.5, whose sockets have no descriptor of the process.
    package init?(of socket: Int32, asksSocket: Bool = true) {
        guard let peer = SocketPeer(of: socket), peer.process > 0 else { return nil }
        var descriptor = asksSocket ? latchkey_peer_process(socket) : -1
        if descriptor < 0 {
            if asksSocket && errno != ENOPROTOOPT { return nil }
            // Another process may have got the number before this. From here on it cannot.
            descriptor = latchkey_watch_process(peer.process)
            if descriptor < 0 && errno != ENOSYS { return nil }
        }
        defer { if descriptor >= 0 { close(descriptor) } }
        guard let status = ProcessStatus(of: peer.process) else { return nil }
        if descriptor >= 0 {
            // As long as the process runs, its number is its own. So look at this after the status.
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, 0) == 0 else { return nil }
        }
        (number, start) = (peer.process, status.start)
    }

    /// Identifies the process that has this number now. Returns nil if there is none.
    ///
    /// Use this only if a service has told the number while the process was connected to it.
    package init?(running number: Int32) {
        guard number > 0, let status = ProcessStatus(of: number) else { return nil }
        (self.number, start) = (number, status.start)
    }

    /// Returns what `body` finds about the process by its number; nil if the process is gone.
    package func read<Value>(_ body: (Int32) -> Value?) -> Value? {
        let value = body(number)
        return ProcessStatus(of: number)?.start == start ? value : nil
    }
}
