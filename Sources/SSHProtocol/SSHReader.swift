/// Reads the fields of a message of SSH, in the encoding of RFC 4251.
package struct SSHReader: Sendable {
    private var rest: ArraySlice<UInt8>

    /// Creates a reader of `bytes`.
    package init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

    /// True if nothing is left to read.
    package var isAtEnd: Bool { rest.isEmpty }

    /// Reads one byte; nil if none is left.
    package mutating func byte() -> UInt8? { rest.popFirst() }

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
}
