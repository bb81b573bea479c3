import AgentProtocol
import Foundation
import PlainText
import TestSupport
import UserPresence

/// A connection to an agent that can send any bytes.
final class RawClient {
    struct Frame {
        var head: WireObject
        var secret: [UInt8]
    }

    /// The reason why no frame came.
    enum Trouble: Error, Equatable {
        case cannotConnect(Int32)
        case closed
        case timedOut
    }

    let socket: Int32

    /// Connects. Later calls wait for `seconds` at most.
    init(_ path: String, seconds: Int = Patience.seconds, greeted: Bool = true) throws {
        socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            let code = errno
            close(socket)
            throw Trouble.cannotConnect(code)
        }
        wait(atMost: seconds)
        if greeted { _ = try receive() }
    }

    /// Sets the time that this client waits from now on.
    func wait(atMost seconds: Int) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(socket) }

    static func frame(_ head: String, _ secret: [UInt8] = []) -> [UInt8] { frame(Array(head.utf8), secret) }

    static func frame(_ head: [UInt8], _ secret: [UInt8] = []) -> [UInt8] {
        lengths(UInt32(head.count), UInt32(secret.count)) + head + secret
    }

    static func lengths(_ head: UInt32, _ secret: UInt32) -> [UInt8] {
        [head, secret].flatMap { length in withUnsafeBytes(of: length.bigEndian) { Array($0) } }
    }

    /// Sends bytes. Returns true if all of them went.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ head: String, _ secret: [UInt8] = []) -> Bool { write(Self.frame(head, secret)) }

    private func take(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var place = 0
        while place < count {
            let got = bytes[place...].withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
            if got < 0 && errno == EINTR { continue }
            if got == 0 || (got < 0 && errno == ECONNRESET) { throw Trouble.closed }
            if got < 0 { throw Trouble.timedOut }
            place += got
        }
        return bytes
    }

    func receive() throws -> Frame {
        let lengths = try take(8).withUnsafeBytes { bytes in
            [0, 4].map { Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))) }
        }
        let head = try take(lengths[0])
        let secret = try take(lengths[1])
        guard let parsed = WireObject(try JSON(head)) else { throw Trouble.closed }
        return Frame(head: parsed, secret: secret)
    }

    /// Sends a request and returns the answer. `answers` has the answers to prompts by wish; other prompts are
    /// dismissed.
    func ask(_ head: String, _ secret: [UInt8] = [], _ answers: [String: String] = [:]) throws -> Frame {
        send(head, secret)
        return try answer(answers)
    }

    /// Returns the answer to an earlier request, with prompts answered in the same way.
    func answer(_ answers: [String: String] = [:]) throws -> Frame {
        while true {
            let frame = try receive()
            var head = frame.head
            guard var content = try head.consumeHeadIfPresent("ask") else {
                if frame.head["over"] != nil { continue }
                return frame
            }
            let number = try content.consumeNumber("number")
            switch answers[try content.consumeText("wish")] {
            case nil: send(#"{"answer":"cancel","number":\#(number)}"#)
            case let shown? where shown.hasPrefix("touch "):
                send(#"{"answer":"touch","number":\#(number),"showing":\#(JSON.quoted(String(shown.dropFirst(6))))}"#)
            case let typed?: send(#"{"answer":"typed","number":\#(number)}"#, Array(typed.utf8))
            }
        }
    }

    /// Returns the next prompt; nil if the request is over.
    func prompt() throws -> WireObject? {
        while true {
            var head = try receive().head
            if let content = try head.consumeHeadIfPresent("ask") { return content }
            if head["over"] == nil { return nil }
        }
    }

    /// Discards the bytes that have arrived.
    func drop() {
        var room = [UInt8](repeating: 0, count: 65_536)
        while recv(socket, &room, room.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    /// The number of bytes that have arrived and were not read yet.
    var unread: Int32 {
        var count: Int32 = 0
        _ = ioctl(socket, UInt(FIONREAD), &count)
        return count
    }

    /// Waits for the end of the connection. Returns true if it ended.
    func isClosed() -> Bool {
        while true {
            do { _ = try receive() } catch Trouble.closed { return true } catch Trouble.timedOut { return false } catch
            {
                continue
            }
        }
    }
}

extension RawClient.Frame {
    /// The kind of the error; nil if the frame is none.
    var kind: String? {
        guard case .object(let error) = head["error"], case .string(let kind) = error["kind"] else { return nil }
        return kind
    }

    /// The fields of the answer; nil if the request failed.
    var done: [String: JSON]? {
        guard case .object(let done) = head["done"] else { return nil }
        return done
    }
}
