internal import LinuxSystem
internal import SodiumKit
internal import Synchronization

/// The idle connections to one server.
final class UpstreamPool: Sendable {
    private struct Idle: Sendable {
        let stream: any UpstreamStream
        let since: Int64
    }

    /// The most idle connections.
    private static let most = 8

    private let idleMilliseconds: Int
    /// Nil once the pool is closed.
    private let idle: Mutex<[Idle]?> = Mutex([])

    /// Creates an empty pool, which forgets connections that were idle for so long.
    init(idleMilliseconds: Int) { self.idleMilliseconds = idleMilliseconds }

    /// Returns a connection on which no byte is waiting; nil if there is none.
    ///
    /// A byte before the request would be read as its answer. So a connection with such a byte is closed, as is one that the server
    /// has ended.
    func take() -> (any UpstreamStream)? {
        while let found = idle.withLock({ $0?.popLast() }) {
            let age = SystemClock.sinceBoot.milliseconds - found.since
            if age <= idleMilliseconds, Self.isSilent(found.stream) { return found.stream }
            found.stream.close()
        }
        return nil
    }

    /// Keeps a connection for the next request.
    func give(_ stream: any UpstreamStream) {
        let isKept = idle.withLock { idle in
            guard let count = idle?.count, count < Self.most else { return false }
            idle?.append(Idle(stream: stream, since: SystemClock.sinceBoot.milliseconds))
            return true
        }
        if !isKept { stream.close() }
    }

    /// Closes all connections, now and from now on.
    func close() { empty(thenKeeps: false) }

    /// Closes all connections. Later ones are kept, unless the pool was closed.
    func empty(thenKeeps: Bool = true) {
        let former = idle.withLock { idle in
            defer { idle = thenKeeps && idle != nil ? [] : nil }
            return idle ?? []
        }
        for found in former {
            found.stream.cut()
            found.stream.close()
        }
    }

    /// Returns true if a read finds nothing. A connection that has failed is found out by the next request.
    private static func isSilent(_ stream: any UpstreamStream) -> Bool {
        guard var byte = try? SecureBytes(count: 1) else { return false }
        do throws(UpstreamError) {
            _ = try byte.withMutableBytes { (room) throws(UpstreamError) in
                try stream.read(into: room, withinMilliseconds: 0)
            }
            return false
        } catch {
            return true
        }
    }
}
