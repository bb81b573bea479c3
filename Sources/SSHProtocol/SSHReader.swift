/// Reads the fields of a message of SSH, in the encoding of RFC 4251.
package struct SSHReader: Sendable {
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

    /// True if nothing is left to read.
    package var isAtEnd: Bool { rest.isEmpty }

    /// Reads one byte; nil if none is left.
    package mutating func byte() -> UInt8? { rest.popFirst() }

    /// Reads a truth value; nil if no byte is left.
    package mutating func flag() -> Bool? { byte().map { $0 != 0 } }

    /// Reads a number of four bytes; nil if fewer are left.
    package mutating func number() -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Reads a string of bytes with its length before it; nil if it is cut.
    package mutating func string() -> [UInt8]? {
        var ahead = self
        guard let count = ahead.number(), ahead.rest.count >= Int(count) else { return nil }
        defer { rest = ahead.rest.dropFirst(Int(count)) }
        return Array(ahead.rest.prefix(Int(count)))
    }

    /// Reads a string that is a text in UTF-8; nil if it is cut or something else.
    package mutating func text() -> String? {
        var ahead = self
        guard let bytes = ahead.string(), let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self = ahead
        return text
    }

    /// Reads a number that is not negative, as its bytes without leading zeros; nil if it is cut or negative.
    package mutating func positive() -> [UInt8]? {
        var ahead = self
        guard let bytes = ahead.string(), bytes.first ?? 0 < 0x80 else { return nil }
        self = ahead
        return Array(bytes.drop { $0 == 0 })
    }
}

/// Writes the fields of a message of SSH, in the encoding of RFC 4251.
package struct SSHWriter: Sendable {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// Writes a number of four bytes.
    package mutating func number(_ value: UInt32) {
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }

    package mutating func string(_ value: some Collection<UInt8>) {
        number(UInt32(clamping: value.count))
        bytes += value
    }

    package mutating func string(_ text: String) { string(Array(text.utf8)) }

    /// Writes a number that is not negative, which these bytes are, the highest one first.
    package mutating func positive(_ digits: some Collection<UInt8>) {
        let digits = Array(digits.drop { $0 == 0 })
        string((digits.first ?? 0 >= 0x80 ? [0] : []) + digits)
    }
}
