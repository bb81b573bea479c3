/// The tags of DER that KeyKit reads and writes.
enum DERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// An e-mail address among alternative names.
    static let emailAddress: UInt8 = 0x81
    /// A host name among alternative names.
    static let hostName: UInt8 = 0x82
    static func context(_ number: UInt8) -> UInt8 { 0xA0 | number }
}

/// Reads elements of DER in order. It holds places and no bytes, so the bytes can be in guarded memory.
///
/// Only DER is accepted: definite lengths in their shortest form, and elements that end within their parent. The time
/// depends on tags and lengths, and not on the bytes inside.
struct DERReader {
    private var place: Int
    private let end: Int
    /// The error to throw if the bytes are not valid.
    private let error: KeyError

    /// Creates a reader of all of `bytes`.
    init(_ bytes: RawSpan, _ format: KeyFormat) {
        place = 0
        end = bytes.byteCount
        error = .malformed(format)
    }

    /// Creates a reader of a part of the bytes.
    init(_ range: Range<Int>, _ format: KeyFormat) { self.init(range, .malformed(format)) }

    private init(_ range: Range<Int>, _ error: KeyError) {
        place = range.lowerBound
        end = range.upperBound
        self.error = error
    }

    /// True if no element is left.
    var isAtEnd: Bool { place == end }

    /// Returns the tag of the next element; nil at the end.
    func nextTag(in bytes: RawSpan) -> UInt8? { place < end ? bytes.byte(place) : nil }

    /// Takes the next element. Returns the place of its content.
    mutating func take(_ tag: UInt8, in bytes: RawSpan) throws(KeyError) -> Range<Int> {
        guard nextTag(in: bytes) == tag else { throw error }
        return try takeAny(in: bytes).content
    }

    /// Takes the next element of any tag. Returns its own place and that of its content.
    mutating func takeAny(in bytes: RawSpan) throws(KeyError) -> (whole: Range<Int>, content: Range<Int>) {
        let start = place
        // Tags of more than one byte occur in none of the formats.
        guard end - place >= 2, bytes.byte(place) & 0x1F != 0x1F else { throw error }
        var length = Int(bytes.byte(place + 1))
        place += 2
        if length >= 0x80 {
            let count = length & 0x7F
            guard (1...4).contains(count), end - place >= count, bytes.byte(place) != 0 else { throw error }
            length = 0
            for _ in 0..<count {
                length = length << 8 | Int(bytes.byte(place))
                place += 1
            }
            guard length >= 0x80 else { throw error }
        }
        guard length <= end - place else { throw error }
        defer { place += length }
        return (start..<(place + length), place..<(place + length))
    }

    /// Takes the next element, and returns a reader of its content.
    mutating func enter(_ tag: UInt8, in bytes: RawSpan) throws(KeyError) -> DERReader {
        DERReader(try take(tag, in: bytes), error)
    }

    /// Takes a non-negative integer. Returns the place of its bytes without the zero that shows the sign.
    mutating func takeNumber(in bytes: RawSpan) throws(KeyError) -> Range<Int> {
        let content = try take(DERTag.integer, in: bytes)
        guard let first = content.first, bytes.byte(first) < 0x80 else { throw error }
        guard bytes.byte(first) == 0, content.count > 1 else { return content }
        guard bytes.byte(first + 1) >= 0x80 else { throw error }
        return content.dropFirst()
    }

    /// Takes an integer that has to have this value, below 128.
    mutating func take(number: UInt8, in bytes: RawSpan) throws(KeyError) {
        let content = try take(DERTag.integer, in: bytes)
        guard content.count == 1, bytes.byte(content.lowerBound) == number else { throw error }
    }

    /// Takes a bit string of whole bytes. Returns the place of the bytes.
    mutating func takeBits(in bytes: RawSpan) throws(KeyError) -> Range<Int> {
        let content = try take(DERTag.bitString, in: bytes)
        guard let first = content.first, bytes.byte(first) == 0 else { throw error }
        return content.dropFirst()
    }

    /// Checks that no element is left.
    func finish() throws(KeyError) {
        guard isAtEnd else { throw error }
    }
}

extension RawSpan {
    func byte(_ place: Int) -> UInt8 { unsafeLoad(fromByteOffset: place, as: UInt8.self) }

    /// Returns a copy of the bytes, which must not be secret.
    func array() -> [UInt8] { withUnsafeBytes { Array($0) } }

    /// Returns true if the bytes are these. The time reveals where they differ.
    func isSame(as other: [UInt8]) -> Bool { withUnsafeBytes { $0.elementsEqual(other) } }
}
