internal import CSandbox
internal import Glibc
internal import LinuxSystem

/// Things of the owner's that are made to see if they can be reached from a sandbox: a port, an abstract socket and a key.
final class Canaries: Sendable {
    let port: UInt16
    /// The name of the abstract socket, which begins with a zero byte.
    let name: [UInt8]
    let key: Int32
    private let listener: Int32
    private let abstract: Int32

    init?() {
        var (port, listener) = (UInt16(0), Int32(-1))
        guard latchkey_listen_on_loopback(-1, -1, &port, &listener) == 0 else { return nil }
        let random = (0..<16).map { _ in UInt8.random(in: 97...122) }
        (self.port, self.listener) = (port, listener)
        name = [0] + Array("latchkey-check-".utf8) + random
        abstract = Self.listen(at: name)
        key = latchkey_add_session_key("latchkey-check-" + String(decoding: random, as: UTF8.self))
        if abstract < 0 { return nil }
    }

    deinit {
        close(listener)
        if abstract >= 0 { close(abstract) }
        if key > 0 { latchkey_revoke_key(key) }
    }

    /// True if a connection has come to the port. A sandbox may have a port of this number itself.
    var hasCallAtPort: Bool { Self.hasCall(listener) }
    var hasCallAtSocket: Bool { Self.hasCall(abstract) }

    private static func hasCall(_ listener: Int32) -> Bool {
        var waited = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return poll(&waited, 1, 0) == 1
    }

    private static func listen(at name: [UInt8]) -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { return -1 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = MemoryLayout.offset(of: \sockaddr_un.sun_path)! + name.count
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(size)) == 0 }
        }
        guard isBound, Glibc.listen(listener, 8) == 0 else {
            close(listener)
            return -1
        }
        return listener
    }
}
