/// The head of a request, as ranges of the buffer that was read. It holds no byte of the request itself.
///
/// Only ``CheckedRequest`` can be written for the server.
package struct RequestHead: Hashable, Sendable {
    /// The method: 1 to 32 uppercase letters and hyphens.
    package let method: Range<Int>
    /// The path, which begins with a slash. Nothing in it is decoded.
    package let path: Range<Int>
    /// The query, without its question mark.
    package let query: Range<Int>?
    /// The fields, in their order.
    package let fields: [FieldLine]
    /// The place of the first byte behind the head.
    package let end: Int
    /// True for the method HEAD, whose answer has no body.
    package let isHead: Bool

    /// Reads the lines of a head.
    init(_ lines: [Range<Int>], end: Int, in bytes: RawSpan) throws(WireRefusal) {
        let line = lines[0]
        guard let first = bytes.first(0x20, in: line), let second = bytes.first(0x20, in: first + 1..<line.upperBound),
            bytes.first(0x20, in: second + 1..<line.upperBound) == nil, second > first + 1
        else { throw WireRefusal(.request, .startLineForm) }
        method = line.lowerBound..<first
        guard 1...32 ~= method.count, bytes.all(in: method, { $0.isMethod }) else {
            throw WireRefusal(.request, .methodForm)
        }
        try checkVersion(second + 1..<line.upperBound, in: bytes, .request)
        (path, query) = try Self.target(first + 1..<second, in: bytes)
        fields = try FieldLine.all(lines.dropFirst(), in: bytes, .request)
        self.end = end
        isHead = bytes.holds("HEAD", at: method)
    }

    /// Splits a target in origin form at its first question mark, and checks each character.
    private static func target(_ range: Range<Int>, in bytes: RawSpan) throws(WireRefusal) -> (Range<Int>, Range<Int>?)
    {
        guard bytes.byte(range.lowerBound) == UInt8(ascii: "/") else { throw WireRefusal(.request, .targetForm) }
        let mark = bytes.first(UInt8(ascii: "?"), in: range)
        let path = range.lowerBound..<(mark ?? range.upperBound)
        for place in range {
            let byte = bytes.byte(place)
            if byte == UInt8(ascii: "\\") && place < path.upperBound { throw WireRefusal(.request, .pathBackslash) }
            guard place < path.upperBound ? byte.isPath : byte.isQuery else {
                throw WireRefusal(.request, .targetCharacter)
            }
            if byte == UInt8(ascii: "%") && bytes.percentDecoded(at: place, before: range.upperBound) == nil {
                throw WireRefusal(.request, .percentForm)
            }
        }
        return (path, mark.map { $0 + 1..<range.upperBound })
    }
}

/// Checks that a version is HTTP/1.1, and tells another version from a malformed line.
func checkVersion(_ range: Range<Int>, in bytes: RawSpan, _ side: WireSide) throws(WireRefusal) {
    if bytes.holds("HTTP/1.1", at: range) { return }
    guard range.count == 8, bytes.holds("HTTP/", at: range.lowerBound..<range.lowerBound + 5),
        bytes.byte(range.lowerBound + 5).decimalDigit != nil, bytes.byte(range.lowerBound + 6) == UInt8(ascii: "."),
        bytes.byte(range.lowerBound + 7).decimalDigit != nil
    else { throw WireRefusal(side, .startLineForm) }
    throw WireRefusal(side, .otherVersion)
}
