import Foundation
import Glibc

/// A connection to an agent that knows only the format of its frames: the lengths of two parts, a head in JSON, and a
/// secret part. One thread at a time uses it.
final class AgentConnection: @unchecked Sendable {
    struct Frame {
        let head: [UInt8]
        let secret: [UInt8]

        /// The number of bytes, including the lengths.
        var count: Int { 8 + head.count + secret.count }

        /// Returns true if the frame is of this kind, which is the only name in its head.
        func isA(_ kind: StaticString) -> Bool {
            kind.withUTF8Buffer { head.dropFirst(2).starts(with: $0) }
        }

        /// The fields under the kind.
        var fields: [String: Any] {
            let head = (try? JSONSerialization.jsonObject(with: Data(head))) as? [String: [String: Any]]
            return head?.values.first ?? [:]
        }
    }

    /// The error that the agent did not answer as the measurement needs it.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    private let socket: Int32
    private var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    private var came: [UInt8] = []
    private(set) var greeting = Frame(head: [], secret: [])

    /// Connects and reads the greeting.
    init(to path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.dropLast().copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isConnected = withUnsafeBytes(of: &address) {
            connect(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count)) == 0
        }
        guard isConnected else { throw Unexpected(description: "\(path): \(String(cString: strerror(errno)))") }
        greeting = try receive()
        guard greeting.isA("latchkey") else { throw unexpected(greeting) }
    }

    deinit { close(socket) }

    // MARK: - Frames

    /// Returns the bytes of a frame.
    static func bytes(of head: String, secret: String = "") -> [UInt8] {
        var bytes: [UInt8] = []
        for length in [head.utf8.count, secret.utf8.count] {
            withUnsafeBytes(of: UInt32(length).bigEndian) { bytes += $0 }
        }
        bytes += head.utf8
        bytes += secret.utf8
        return bytes
    }

    func send(_ head: String, secret: String = "") throws {
        let bytes = Self.bytes(of: head, secret: secret)
        // Every request here is shorter than what a socket takes at once.
        guard write(socket, bytes, bytes.count) == bytes.count else { throw gone }
    }

    func receive() throws -> Frame {
        let lengths = try take(8).map(Int.init)
        let (head, secret) = (lengths[..<4].reduce(0) { $0 << 8 | $1 }, lengths[4...].reduce(0) { $0 << 8 | $1 })
        return Frame(head: try take(head), secret: try take(secret))
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while came.count < count {
            let got = recv(socket, &chunk, chunk.count, 0)
            guard got > 0 else { throw gone }
            came += chunk[..<got]
        }
        defer { came.removeFirst(count) }
        return Array(came[..<count])
    }

    private var gone: Unexpected { Unexpected(description: "the agent is gone") }

    private func unexpected(_ frame: Frame) -> Unexpected {
        Unexpected(description: "the agent says \(String(decoding: frame.head, as: UTF8.self))")
    }

    // MARK: - Requests

    /// Sends a request and returns the last frame of the answer.
    @discardableResult
    func ask(_ request: String) throws -> Frame {
        try send(request)
        var frame = try receive()
        while frame.isA("more\"") { frame = try receive() }
        guard frame.isA("done\"") else { throw unexpected(frame) }
        return frame
    }

    /// Reads a secret.
    func read(_ name: String) throws -> [UInt8] { try ask(Self.reading(name)).secret }

    /// Returns the request for a secret.
    static func reading(_ name: String) -> String { "{\"do\":\"read\",\"name\":\"\(name)\"}" }

    /// Unlocks the vault with `passcode`.
    func unlock(passcode: String) throws {
        try send("{\"do\":\"unlock\"}")
        while true {
            let frame = try receive()
            if frame.isA("done\"") { return }
            if frame.isA("over\"") { continue }
            guard frame.isA("ask\""), frame.fields["wish"] as? String == "passcode", let number = frame.fields["number"]
            else { throw unexpected(frame) }
            try send("{\"answer\":\"typed\",\"number\":\(number)}", secret: passcode)
        }
    }
}
