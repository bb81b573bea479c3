/// Finds the payload of one body in bytes that arrive in pieces. It copies nothing and keeps nothing of the payload.
///
///     var place = head.end
///     while case .payload(let range) = try body.next(in: buffer.bytes, at: &place) { forward(range) }
package struct BodyReader: Sendable {
    /// The next part of a body.
    package enum Step: Hashable, Sendable {
        /// These bytes of the buffer are payload.
        case payload(Range<Int>)
        /// All bytes are read, and the body goes on.
        case needsMore
        /// The body is complete. The place is behind its last byte.
        case end
    }

    /// The most bytes of all fields after a chunked body. They are checked and left out.
    package static let trailerLimit = 4096
    /// The most digits of the size of a chunk.
    private static let sizeDigits = 16

    private enum State: Hashable, Sendable {
        /// A number of bytes of payload is left: of the body, or of a chunk.
        case length(UInt64)
        case untilClose
        case size(UInt64, digits: Int), sizeEnd(UInt64)
        case chunk(UInt64), chunkReturn, chunkEnd
        /// The first byte of a line of the trailer, its name, its value, and its end.
        case trailer, trailerName, trailerValue, trailerEnd, lastEnd
        case complete
    }

    private let side: WireSide
    private let limit: UInt64
    private var state: State
    private var trailerBytes = 0
    /// The bytes of payload so far.
    package private(set) var count: UInt64 = 0

    /// Creates a reader for a body.
    ///
    /// - Parameter limit: The most bytes of payload.
    package init(_ framing: BodyFraming, _ side: WireSide, limit: UInt64) {
        self.side = side
        self.limit = limit
        state =
            switch framing {
            case .none: .complete
            case .length(let count): count == 0 ? .complete : .length(count)
            case .chunked: .size(0, digits: 0)
            case .untilClose: .untilClose
            }
    }

    /// True if the body has ended.
    package var isComplete: Bool { state == .complete }

    /// Finds the next part of the body from a place of a buffer, and moves the place behind it.
    ///
    /// Behind a complete request, the next request may follow. Behind a complete response, no byte may follow.
    ///
    /// - Throws: ``WireRefusal`` as soon as a byte cannot belong there. Close the connection then.
    package mutating func next(in buffer: RawSpan, at place: inout Int) throws(WireRefusal) -> Step {
        while place < buffer.byteCount {
            switch state {
            case .complete:
                if side == .response { throw WireRefusal(side, .bytesAfterEnd) }
                return .end
            case .length(let left):
                let range = try take(left, in: buffer, at: &place)
                state = left == UInt64(range.count) ? .complete : .length(left - UInt64(range.count))
                return .payload(range)
            case .chunk(let left):
                let range = try take(left, in: buffer, at: &place)
                state = left == UInt64(range.count) ? .chunkReturn : .chunk(left - UInt64(range.count))
                return .payload(range)
            case .untilClose: return .payload(try take(.max, in: buffer, at: &place))
            default:
                state = try after(buffer.byte(place))
                place += 1
            }
        }
        return isComplete ? .end : .needsMore
    }

    /// Ends the input. Only a body that ends with the connection, or has ended, may end here.
    package mutating func finish() throws(WireRefusal) {
        switch state {
        case .untilClose: state = .complete
        case .complete: break
        default: throw WireRefusal(side, .endsEarly)
        }
    }

    /// Takes the payload that the buffer has, up to a number of bytes.
    private mutating func take(_ most: UInt64, in buffer: RawSpan, at place: inout Int) throws(WireRefusal) -> Range<
        Int
    > {
        let available = UInt64(buffer.byteCount - place)
        let taken = min(available, most)
        guard taken <= limit - count else { throw WireRefusal(side, .bodyTooLarge) }
        count += taken
        let start = place
        place += Int(taken)
        return start..<place
    }

    /// Returns the state after a byte of the framing of chunks.
    private mutating func after(_ byte: UInt8) throws(WireRefusal) -> State {
        switch state {
        case .size(let size, let digits):
            if let digit = byte.hexDigit {
                guard digits < Self.sizeDigits else { throw WireRefusal(side, .chunkSizeForm) }
                return .size(size << 4 | UInt64(digit), digits: digits + 1)
            }
            guard digits > 0 else { throw WireRefusal(side, .chunkSizeForm) }
            if byte == UInt8(ascii: ";") { throw WireRefusal(side, .chunkExtension) }
            guard byte == 0x0D else { throw WireRefusal(side, byte == 0x0A ? .lineFeedAlone : .chunkSizeForm) }
            return .sizeEnd(size)
        case .sizeEnd(let size):
            guard byte == 0x0A else { throw WireRefusal(side, .carriageReturnAlone) }
            // Refuse a large chunk before its first byte passes.
            guard size <= limit - count else { throw WireRefusal(side, .bodyTooLarge) }
            return size == 0 ? .trailer : .chunk(size)
        case .chunkReturn:
            guard byte == 0x0D else { throw WireRefusal(side, .chunkEnd) }
            return .chunkEnd
        case .chunkEnd:
            guard byte == 0x0A else { throw WireRefusal(side, .chunkEnd) }
            return .size(0, digits: 0)
        case .trailer, .trailerName, .trailerValue, .trailerEnd, .lastEnd: return try afterTrailer(byte)
        case .length, .chunk, .untilClose, .complete: return state
        }
    }

    /// Returns the state after a byte of the trailer.
    private mutating func afterTrailer(_ byte: UInt8) throws(WireRefusal) -> State {
        trailerBytes += 1
        guard trailerBytes <= Self.trailerLimit else { throw WireRefusal(side, .trailerTooLarge) }
        if byte == 0x0A && state != .trailerEnd && state != .lastEnd { throw WireRefusal(side, .lineFeedAlone) }
        switch state {
        case .trailer where byte == 0x0D: return .lastEnd
        case .trailer where byte.isToken: return .trailerName
        case .trailerName where byte == UInt8(ascii: ":"): return .trailerValue
        case .trailerName where byte.isToken: return .trailerName
        case .trailerValue where byte == 0x0D: return .trailerEnd
        case .trailerValue where byte.isFieldValue: return .trailerValue
        case .trailerEnd, .lastEnd:
            guard byte == 0x0A else { throw WireRefusal(side, .carriageReturnAlone) }
            return state == .lastEnd ? .complete : .trailer
        default: throw WireRefusal(side, .trailerForm)
        }
    }
}
