/// A field of a head, as ranges of the buffer that was read.
package struct FieldLine: Hashable, Sendable {
    /// The name, as it is written.
    package let name: Range<Int>
    /// The value, without the blanks around it. It may be empty.
    package let value: Range<Int>
    /// The field, if the rules know its name.
    package let known: KnownField?
    /// False if the name has another sign, such as an underscore, where the known field has a hyphen.
    package let isExact: Bool

    /// Reads a line without its end.
    init(_ line: Range<Int>, in bytes: RawSpan, _ side: WireSide) throws(WireRefusal) {
        if bytes.byte(line.lowerBound).isBlank { throw WireRefusal(side, .foldedField) }
        var colon = line.lowerBound
        while colon < line.upperBound && bytes.byte(colon).isToken { colon += 1 }
        guard colon < line.upperBound else { throw WireRefusal(side, .fieldWithoutColon) }
        guard bytes.byte(colon) == UInt8(ascii: ":") else {
            throw WireRefusal(side, bytes.byte(colon).isBlank ? .spaceBeforeColon : .fieldNameForm)
        }
        guard colon > line.lowerBound else { throw WireRefusal(side, .fieldNameForm) }
        name = line.lowerBound..<colon
        value = bytes.trimmed(colon + 1..<line.upperBound)
        known = KnownField.named(name, in: bytes)
        isExact = bytes.all(in: name) { $0.folded == $0.lowercased }
    }

    /// Reads the lines behind the first one, and refuses fields that may stand once and stand twice.
    static func all(_ lines: ArraySlice<Range<Int>>, in bytes: RawSpan, _ side: WireSide) throws(WireRefusal)
        -> [FieldLine]
    {
        var fields: [FieldLine] = []
        fields.reserveCapacity(lines.count)
        var seen: UInt64 = 0
        for line in lines {
            let field = try FieldLine(line, in: bytes, side)
            if let known = field.known, known.isSingle(side) {
                let bit = UInt64(1) << UInt64(known.rawValue)
                guard seen & bit == 0 else { throw WireRefusal(side, .duplicateField) }
                seen |= bit
            }
            fields.append(field)
        }
        return fields
    }
}

extension [FieldLine] {
    /// Returns the first field of this name.
    func first(_ known: KnownField) -> FieldLine? {
        for field in self where field.known == known { return field }
        return nil
    }
}
