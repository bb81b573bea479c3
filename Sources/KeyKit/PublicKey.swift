internal import COpenSSL
internal import SodiumKit

/// A public key for signatures, encryption and key agreement. Its numbers were checked when it was made.
///
///     let key = try PublicKey(externalRepresentation: bytes.span.bytes, .ec)
///     let isValid = try key.verify(signature, of: message, with: .ecdsa(.x962, .sha256, .message))
///
/// Nothing about a public key is secret, so operations with it may take a time that depends on it.
public struct PublicKey: Hashable, Sendable {
    /// The type of the key.
    public let type: KeyType
    /// The bytes that Apple's `SecKeyCopyExternalRepresentation` returns: 04, X and Y, or PKCS#1. A key of
    /// Ed25519 has 32 bytes, as in RFC 8032.
    public let externalRepresentation: [UInt8]

    /// Creates a key whose bytes are known to be valid.
    init(trusted bytes: [UInt8], _ type: KeyType) {
        self.type = type
        externalRepresentation = bytes
    }

    /// Reads and checks the bytes that Apple's `SecKeyCopyExternalRepresentation` returns. The length of a point
    /// determines its curve.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidPoint``, ``KeyError/invalidKey`` or
    ///   ``KeyError/unsupportedType``.
    public init(externalRepresentation bytes: RawSpan, _ family: KeyFamily) throws(KeyError) {
        switch family {
        case .ec:
            guard let curve = Curve.allCases.first(where: { $0.pointCount == bytes.byteCount }) else {
                throw .malformed(.point)
            }
            try self.init(point: bytes, on: curve)
        case .rsa:
            let numbers = try RSANumbers(publicKey: bytes)
            self.init(trusted: bytes.array(), numbers.type)
            try OpenSSL.perform { (context) throws(KeyError) in
                try EVPKey(numbers.type, isPrivate: false, numbers.publicParts, of: bytes, in: context)
                    .checkPublic(in: context)
            }
        case .ed25519:
            guard bytes.byteCount == EdwardsKey.publicCount else { throw .malformed(.point) }
            guard Ed25519.isPoint(bytes) else { throw .invalidPoint }
            self.init(trusted: bytes.array(), .ed25519)
        }
    }

    /// Reads and checks a point.
    ///
    /// - Throws: ``KeyError/malformed(_:)`` or ``KeyError/invalidPoint``.
    init(point bytes: RawSpan, on curve: Curve) throws(KeyError) {
        guard bytes.byteCount == curve.pointCount, bytes.byte(0) == 4 else { throw .malformed(.point) }
        self.init(trusted: bytes.array(), .ec(curve))
        // OpenSSL refuses a point that is not on the curve. As the cofactor is one, no point has a small order.
        _ = try OpenSSL.perform { (context) throws(KeyError) in try makeEVPKey(in: context) }
    }

    /// The SHA-1 digest of the external representation, which is what Apple's `kSecAttrApplicationLabel` holds.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL has no memory left.
    public var fingerprint: [UInt8] {
        get throws(KeyError) { try HashAlgorithm.sha1.digest(of: externalRepresentation.span.bytes) }
    }

    /// The key as OpenSSL has it.
    func makeEVPKey(in context: OpaquePointer) throws(KeyError) -> EVPKey {
        let bytes = externalRepresentation.span.bytes
        let parts: [EVPKey.Part] =
            switch type {
            case .ec: [.octets("pub", 0..<bytes.byteCount)]
            case .rsa: try RSANumbers(publicKey: bytes).publicParts
            case .ed25519: throw .unsupportedType
            }
        return try EVPKey(type, isPrivate: false, parts, of: bytes, in: context)
    }
}
