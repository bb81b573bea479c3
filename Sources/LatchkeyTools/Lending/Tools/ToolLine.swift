internal import AgentProtocol
internal import Glibc
internal import PlainText

/// The way from `latchkey lend mcp` in a sandbox to the port of the tools.
struct ToolLine: Sendable {
    private let port: UInt16
    /// A random name, by which the port tells this client from others.
    private let client = String(UInt64.random(in: .min ... .max), radix: 16)

    private static let prefix = "http://127.0.0.1:"

    /// Reads the address in the environment of a program that `latchkey lend` runs.
    init(_ address: String?) throws {
        let words = "this runs inside `latchkey lend PROFILE -- PROGRAM`, where LENT_TOOLS has an address"
        guard let address, address.hasPrefix(Self.prefix) else { throw AgentError(.request, words) }
        let digits = address.dropFirst(Self.prefix.utf8.count).prefix { $0 != "/" }
        guard let port = UInt16(digits) else { throw AgentError(.request, words) }
        self.port = port
    }

    /// Sends a message, and returns the answer; nil if there is none.
    func send(_ message: [UInt8]) -> [UInt8]? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafeBytes(of: &address) { bytes in
            connect(socket, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
        }
        let head =
            "POST \(ToolPort.lines)?\(client) HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\ncontent-type: application/json\r\n"
            + "content-length: \(message.count)\r\nconnection: close\r\n\r\n"
        guard isConnected, Self.write(Array(head.utf8) + message, to: socket) else { return nil }
        return Self.body(of: Self.read(from: socket))
    }

    private static func write(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func read(from socket: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(socket, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return all }
            all += chunk[..<count]
        }
    }

    /// Returns the body of an answer of the port, which closes the connection after it.
    private static func body(of answer: [UInt8]) -> [UInt8]? {
        guard let end = answer.indices.dropLast(3).first(where: { answer[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) })
        else { return nil }
        let body = Array(answer[(end + 4)...])
        return body.isEmpty ? nil : body
    }
}
