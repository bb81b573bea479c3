/// Writes the framing around the payload of one body, and holds the body to the length that its head announces.
///
/// You send the payload yourself, between what ``open(_:into:)`` and ``close(into:)`` write.
///
///     try body.open(range.count, into: &output)    // "1a0\r\n", or nothing
///     send(range)
///     try body.close(into: &output)                // "\r\n", or nothing
package struct BodyWriter: Sendable {
    private let side: WireSide
    private let isChunked: Bool
    private var left: UInt64
    private var isOpen = false
    private var isFinished = false

    /// Creates a writer. A body that ends with the connection is written in chunks, so that the client sees a cut.
    ///
    /// - Parameter side: The side from which the body comes.
    package init(_ framing: BodyFraming, _ side: WireSide) {
        self.side = side
        isChunked = framing == .chunked || framing == .untilClose
        left =
            switch framing {
            case .none: 0
            case .length(let count): count
            case .chunked, .untilClose: .max
            }
    }

    /// Writes the framing in front of so many bytes of payload. Throws if they are more than the head announced.
    package mutating func open(_ count: Int, into output: inout OutputSpan<UInt8>) throws(WireRefusal) {
        // An empty chunk would end the body.
        guard count > 0, !isOpen, !isFinished, UInt64(count) <= left else { throw WireRefusal(side, .bodyOtherLength) }
        if isChunked {
            try output.put(UInt64(count), radix: 16, side)
            try output.put("\r\n", side)
        } else {
            left -= UInt64(count)
        }
        isOpen = true
    }

    /// Writes the framing behind the payload that ``open(_:into:)`` announced.
    package mutating func close(into output: inout OutputSpan<UInt8>) throws(WireRefusal) {
        guard isOpen else { throw WireRefusal(side, .bodyOtherLength) }
        if isChunked { try output.put("\r\n", side) }
        isOpen = false
    }

    /// Writes the end of the body. Throws if the payload is less than the head announced.
    package mutating func finish(into output: inout OutputSpan<UInt8>) throws(WireRefusal) {
        guard !isOpen, !isFinished, isChunked || left == 0 else { throw WireRefusal(side, .bodyOtherLength) }
        if isChunked { try output.put("0\r\n\r\n", side) }
        isFinished = true
    }
}
