/// The state of reading a head.
package enum HeadProgress<Head: Hashable & Sendable>: Hashable, Sendable {
    /// The head is not complete. Append more bytes to the buffer, and read it again.
    case needsMore
    /// The head is complete. Its `end` is the place of the first byte of the body.
    case head(Head)
}

/// Reads the head of one request from a buffer that you fill.
///
/// Give it the same buffer each time, with more bytes at its end. It looks at each byte once while it waits, and once more when the
/// head is complete. It keeps places of the buffer, and no copy of any byte. Wipe the buffer when you are done with the head.
///
///     var reader = RequestReader()
///     while case .needsMore = try reader.read(buffer.bytes) { receive(into: &buffer) }
package struct RequestReader: Sendable {
    private var scanner: HeadScanner
    private var isComplete = false

    /// Creates a reader for the request that begins at the first byte of the buffer. The next request on the same connection gets a
    /// new reader, and a buffer that begins behind the body of this one.
    package init(_ limits: WireLimits = WireLimits()) { scanner = HeadScanner(.request, limits) }

    /// Looks at what the buffer has now.
    ///
    /// - Throws: ``WireRefusal`` as soon as a byte cannot belong to a request. Close the connection then.
    package mutating func read(_ buffer: RawSpan) throws(WireRefusal) -> HeadProgress<RequestHead> {
        guard !isComplete else { throw WireRefusal(.request, .headIsComplete) }
        guard let end = try scanner.scan(buffer) else { return .needsMore }
        isComplete = true
        return .head(try RequestHead(scanner.lines, end: end, in: buffer))
    }

    /// Ends the input. A connection may end between two requests, and not inside of a head.
    package func finish() throws(WireRefusal) {
        guard isComplete || scanner.isAtStart else { throw WireRefusal(.request, .endsEarly) }
    }
}

/// Reads the head of one response from a buffer that you fill, and skips interim answers (1xx) before it.
///
/// Give it the same buffer each time, with more bytes at its end. Interim answers stay in the buffer and count toward the bounds.
///
///     var reader = ResponseReader()
///     while case .needsMore = try reader.read(buffer.bytes) { receive(into: &buffer) }
package struct ResponseReader: Sendable {
    private var scanner: HeadScanner
    private let limits: WireLimits
    private var isComplete = false
    /// The number of interim answers so far.
    package private(set) var interimAnswers = 0

    /// Creates a reader for the response that begins at the first byte of the buffer.
    package init(_ limits: WireLimits = WireLimits()) {
        scanner = HeadScanner(.response, limits)
        self.limits = limits
    }

    /// Looks at what the buffer has now.
    ///
    /// - Throws: ``WireRefusal`` as soon as a byte cannot belong to a response, also at status 101. Close the connection then.
    package mutating func read(_ buffer: RawSpan) throws(WireRefusal) -> HeadProgress<ResponseHead> {
        guard !isComplete else { throw WireRefusal(.response, .headIsComplete) }
        while let end = try scanner.scan(buffer) {
            let head = try ResponseHead(scanner.lines, end: end, in: buffer)
            guard head.status < 200 else {
                isComplete = true
                return .head(head)
            }
            guard head.status != 101 else { throw WireRefusal(.response, .switchedProtocol) }
            interimAnswers += 1
            guard interimAnswers <= limits.interimAnswers else { throw WireRefusal(.response, .tooManyInterimAnswers) }
            scanner.beginNext()
        }
        return .needsMore
    }

    /// Ends the input. A response is owed, so the input may not end before its head does.
    package func finish() throws(WireRefusal) {
        guard isComplete else { throw WireRefusal(.response, .endsEarly) }
    }
}
