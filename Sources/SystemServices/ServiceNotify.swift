internal import Glibc

/// Reports the state of this process to the service manager that started it, as `sd_notify` does.
package enum ServiceNotify: Sendable {
    /// Reports that the service accepts requests. Returns false if no service manager listens or the report fails.
    @discardableResult
    package static func ready() -> Bool { tell("READY=1") }

    /// Reports that the service is about to end. Returns false if no service manager listens or the report fails.
    @discardableResult
    package static func stopping() -> Bool { tell("STOPPING=1") }

    private static func tell(_ what: String) -> Bool {
        guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }),
            let (address, length) = address(of: name)
        else { return false }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        let bytes = Array(what.utf8)
        let sent = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        return sent == bytes.count
    }

    /// Returns the address of the socket with this name: a path from the root, or a name after an @ that is in no
    /// folder.
    private static func address(of name: String) -> (sockaddr_un, socklen_t)? {
        let isAbstract = name.hasPrefix("@")
        guard isAbstract || name.hasPrefix("/") else { return nil }
        var bytes = Array(name.utf8)
        // An abstract name begins with a zero byte instead of the @; a path ends with one.
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path),
            let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)
        else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return (address, socklen_t(offset + bytes.count))
    }
}
