import Foundation
import Synchronization
import TestSupport

/// A socket of a test, in blocking calls with a bound.
final class TestSocket: Sendable {
    /// A call failed.
    struct Failure: Error {}

    let descriptor: Int32
    private let isOpen = Mutex(true)

    init(_ descriptor: Int32) throws {
        guard descriptor >= 0 else { throw Failure() }
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var time = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects with a port of loopback.
    convenience init(port: UInt16) throws {
        try self.init(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        guard Self.withAddress(port, { Foundation.connect(descriptor, $0, $1) }) == 0 else { throw Failure() }
    }

    /// Listens at a port of loopback that the system chooses.
    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(listening, F_SETFD, FD_CLOEXEC)
        guard listening >= 0, withAddress(0, { bind(listening, $0, $1) }) == 0, Foundation.listen(listening, 128) == 0
        else { throw Failure() }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listening, $0, &size) }
        }
        return (listening, UInt16(bigEndian: address.sin_port))
    }

    /// Connects with a Unix socket.
    convenience init(connectingTo path: String) throws {
        try self.init(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        guard try Self.withAddress(path, { Foundation.connect(descriptor, $0, $1) }) == 0 else { throw Failure() }
    }

    /// Listens at a Unix socket.
    static func listen(at path: String) throws -> Int32 {
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(listening, F_SETFD, FD_CLOEXEC)
        guard listening >= 0, try withAddress(path, { bind(listening, $0, $1) }) == 0,
            Foundation.listen(listening, 128) == 0
        else { throw Failure() }
        return listening
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw Failure() }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    deinit { close() }

    func close() {
        isOpen.withLock { isOpen in
            if isOpen { Foundation.close(descriptor) }
            isOpen = false
        }
    }

    /// Ends both directions, so that calls of other threads return.
    func end() { isOpen.withLock { if $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } } }

    /// Sends all bytes. Returns false if the other end has closed the connection.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Returns the next bytes; nil at the end of the connection.
    func part() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count < 0 && errno == EINTR { continue }
            return count > 0 ? Array(bytes.prefix(count)) : nil
        }
    }

    /// Returns everything up to the end of the connection.
    func rest() -> String {
        var all: [UInt8] = []
        while let part = part() { all += part }
        return String(decoding: all, as: UTF8.self)
    }

    /// Returns everything up to a text, or up to the end of the connection.
    func wait(for text: String) -> String {
        var all: [UInt8] = []
        while !String(decoding: all, as: UTF8.self).contains(text), let part = part() { all += part }
        return String(decoding: all, as: UTF8.self)
    }

    /// Returns a whole message: a head, and the body that it announces.
    func message(isHead: Bool = false) -> String? {
        var text = ""
        while true {
            if let end = text.range(of: "\r\n\r\n") {
                let head = text[..<end.lowerBound].lowercased()
                let body = text[end.upperBound...]
                if isHead || head.hasPrefix("http/1.1 304") { return text }
                if head.contains("transfer-encoding: chunked") {
                    if body.hasSuffix("0\r\n\r\n") { return text }
                } else {
                    let length = head.firstMatch(of: /content-length: ([0-9]+)/).flatMap { Int($0.1) } ?? 0
                    if body.utf8.count >= length { return text }
                }
            }
            guard let part = part() else { return text.isEmpty ? nil : text }
            text += String(decoding: part, as: UTF8.self)
        }
    }
}
