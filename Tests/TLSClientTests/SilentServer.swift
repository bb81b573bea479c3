import Foundation

/// A server that accepts connections and never speaks TLS.
final class SilentServer: Sendable {
    struct CannotStart: Error {}

    let port: UInt16
    private let listener: Int32

    /// Starts the server. With a text, it sends that to the first client. One that does not listen only keeps its port, and the
    /// system refuses clients.
    init(saying text: String? = nil, listens: Bool = true) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && (!listens || listen(listener, 16) == 0)
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard listener >= 0, isListening else { throw CannotStart() }
        port = UInt16(bigEndian: address.sin_port)
        guard let text else { return }
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            let bytes = Array(text.utf8)
            send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            var rest = [UInt8](repeating: 0, count: 4096)
            while recv(connection, &rest, rest.count, 0) > 0 {}
            close(connection)
        }
    }

    deinit { close(listener) }
}
