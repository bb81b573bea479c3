internal import HTTPWire
internal import LinuxSystem

/// The connection to the server that one exchange uses. It is closed at the end, unless the exchange gives it back.
struct UpstreamLink: ~Copyable {
    private let connection: Connection
    private let relay: Relay
    private var stream: (any UpstreamStream)?
    /// True if the connection served a request before. The server may have closed it meanwhile.
    private(set) var isPooled = false

    /// Takes an idle connection, or makes a new one.
    init(_ connection: Connection, _ relay: Relay) throws(ConnectionFault) {
        self.connection = connection
        self.relay = relay
        if connection.hasEnded { throw .clientGone }
        if let idle = relay.pool.take() {
            isPooled = true
            try attach(idle)
        } else {
            try connect()
        }
    }

    deinit {
        if let stream { close(stream) }
    }

    /// Exchanges the connection for a new one.
    mutating func reconnect() throws(ConnectionFault) {
        if let stream { close(stream) }
        stream = nil
        isPooled = false
        try connect()
    }

    /// Keeps the connection for the next exchange.
    mutating func giveBack() {
        guard let kept = stream else { return }
        stream = nil
        connection.detach()
        relay.pool.give(kept)
    }

    /// Writes all bytes.
    borrowing func write(_ bytes: RawSpan) throws(ConnectionFault) {
        try timed(.broken(.interrupted), relay.limits.idleMilliseconds) { (stream, limit) throws(UpstreamError) in
            try stream.write(bytes, withinMilliseconds: limit)
        }
    }

    /// Reads what has come, and waits for the first byte. Returns zero at the proper end.
    borrowing func read(
        into buffer: UnsafeMutableRawBufferPointer, withinMilliseconds limit: Int
    ) throws(ConnectionFault) -> Int {
        try timed(.broken(.interrupted), limit) { (stream, limit) throws(UpstreamError) in
            try stream.read(into: buffer, withinMilliseconds: limit)
        }
    }

    /// The fault of a server that is too slow.
    static let tooSlow = Refusal(WireRefusal(.response, .tooSlow))

    /// Runs a call on the stream. An error at the end of the time is taken for its passing, because streams have one error for both. If
    /// the stream had failed in that moment, the next call finds out.
    private borrowing func timed<Result>(
        _ fault: ConnectionFault, _ limit: Int,
        _ body: (any UpstreamStream, Int) throws(UpstreamError) -> Result
    ) throws(ConnectionFault) -> Result {
        guard let stream else { throw .clientGone }
        let start = SystemClock.sinceBoot.nanoseconds
        do throws(UpstreamError) { return try body(stream, limit) } catch {
            if connection.hasEnded { throw .clientGone }
            let isOver = SystemClock.sinceBoot.nanoseconds - start >= Int64(limit - 1) * 1_000_000
            throw isOver ? .refused(Self.tooSlow) : fault
        }
    }

    private mutating func connect() throws(ConnectionFault) {
        let new: any UpstreamStream
        do throws(UpstreamError) { new = try relay.connect() } catch { throw .refused(Refusal(error)) }
        try attach(new)
    }

    private mutating func attach(_ new: any UpstreamStream) throws(ConnectionFault) {
        guard connection.attach(new) else {
            new.cut()
            new.close()
            throw .clientGone
        }
        stream = new
    }

    /// Closes a connection after which the server must not wait for more.
    private borrowing func close(_ stream: any UpstreamStream) {
        connection.detach()
        stream.cut()
        stream.close()
    }
}
