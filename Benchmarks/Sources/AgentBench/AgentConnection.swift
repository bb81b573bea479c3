import Foundation
import Glibc

/// A connection to an agent, by one who knows nothing but its format: a frame is the lengths of its two parts, a head in JSON and
/// a part that is secret. One thread at a time uses it.
final class AgentConnection: @unchecked Sendable {
    struct Frame {
        let head: [UInt8]
        let secret: [UInt8]

        /// The number of its bytes, with the lengths in front.
        var count: Int { 8 + head.count + secret.count }

        /// Returns true if it is one of this kind: the only name in a head from an agent says which.
        func isA(_ kind: StaticString) -> Bool {
            kind.withUTF8Buffer { head.dropFirst(2).starts(with: $0) }
        }

        /// What stands in it under its kind.
        var fields: [String: Any] {
            let head = (try? JSONSerialization.jsonObject(with: Data(head))) as? [String: [String: Any]]
            return head?.values.first ?? [:]
        }
    }

    /// The agent answered otherwise than the measurement needs it.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    private let socket: Int32
    private var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    private var came: [UInt8] = []
    private(set) var greeting = Frame(head: [], secret: [])

    /// Connects, and hears the greeting.
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
        guard greeting.isA("knows\":[\"brief\"],\"latchkey\":1,") else { throw unexpected(greeting) }
    }

    deinit { close(socket) }

    // MARK: - Frames

    /// The bytes of a frame.
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
        // Nothing that is measured here is longer than a socket takes at once.
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

    /// Asks for something, and gives the last frame of what is answered.
    @discardableResult
    func ask(_ request: String) throws -> Frame {
        try send(request)
        var frame = try receive()
        while frame.isA("more\"") { frame = try receive() }
        guard frame.isA("done\"") else { throw unexpected(frame) }
        return frame
    }

    /// Brings out a secret.
    func read(_ name: String) throws -> [UInt8] { try ask(Self.reading(name)).secret }

    /// The request for a secret.
    static func reading(_ name: String) -> String { "{\"do\":\"read\",\"name\":\"\(name)\"}" }

    /// Unlocks the vault by typing `passcode` where it is asked for.
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
