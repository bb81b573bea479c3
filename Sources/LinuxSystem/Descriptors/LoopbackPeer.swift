internal import Glibc

/// The user at the other end of a TCP connection over loopback.
package enum LoopbackPeer: Sendable {
    /// Returns the user who has the other end of an accepted connection open; nil if there is none on this machine, or no longer.
    package static func user(of socket: Int32) -> UInt32? {
        guard let ours = end(of: socket, getsockname), let theirs = end(of: socket, getpeername) else { return nil }
        // A client may use a socket of the newer protocol for an address of the older one.
        let short = (own: theirs.text, other: ours.text)
        let long = (own: mapped + theirs.text, other: mapped + ours.text)
        return user("/proc/thread-self/net/tcp", short) ?? user("/proc/thread-self/net/tcp6", long)
    }

    /// The beginning of an address of the older protocol in the newer one, as the system's list writes it.
    private static let mapped = "0000000000000000FFFF0000"

    /// One end of a connection, as the system's list of connections writes it.
    private struct End {
        let text: String
    }

    private static func end(
        of socket: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> End? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(socket, $0, &size) }
        }
        guard code == 0, Int32(address.sin_family) == AF_INET else { return nil }
        // The list has the four bytes as one number of this machine, and the port as it is spoken of.
        return End(
            text:
                "\(hexadecimal(address.sin_addr.s_addr, 8)):\(hexadecimal(UInt32(UInt16(bigEndian: address.sin_port)), 4))"
        )
    }

    private static func hexadecimal(_ number: UInt32, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func user(_ list: String, _ ends: (own: String, other: String)) -> UInt32? {
        guard let bytes = SystemFile.bytes(list) else { return nil }
        let (own, other) = (Array(ends.own.utf8), Array(ends.other.utf8))
        for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst() {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 10)
            // The list says that root has an end which no process has open any more. Its file has the number zero.
            guard fields.count > 10, fields[1].elementsEqual(own), fields[2].elementsEqual(other),
                !fields[9].elementsEqual("0".utf8)
            else { continue }
            return UInt32(String(decoding: fields[7], as: UTF8.self))
        }
        return nil
    }
}
