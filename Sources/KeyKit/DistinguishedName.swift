/// The name of a subject or an issuer, as it stands in a certificate.
public struct DistinguishedName: Hashable, Sendable {
    /// The whole name in DER, a sequence.
    public let der: [UInt8]
    /// The name in the form in which Apple compares and stores it: without the head of the outer sequence, and with
    /// each PrintableString in upper case, without blanks at its ends, and with one blank between words.
    public let normalizedContent: [UInt8]
    /// The attributes that are text, in their order.
    let texts: [(kind: Kind, text: String)]

    /// The attributes that KeyKit tells apart.
    enum Kind {
        case commonName, organizationalUnit, organization, description, emailAddress, other

        fileprivate init(_ name: RawSpan) {
            self =
                switch name.array() {
                case [0x55, 0x04, 0x03]: .commonName
                case [0x55, 0x04, 0x0A]: .organization
                case [0x55, 0x04, 0x0B]: .organizationalUnit
                case [0x55, 0x04, 0x0D]: .description
                case [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x01]: .emailAddress
                default: .other
                }
        }
    }

    /// Names are equal if their bytes are.
    public static func == (left: DistinguishedName, right: DistinguishedName) -> Bool { left.der == right.der }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }

    /// Reads a name in DER, a sequence. All bytes have to belong to it.
    ///
    /// - Throws: ``KeyError/malformed(_:)``.
    public init(der bytes: RawSpan) throws(KeyError) {
        var reader = DERReader(bytes, .certificate)
        try self.init(&reader, in: bytes)
        try reader.finish()
    }

    /// The normalized name in DER, a sequence.
    public var normalized: [UInt8] { DERElement.sequence([.fixed(normalizedContent)]).encoded() }

    /// True if the name has no attribute.
    public var isEmpty: Bool { normalizedContent.isEmpty }

    /// Takes a name.
    ///
    /// - Throws: ``KeyError/malformed(_:)``.
    init(_ outer: inout DERReader, in bytes: RawSpan) throws(KeyError) {
        let (whole, content) = try outer.takeAny(in: bytes)
        guard bytes.byte(whole.lowerBound) == DERTag.sequence else { throw .malformed(.certificate) }
        var reader = DERReader(content, .certificate)
        var texts: [(Kind, String)] = []
        var normalized: [UInt8] = []
        while !reader.isAtEnd {
            var set = try reader.enter(DERTag.set, in: bytes)
            guard !set.isAtEnd else { throw .malformed(.certificate) }
            var pairs: [DERElement] = []
            while !set.isAtEnd {
                var pair = try set.enter(DERTag.sequence, in: bytes)
                let name = try pair.take(DERTag.objectIdentifier, in: bytes)
                let value = try pair.takeAny(in: bytes)
                try pair.finish()
                let string = ASN1Text(tag: bytes.byte(value.whole.lowerBound))
                if let text = string?.decode(bytes.extracting(value.content)) {
                    texts.append((Kind(bytes.extracting(name)), text))
                }
                let element: DERElement =
                    switch string {
                    case .printable:
                        .element(ASN1Text.printable.rawValue, .fixed(Self.normalize(bytes.extracting(value.content))))
                    default: .bytes(value.whole)
                    }
                pairs.append(.sequence([.element(DERTag.objectIdentifier, .bytes(name)), element]))
            }
            normalized += DERElement.set(pairs).encoded(from: bytes)
        }
        der = bytes.extracting(whole).array()
        normalizedContent = normalized
        self.texts = texts
    }

    private static func normalize(_ text: RawSpan) -> [UInt8] {
        let words = text.array().split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return Array(words.joined(separator: [UInt8(ascii: " ")])).map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    }

    /// Returns the texts of some kinds, in their order.
    func texts(_ kinds: [Kind]) -> [String] { texts.filter { kinds.contains($0.kind) }.map(\.text) }

    /// Returns the texts of one kind, in their order.
    func texts(_ kind: Kind) -> [String] { texts([kind]) }
}

/// The string types of ASN.1 by their tags.
enum ASN1Text: UInt8 {
    case utf8 = 0x0C
    case numeric = 0x12
    case printable = 0x13
    case teletex = 0x14
    case ia5 = 0x16
    case visible = 0x1A
    case universal = 0x1C
    case bmp = 0x1E

    init?(tag: UInt8) { self.init(rawValue: tag) }

    /// Returns the text; nil if the bytes are not valid.
    func decode(_ bytes: RawSpan) -> String? {
        let bytes = bytes.array()
        switch self {
        case .utf8: return String(validating: bytes, as: UTF8.self)
        case .numeric, .printable, .ia5, .visible:
            return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
        // In practice this is Latin-1.
        case .teletex: return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case .bmp:
            guard bytes.count % 2 == 0 else { return nil }
            let units = stride(from: 0, to: bytes.count, by: 2).map { place in
                let (high, low) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
                return high << 8 | low
            }
            return String(validating: units, as: UTF16.self)
        case .universal:
            guard bytes.count % 4 == 0 else { return nil }
            let units = stride(from: 0, to: bytes.count, by: 4).map { place in
                bytes[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            return String(validating: units, as: UTF32.self)
        }
    }
}
