internal import SodiumKit

/// The value of an attribute. It is given back as it was stored.
public enum AttributeValue: Hashable, Sendable {
    /// A text.
    case string(String)
    /// Bytes. A text of the same bytes is found by them, and the other way round.
    case data([UInt8])
    /// A number, or a yes (1) or no (0).
    case number(Int64)
    /// A moment, in seconds since the first day of 2001.
    case date(Double)
}

/// What is known of an item besides its secret, under Apple's names of the attributes: `acct`, `svce`, `labl`.
public struct Attributes: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The values by name.
    public var values: [String: AttributeValue]

    /// These values.
    public init(_ values: [String: AttributeValue] = [:]) { self.values = values }

    /// The values listed.
    public init(dictionaryLiteral elements: (String, AttributeValue)...) {
        values = Dictionary(elements) { $1 }
    }

    /// The value under `name`.
    public subscript(name: String) -> AttributeValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// How many bytes the attributes of one item may have altogether.
    public static let limit = 1024 * 1024
}

extension AttributeValue {
    /// What looking for it compares: texts and data of the same bytes alike, everything else by its kind.
    func writeComparable(to bytes: inout [UInt8]) {
        switch self {
        case .string(let text):
            bytes.write(UInt8(ascii: "b"))
            bytes.write(text: text)
        case .data(let data):
            bytes.write(UInt8(ascii: "b"))
            bytes.write(data)
        case .number(let number):
            bytes.write(UInt8(ascii: "n"))
            bytes.write(number)
        case .date(let seconds):
            bytes.write(UInt8(ascii: "d"))
            bytes.write(seconds.bitPattern)
        }
    }

    /// Returns true if looking for one finds the other.
    func isSame(as other: Self) -> Bool {
        var mine: [UInt8] = []
        var others: [UInt8] = []
        writeComparable(to: &mine)
        other.writeComparable(to: &others)
        return mine == others
    }

    /// The value as it is given back: a text stays a text.
    fileprivate func write(to bytes: inout [UInt8]) {
        guard case .string(let text) = self else { return writeComparable(to: &bytes) }
        bytes.write(UInt8(ascii: "s"))
        bytes.write(text: text)
    }

    fileprivate init(from reader: inout ByteReader) throws {
        switch try reader.number(UInt8.self) {
        case UInt8(ascii: "s"):
            guard let text = String(validating: try reader.bytes(), as: UTF8.self) else {
                throw ByteReader.FormatError()
            }
            self = .string(text)
        case UInt8(ascii: "b"): self = .data(try reader.bytes())
        case UInt8(ascii: "n"): self = .number(try reader.number())
        case UInt8(ascii: "d"): self = .date(Double(bitPattern: try reader.number()))
        default: throw ByteReader.FormatError()
        }
    }
}

/// What the sealed attributes of a row hold: also the name of the access group, of which the header has a hash alone.
struct SealedAttributes {
    var attributes: Attributes
    var group: String

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.write(Array(group.utf8))
        bytes.write(UInt32(attributes.values.count))
        for (name, value) in attributes.values.sorted(by: { $0.key < $1.key }) {
            bytes.write(Array(name.utf8))
            value.write(to: &bytes)
        }
        return bytes
    }
}

extension Attributes {
    /// How many bytes they come to.
    var encodedCount: Int { SealedAttributes(attributes: self, group: "").encoded.count }
}

extension ItemDescription {
    /// True if no item may have so much to say of itself.
    var isTooLarge: Bool { attributes.encodedCount > Attributes.limit }
}

extension SealedAttributes {
    init(decoding bytes: UnsafeRawBufferPointer) throws {
        var reader = ByteReader(bytes)
        group = String(decoding: try reader.slice(), as: UTF8.self)
        attributes = Attributes()
        for _ in 0..<(try reader.number(UInt32.self)) {
            let name = String(decoding: try reader.slice(), as: UTF8.self)
            attributes[name] = try AttributeValue(from: &reader)
        }
        try reader.requireEnd()
    }
}
