/// The head of a response, as ranges of the buffer that was read. It holds no byte of the response itself.
package struct ResponseHead: Hashable, Sendable {
    /// The status, from 100 to 599.
    package let status: UInt16
    /// The reason phrase, which may be empty.
    package let reason: Range<Int>
    /// The fields, in their order.
    package let fields: [FieldLine]
    /// The place of the first byte behind the head.
    package let end: Int

    /// Reads the lines of a head. The space behind the status may be missing if no reason follows, as some servers send it.
    init(_ lines: [Range<Int>], end: Int, in bytes: RawSpan) throws(WireRefusal) {
        let line = lines[0]
        guard let space = bytes.first(0x20, in: line) else { throw WireRefusal(.response, .startLineForm) }
        try checkVersion(line.lowerBound..<space, in: bytes, .response)
        let digits = space + 1..<min(space + 4, line.upperBound)
        var status: UInt16 = 0
        for place in digits {
            guard let digit = bytes.byte(place).decimalDigit else { throw WireRefusal(.response, .statusForm) }
            status = status * 10 + UInt16(digit)
        }
        guard digits.count == 3, 100...599 ~= status else { throw WireRefusal(.response, .statusForm) }
        if digits.upperBound < line.upperBound {
            guard bytes.byte(digits.upperBound) == 0x20 else { throw WireRefusal(.response, .statusForm) }
            reason = digits.upperBound + 1..<line.upperBound
        } else {
            reason = line.upperBound..<line.upperBound
        }
        self.status = status
        fields = try FieldLine.all(lines.dropFirst(), in: bytes, .response)
        self.end = end
    }
}
