public import SodiumKit

/// The algorithm identifiers of keys in X.509 and PKCS#8.
enum AlgorithmIdentifier {
    private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    private static let edwards25519: [UInt8] = [0x2B, 0x65, 0x70]

    case ec(Curve)
    case rsa
    case ed25519

    init(_ type: KeyType) {
        switch type {
        case .ec(let curve): self = .ec(curve)
        case .rsa: self = .rsa
        case .ed25519: self = .ed25519
        }
    }

    /// Takes an algorithm identifier.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, or ``KeyError/unsupportedType`` if it is another algorithm.
    init(_ outer: inout DERReader, in bytes: RawSpan) throws(KeyError) {
        var reader = try outer.enter(DERTag.sequence, in: bytes)
        let name = bytes.extracting(try reader.take(DERTag.objectIdentifier, in: bytes))
        if name.isSame(as: Self.ecPublicKey) {
            self = .ec(try Curve(&reader, in: bytes))
        } else if name.isSame(as: Self.rsaEncryption) {
            // Some programs leave the parameters out instead of writing null.
            if !reader.isAtEnd { _ = try reader.take(DERTag.null, in: bytes) }
            self = .rsa
        } else if name.isSame(as: Self.edwards25519) {
            self = .ed25519
        } else {
            throw .unsupportedType
        }
        try reader.finish()
    }

    /// The algorithm identifier.
    var element: DERElement {
        switch self {
        case .ec(let curve):
            .sequence([.element(DERTag.objectIdentifier, .fixed(Self.ecPublicKey)), curve.element])
        case .rsa:
            .sequence([.element(DERTag.objectIdentifier, .fixed(Self.rsaEncryption)), .element(DERTag.null)])
        case .ed25519: .sequence([.element(DERTag.objectIdentifier, .fixed(Self.edwards25519))])
        }
    }
}

extension Curve {
    /// Takes the name of a curve.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, or ``KeyError/unsupportedType`` if it is another curve, also one that is
    ///   described by its numbers.
    init(_ reader: inout DERReader, in bytes: RawSpan) throws(KeyError) {
        guard reader.nextTag(in: bytes) != DERTag.sequence else { throw .unsupportedType }
        let name = bytes.extracting(try reader.take(DERTag.objectIdentifier, in: bytes))
        for curve in Curve.allCases where name.isSame(as: curve.objectIdentifier) {
            self = curve
            return
        }
        throw .unsupportedType
    }

    /// The name of the curve.
    var element: DERElement { .element(DERTag.objectIdentifier, .fixed(objectIdentifier)) }
}

extension PublicKey {
    /// Reads and checks a SubjectPublicKeyInfo in DER, as it stands in certificates and in PEM files of public keys. A
    /// point has to be uncompressed.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidPoint``, ``KeyError/invalidKey`` or
    ///   ``KeyError/unsupportedType``.
    public init(subjectPublicKeyInfo bytes: RawSpan) throws(KeyError) {
        var outer = DERReader(bytes, .subjectPublicKeyInfo)
        var reader = try outer.enter(DERTag.sequence, in: bytes)
        try outer.finish()
        let algorithm = try AlgorithmIdentifier(&reader, in: bytes)
        let key = bytes.extracting(try reader.takeBits(in: bytes))
        try reader.finish()
        switch algorithm {
        case .ec(let curve): try self.init(point: key, on: curve)
        case .rsa: try self.init(externalRepresentation: key, .rsa)
        case .ed25519: try self.init(externalRepresentation: key, .ed25519)
        }
    }

    /// The key as a SubjectPublicKeyInfo in DER.
    public var subjectPublicKeyInfo: [UInt8] {
        let key = DERElement.bytes(0..<externalRepresentation.count)
        return DERElement.sequence([AlgorithmIdentifier(type).element, .bits(key)])
            .encoded(from: externalRepresentation.span.bytes)
    }
}

/// The formats in which a private key is exported.
public enum PrivateKeyFormat: CaseIterable, Hashable, Sendable {
    /// PKCS#8, which most programs read.
    case pkcs8
    /// The format of the family: SEC 1 for a curve, and PKCS#1 for RSA.
    case traditional
}

extension PrivateKey {
    /// Reads and checks a private key in DER: PKCS#8, SEC 1 or PKCS#1. If the file lacks the public key, it is computed.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - isPadded: True if a private scalar has to be as long as a coordinate. Old versions of OpenSSL leave its leading
    ///     zeros out.
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidPoint``, ``KeyError/invalidKey``,
    ///   ``KeyError/unsupportedType``, ``KeyError/encryptedKey`` or ``KeyError/memory(_:)``.
    public init(der bytes: borrowing SecureBytes, isPadded: Bool = false) throws(KeyError) {
        self = try bytes.withBytes { (bytes) throws(KeyError) in
            var outer = DERReader(bytes, .pkcs8)
            var reader = try outer.enter(DERTag.sequence, in: bytes)
            try outer.finish()
            // An encrypted key begins with its algorithm, and the others with their version.
            if reader.nextTag(in: bytes) == DERTag.sequence { throw .encryptedKey }
            let version = try reader.takeNumber(in: bytes)
            guard version.count == 1 else { throw .malformed(.pkcs8) }
            switch (bytes.byte(version.lowerBound), reader.nextTag(in: bytes)) {
            case (0...1, DERTag.sequence): return try Self.pkcs8(&reader, bytes, isPadded: isPadded)
            case (1, DERTag.octetString): return try Self.sec1(bytes, nil, isPadded: isPadded)
            case (0, DERTag.integer): return try Self.checked(bytes, .rsa)
            default: throw .malformed(.pkcs8)
            }
        }
    }

