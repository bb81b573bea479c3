/// The elliptic curves that KeyKit supports. Each has a cofactor of one.
public enum Curve: CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// NIST P-256, which OpenSSL calls prime256v1.
    case p256
    /// NIST P-384.
    case p384
    /// NIST P-521.
    case p521

    /// The size of a coordinate in bits.
    public var bits: Int {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The number of bytes in a coordinate, in a private scalar and in a shared secret.
    public var coordinateCount: Int { (bits + 7) / 8 }

    /// The number of bytes in a point: 04, X and Y.
    public var pointCount: Int { 2 * coordinateCount + 1 }

    /// The name of the curve.
    public var description: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }

    /// The name that OpenSSL uses.
    var group: StaticString {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        case .p521: "secp521r1"
        }
    }

    /// The content of the object identifier.
    var objectIdentifier: [UInt8] {
        switch self {
        case .p256: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case .p384: [0x2B, 0x81, 0x04, 0x00, 0x22]
        case .p521: [0x2B, 0x81, 0x04, 0x00, 0x23]
        }
    }
}

/// The families of keys. A family determines how the bytes of a key are read.
public enum KeyFamily: CaseIterable, Hashable, Sendable {
    /// Keys on an elliptic curve.
    case ec
    /// RSA keys.
    case rsa
    /// Ed25519 keys, which only sign. libsodium does that, and never OpenSSL.
    case ed25519
}

/// A family of keys with its size.
public enum KeyType: Hashable, Sendable, CustomStringConvertible {
    /// A key on this curve.
    case ec(Curve)
    /// An RSA key with a modulus of this many bits.
    case rsa(bits: Int)
    /// An Ed25519 key.
    case ed25519

    /// The sizes of RSA keys that KeyKit generates.
    public static let generatedRSASizes = [2048, 3072, 4096]

    /// The size of RSA keys that old programs and their tests use. Do not rely on them: they can be broken with the
    /// means of a state.
    package static let oldRSASize = 1024

    /// The types that ``PrivateKey/generate(_:)`` supports.
    public static var generatedTypes: [KeyType] {
        Curve.allCases.map { .ec($0) } + generatedRSASizes.map { .rsa(bits: $0) } + [.ed25519]
    }

    /// The family of the type.
    public var family: KeyFamily {
        switch self {
        case .ec: .ec
        case .rsa: .rsa
        case .ed25519: .ed25519
        }
    }

    /// The size in bits: of a coordinate or of the modulus.
    public var bits: Int {
        switch self {
        case .ec(let curve): curve.bits
        case .rsa(let bits): bits
        case .ed25519: 256
        }
    }

    /// The number of bytes in a coordinate or in the modulus.
    public var blockCount: Int { (bits + 7) / 8 }

    /// A short name, such as "P-256" or "RSA-2048".
    public var description: String {
        switch self {
        case .ec(let curve): curve.description
        case .rsa(let bits): "RSA-\(bits)"
        case .ed25519: "Ed25519"
        }
    }

    /// True if keys of the type can be read and used: every curve, Ed25519, and RSA from 1024 to 4096 bits in whole bytes.
    public var isSupported: Bool {
        switch self {
        case .ec, .ed25519: true
        case .rsa(let bits): (Self.oldRSASize...4096).contains(bits) && bits % 8 == 0
        }
    }

    /// True if a new secret may rest on a key of the type: every curve, Ed25519, and RSA from 2048 bits.
    public var isStrong: Bool {
        switch self {
        case .ec, .ed25519: true
        case .rsa(let bits): bits >= 2048
        }
    }
}
