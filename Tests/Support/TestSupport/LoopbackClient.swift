internal import Foundation

/// A connection to a server of this machine, which sends any bytes, as an attacker would.
public final class LoopbackClient: Sendable {
    /// The connection could not be made.
    public struct CannotConnect: Error, Sendable {}

    private let socket: Int32

    /// Connects with the server at this port.
    public init(port: UInt16) throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard socket >= 0, isConnected else { throw CannotConnect() }
        var time = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// Sends a text. Returns false if the server has closed the connection.
    @discardableResult
    public func send(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// Returns everything up to the end of the connection.
    public func rest() -> String {
        var all: [UInt8] = []
        while let part = part() { all += part }
        return String(decoding: all, as: UTF8.self)
    }

    /// Returns what has come up to `text`.
    public func wait(for text: String) -> String {
        var all: [UInt8] = []
        while !String(decoding: all, as: UTF8.self).contains(text), let part = part() { all += part }
        return String(decoding: all, as: UTF8.self)
    }

    private func part() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &bytes, bytes.count, 0)
            if count < 0 && errno == EINTR { continue }
            return count > 0 ? Array(bytes.prefix(count)) : nil
        }
    }
}

extension LoopbackClient {
    /// Sends a request and returns the status and the text of the answer.
    ///
    /// `address` is that of a server of this machine, such as `http://127.0.0.1:80/`. With a body, the method is `POST`.
    public static func ask(_ address: String, _ path: String, body: String? = nil) throws -> (status: Int, text: String)
    {
        guard let url = URL(string: address), let port = url.port.flatMap(UInt16.init(exactly:)) else {
            throw CannotConnect()
        }
        let client = try LoopbackClient(port: port)
        let fields = body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        client.send(
            "\(body == nil ? "GET" : "POST") \(url.path)/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n\(body ?? "")"
        )
        let answer = client.rest()
        let status = answer.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
        return (status, answer.range(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? "")
    }
}