    private static func checked(_ bytes: RawSpan, _ family: KeyFamily) throws(KeyError) -> PrivateKey {
        let copy = try KeyError.guarding(SecureBytes(copying: bytes))
        return try PrivateKey(externalRepresentation: copy, family)
    }

    /// Reads the rest of a PKCS#8 key, after its version.
    private static func pkcs8(
        _ reader: inout DERReader, _ bytes: RawSpan, isPadded: Bool
    ) throws(KeyError) -> PrivateKey {
        let algorithm = try AlgorithmIdentifier(&reader, in: bytes)
        let key = bytes.extracting(try reader.take(DERTag.octetString, in: bytes))
        // Attributes and a second copy of the public key may follow. The key itself determines both.
        while !reader.isAtEnd { _ = try reader.takeAny(in: bytes) }
        switch algorithm {
        case .ec(let curve): return try sec1(key, curve, isPadded: isPadded)
        case .rsa: return try checked(key, .rsa)
        case .ed25519:
            var inner = DERReader(key, .pkcs8)
            let seed = key.extracting(try inner.take(DERTag.octetString, in: key))
            try inner.finish()
            return try PrivateKey(trusted: EdwardsKey.key(seed: seed), .ed25519)
        }
    }

    /// Reads a SEC 1 key. PKCS#8 names the curve outside of it.
    private static func sec1(
        _ bytes: RawSpan, _ outerCurve: Curve?, isPadded: Bool
    ) throws(KeyError) -> PrivateKey {
        var outer = DERReader(bytes, .sec1)
        var reader = try outer.enter(DERTag.sequence, in: bytes)
        try outer.finish()
        try reader.take(number: 1, in: bytes)
        let scalar = try reader.take(DERTag.octetString, in: bytes)
        var curve = outerCurve
        if reader.nextTag(in: bytes) == DERTag.context(0) {
            var inner = try reader.enter(DERTag.context(0), in: bytes)
            let named = try Curve(&inner, in: bytes)
            try inner.finish()
            guard outerCurve == nil || outerCurve == named else { throw .invalidKey }
            curve = named
        }
        guard let curve else { throw .unsupportedType }
        var point: Range<Int>?
        if reader.nextTag(in: bytes) == DERTag.context(1) {
            var inner = try reader.enter(DERTag.context(1), in: bytes)
            point = try inner.takeBits(in: bytes)
            try inner.finish()
        }
        try reader.finish()
        guard (1...curve.coordinateCount).contains(scalar.count), point == nil || point?.count == curve.pointCount
        else { throw .malformed(.sec1) }
        guard !isPadded || scalar.count == curve.coordinateCount else { throw .invalidSize(scalar.count) }

        return try PrivateKey(
            scalar: bytes.extracting(scalar), point: point.map { bytes.extracting($0).array() }, on: curve)
    }

    /// Returns the key in DER.
    ///
    /// - Throws: ``KeyError/memory(_:)`` if no guarded memory is left, or ``KeyError/unsupportedType`` for a key of Ed25519
    ///   in a traditional format, which does not exist.
    public borrowing func der(_ format: PrivateKeyFormat = .pkcs8) throws(KeyError) -> SecureBytes {
        let type = type
        return try withExternalRepresentation { (bytes) throws(KeyError) in
            let key: DERElement
            switch type {
            case .ec(let curve):
                // PKCS#8 names the curve itself.
                let name: [DERElement] = format == .traditional ? [.element(DERTag.context(0), curve.element)] : []
                key = .sequence(
                    [
                        .number(1),
                        .element(DERTag.octetString, .bytes(curve.pointCount..<bytes.byteCount)),
                    ] + name + [.element(DERTag.context(1), .bits(.bytes(0..<curve.pointCount)))])
            case .rsa: key = .bytes(0..<bytes.byteCount)
            case .ed25519:
                // It has no older format of its own.
                if format == .traditional { throw .unsupportedType }
                key = .element(DERTag.octetString, .bytes(EdwardsKey.publicCount..<bytes.byteCount))
            }
            switch format {
            case .traditional: return try key.encodedSecretly(from: bytes)
            case .pkcs8:
                return try DERElement.sequence([
                    .number(0), AlgorithmIdentifier(type).element, .element(DERTag.octetString, key),
                ]).encodedSecretly(from: bytes)
            }
        }
    }
}
