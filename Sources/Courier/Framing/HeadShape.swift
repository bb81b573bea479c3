/// The parts of a head that concealing must leave as they are, because a client cuts the answer at them.
enum HeadShape {
    /// The fields that say how long the answer is.
    private static let framing: [StaticString] = ["content-length:", "transfer-encoding:", "connection:"]

    /// Returns true if two heads of the same length differ in nothing but the text of the reason and of fields.
    static func agree(_ head: RawSpan, _ scrubbed: RawSpan) -> Bool {
        guard head.byteCount == scrubbed.byteCount else { return false }
        var start = 0
        while start < head.byteCount {
            var end = start
            while end < head.byteCount, byte(head, end) != 0x0D { end += 1 }
            let fixed = start == 0 ? 0..<min(13, end) : fixedPart(of: start..<end, in: head)
            for place in fixed where byte(head, place) != byte(scrubbed, place) { return false }
            // The line end, and no new one.
            for place in end..<min(end + 2, head.byteCount) where byte(head, place) != byte(scrubbed, place) {
                return false
            }
            start = end + 2
        }
        return true
    }

    /// Returns the part of a field that has to stay: its colon, or all of it if it says how long the answer is.
    private static func fixedPart(of line: Range<Int>, in head: RawSpan) -> Range<Int> {
        for name in framing where line.count >= name.utf8CodeUnitCount {
            var isIt = true
            for offset in 0..<name.utf8CodeUnitCount
            where byte(head, line.lowerBound + offset) | 0x20 != name.utf8Start[offset] | 0x20 { isIt = false }
            if isIt { return line }
        }
        for place in line where byte(head, place) == UInt8(ascii: ":") { return place..<place + 1 }
        return line.lowerBound..<line.lowerBound
    }

    private static func byte(_ span: RawSpan, _ place: Int) -> UInt8 {
        span.unsafeLoad(fromByteOffset: place, as: UInt8.self)
    }
}
