internal import SodiumKit

/// The value of an attribute. Reading returns it as it was stored.
public enum AttributeValue: Hashable, Sendable {
    /// A text.
    case string(String)
    /// Bytes. A search by bytes also finds a text of the same bytes, and the other way round.
    case data([UInt8])
    /// A number, or a Boolean value as 1 or 0.
    case number(Int64)
    /// A date, in seconds since the first day of 2001.
    case date(Double)
}

/// The attributes of an item, by Apple's short names such as `acct`, `svce` and `labl`.
public struct Attributes: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The values by name.
    public var values: [String: AttributeValue]

    /// Creates attributes with these values.
    public init(_ values: [String: AttributeValue] = [:]) { self.values = values }

    /// Creates attributes from a dictionary literal. Of two values for one name, the last counts.
    public init(dictionaryLiteral elements: (String, AttributeValue)...) {
        values = Dictionary(elements) { $1 }
    }

    /// The value under `name`.
    public subscript(name: String) -> AttributeValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The largest size in bytes of all attributes of an item.
    public static let limit = 1024 * 1024
}

extension AttributeValue {
    /// Returns the bytes of a number where an attribute keeps or compares bytes: its lower 32 bits, lowest byte first.
    package static func bytes(of number: Int64) -> [UInt8] {
        withUnsafeBytes(of: Int32(truncatingIfNeeded: number).littleEndian, Array.init)
    }

    /// Appends the bytes that a search compares. A text and data of the same bytes compare equal; all other values keep
    /// their kind.
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

    /// Returns true if a search for one finds the other.
    package func isSame(as other: Self) -> Bool {
        var mine: [UInt8] = []
        var others: [UInt8] = []
        writeComparable(to: &mine)
        other.writeComparable(to: &others)
        return mine == others
    }

    /// Appends the value so that it can be read back, with a text still a text.
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

/// The sealed attributes of a row. They include the name of the access group, of which the header has only a hash.
package struct SealedAttributes {
    package var attributes: Attributes
    package var group: String

    package init(attributes: Attributes, group: String) {
        self.attributes = attributes
        self.group = group
    }

    package var encoded: [UInt8] {
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
    /// The size of the attributes in bytes, as they are stored.
    package var encodedCount: Int { SealedAttributes(attributes: self, group: "").encoded.count }
}

extension ItemDescription {
    /// True if the attributes are larger than any item's may be.
    package var isTooLarge: Bool { attributes.encodedCount > Attributes.limit }
}

extension SealedAttributes {
    package init(decoding bytes: UnsafeRawBufferPointer) throws {
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

extension SealedAttributes {
    /// Returns the texts of two attributes, empty for one that is missing or no text. Nothing else is copied.
    package static func texts(
        of parts: ListedParts, in bytes: UnsafeRawBufferPointer
    ) throws -> (name: String, comment: String) {
        var texts = (name: "", comment: "")
        var reader = ByteReader(bytes)
        _ = try reader.slice()
        for _ in 0..<(try reader.number(UInt32.self)) {
            let name = try reader.slice()
            switch try reader.number(UInt8.self) {
            case UInt8(ascii: "s"):
                let text = try reader.slice()
                if name.elementsEqual(parts.name) {
                    texts.name = try valid(text)
                } else if let comment = parts.comment, name.elementsEqual(comment) {
                    texts.comment = try valid(text)
                }
            case UInt8(ascii: "b"): _ = try reader.slice()
            case UInt8(ascii: "n"), UInt8(ascii: "d"): _ = try reader.read(8)
            default: throw ByteReader.FormatError()
            }
        }
        try reader.requireEnd()
        return texts
    }

    private static func valid(_ bytes: UnsafeRawBufferPointer) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ByteReader.FormatError() }
        return text
    }
}
