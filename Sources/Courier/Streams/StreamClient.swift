internal import Glibc
internal import LinuxSystem

/// A connection that a ``StreamServer`` serves.
package struct StreamClient: Sendable {
    private let connection: Connection

    /// The milliseconds that a client has to take a message.
    private static let patience = 120_000

    init(_ connection: Connection) { self.connection = connection }

    /// True once the client has left, or the server has ended the connection.
    package var hasEnded: Bool { connection.hasEnded }

    /// Reads this many bytes. Returns nil if the client leaves before.
    package func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var place = 0
        while place < count {
            let got = bytes.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[place...])
                return (try? connection.socket.read(into: rest, withinMilliseconds: Int(Int32.max))) ?? 0
            }
            guard got > 0 else { return nil }
            place += got
        }
        return bytes
    }

    /// Writes all bytes. Returns false if the client has left.
    package func write(_ bytes: [UInt8]) -> Bool {
        (try? connection.socket.write(bytes.span.bytes, withinMilliseconds: Self.patience)) != nil
    }

    /// Passes all bytes between the client and a connected socket that does not block, until one of them ends. Closes that socket.
    package func pass(to host: Int32) {
        defer { close(host) }
        let client = connection.socket.descriptor
        var (there, back) = (Flow(from: client, to: host), Flow(from: host, to: client))
        while !connection.hasEnded, !there.isOver, !back.isOver {
            var waits = [
                Self.wait(for: client, there.wish(.reading) | back.wish(.writing)),
                Self.wait(for: host, back.wish(.reading) | there.wish(.writing)),
            ]
            if poll(&waits, 2, -1) < 0 && errno != EINTR { return }
            there.move()
            back.move()
        }
    }

    /// Returns a wait for events at a socket. Without any, poll does not even report its end, which would wake it again and again.
    private static func wait(for socket: Int32, _ events: Int16) -> pollfd {
        pollfd(fd: events == 0 ? -1 : socket, events: events, revents: 0)
    }
}

/// The bytes on their way from one socket to another. Neither socket blocks.
private struct Flow {
    enum Side {
        case reading
        case writing
    }

    private let source: Int32
    private let target: Int32
    private var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    /// The bytes that were read and not yet written.
    private var left = 0..<0
    private var hasEnd = false
    private var isBroken = false

    init(from source: Int32, to target: Int32) { (self.source, self.target) = (source, target) }

    /// True once nothing more goes this way.
    var isOver: Bool { isBroken || hasEnd && left.isEmpty }

    /// Returns the event of `poll` that it waits for at a side; none if it does not wait there.
    func wish(_ side: Side) -> Int16 {
        switch side {
        case .reading: left.isEmpty ? Int16(POLLIN) : 0
        case .writing: left.isEmpty ? 0 : Int16(POLLOUT)
        }
    }

    /// Reads and writes as much as goes at once.
    mutating func move() {
        while !isOver {
            if left.isEmpty {
                let count = recv(source, &bytes, bytes.count, 0)
                if count < 0 { return note(errno) }
                hasEnd = count == 0
                left = 0..<count
            } else {
                let count = bytes.withUnsafeBytes {
                    send(target, $0.baseAddress! + left.lowerBound, left.count, Int32(MSG_NOSIGNAL))
                }
                if count < 0 { return note(errno) }
                left = left.lowerBound + count..<left.upperBound
            }
        }
    }

    private mutating func note(_ code: Int32) { isBroken = code != EAGAIN && code != EINTR }
}
