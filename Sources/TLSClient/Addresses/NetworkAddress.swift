internal import Glibc

/// An address of IPv4 or IPv6.
package struct NetworkAddress: Hashable, Sendable {
    /// The 4 or 16 bytes, the most significant first.
    let bytes: [UInt8]

    /// Reads an address in its usual form: four decimal numbers, or the form of IPv6 without brackets and zone. Returns nil
    /// for every other text, also for `127.1` and `0x7f000001`.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// Reads an address as the system's resolver returns it. Returns nil for another family.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    /// The family for a socket.
    var family: Int32 { bytes.count == 4 ? AF_INET : AF_INET6 }

    /// Lends the address with a port to a function of the system.
    func withSystemAddress<Result>(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        let size = bytes.count == 4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        return withUnsafeMutablePointer(to: &storage) { storage in
            let place = UnsafeMutableRawPointer(storage)
            if bytes.count == 4 {
                let address = place.assumingMemoryBound(to: sockaddr_in.self)
                address.pointee.sin_family = sa_family_t(AF_INET)
                address.pointee.sin_port = port.bigEndian
                withUnsafeMutableBytes(of: &address.pointee.sin_addr) { $0.copyBytes(from: bytes) }
            } else {
                let address = place.assumingMemoryBound(to: sockaddr_in6.self)
                address.pointee.sin6_family = sa_family_t(AF_INET6)
                address.pointee.sin6_port = port.bigEndian
                withUnsafeMutableBytes(of: &address.pointee.sin6_addr) { $0.copyBytes(from: bytes) }
            }
            return body(UnsafePointer(place.assumingMemoryBound(to: sockaddr.self)), socklen_t(size))
        }
    }
}
