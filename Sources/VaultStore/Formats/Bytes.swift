package import SodiumKit

// Numbers are little-endian, and byte strings have their length in front. Nothing is padded. A reader refuses what it
// does not understand instead of guessing.

extension [UInt8] {
    package mutating func write(_ byte: UInt8) { append(byte) }

    package mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends bytes of a fixed length, without that length.
    package mutating func write(raw bytes: RawSpan) { bytes.withUnsafeBytes { append(contentsOf: $0) } }

    /// Appends bytes with their length in front.
    package mutating func write(_ bytes: RawSpan) {
        write(UInt32(bytes.byteCount))
        write(raw: bytes)
    }

    /// Appends the UTF-8 of a text with its length in front.
    package mutating func write(text: String) {
        write(UInt32(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    package mutating func write(_ bytes: [UInt8]) { write(bytes.span.bytes) }

    package mutating func write(_ tag: Tag) { tag.withBytes { write(raw: $0) } }
}

/// A reader of encoded bytes that never reads past their end.
package struct ByteReader {
    /// The error for bytes that are too few, or not in the format.
    package struct FormatError: Error {}

    package private(set) var rest: UnsafeRawBufferPointer

    /// Creates a reader of `bytes`, which must stay valid as long as the reader is used.
    package init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    package var isAtEnd: Bool { rest.isEmpty }

    @inline(__always)  // every read of a secret reads some twenty pieces of a header
    package mutating func read(_ count: Int) throws(FormatError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= rest.count else { throw FormatError() }
        let taken = UnsafeRawBufferPointer(rebasing: rest[..<count])
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        return taken
    }

    @inline(__always)
    package mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(FormatError) -> Number
    {
        Number(littleEndian: try read(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
    }

    package mutating func bool() throws(FormatError) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw FormatError()
        }
    }

    /// Reads a case of an enumeration by its number.
    package mutating func choice<Choice: RawRepresentable>(_: Choice.Type = Choice.self) throws(FormatError) -> Choice
    where Choice.RawValue == UInt8 {
        guard let choice = Choice(rawValue: try number()) else { throw FormatError() }
        return choice
    }

    /// Reads bytes with their length in front.
    package mutating func bytes() throws(FormatError) -> [UInt8] { [UInt8](try slice()) }

    package mutating func slice() throws(FormatError) -> UnsafeRawBufferPointer {
        let count: UInt32 = try number()
        return try read(Int(count))
    }

    package mutating func tag() throws(FormatError) -> Tag { Tag(try read(Tag.count).bytes) }

    package func requireEnd() throws(FormatError) {
        guard isAtEnd else { throw FormatError() }
    }
}
