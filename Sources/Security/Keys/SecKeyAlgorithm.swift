public import Foundation

/// An algorithm of a key. ``SecKeyIsAlgorithmSupported(_:_:_:)`` tells if a key supports it.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, @unchecked Sendable {  // the text is a constant
    /// Apple's text for the algorithm.
    public let rawValue: CFString

    /// Creates the algorithm with this text.
    public init(rawValue: CFString) { self.rawValue = rawValue }
}

/// An operation of a key.
public enum SecKeyOperationType: CFIndex, Sendable {
    /// Signing.
    case sign = 0
    /// Verifying a signature.
    case verify = 1
    /// Encrypting.
    case encrypt = 2
    /// Decrypting.
    case decrypt = 3
    /// Agreeing on a shared secret.
    case keyExchange = 4
}

extension SecKeyAlgorithm {
    // MARK: - Key exchange
    /// Key exchange without cofactor.
    public static let ecdhKeyExchangeStandard = Self(rawValue: "algid:keyexchange:ECDH")
    /// Key exchange without cofactor, with SHA-1.
    public static let ecdhKeyExchangeStandardX963SHA1 = Self(rawValue: "algid:keyexchange:ECDH:KDFX963:SHA1")
    /// Key exchange without cofactor, with SHA-224.
    public static let ecdhKeyExchangeStandardX963SHA224 = Self(rawValue: "algid:keyexchange:ECDH:KDFX963:SHA224")
    /// Key exchange without cofactor, with SHA-256.
    public static let ecdhKeyExchangeStandardX963SHA256 = Self(rawValue: "algid:keyexchange:ECDH:KDFX963:SHA256")
    /// Key exchange without cofactor, with SHA-384.
    public static let ecdhKeyExchangeStandardX963SHA384 = Self(rawValue: "algid:keyexchange:ECDH:KDFX963:SHA384")
    /// Key exchange without cofactor, with SHA-512.
    public static let ecdhKeyExchangeStandardX963SHA512 = Self(rawValue: "algid:keyexchange:ECDH:KDFX963:SHA512")
    /// Key exchange with cofactor.
    public static let ecdhKeyExchangeCofactor = Self(rawValue: "algid:keyexchange:ECDHC")
    /// Key exchange with cofactor, with SHA-1.
    public static let ecdhKeyExchangeCofactorX963SHA1 = Self(rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA1")
    /// Key exchange with cofactor, with SHA-224.
    public static let ecdhKeyExchangeCofactorX963SHA224 = Self(rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA224")
    /// Key exchange with cofactor, with SHA-256.
    public static let ecdhKeyExchangeCofactorX963SHA256 = Self(rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA256")
    /// Key exchange with cofactor, with SHA-384.
    public static let ecdhKeyExchangeCofactorX963SHA384 = Self(rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA384")
    /// Key exchange with cofactor, with SHA-512.
    public static let ecdhKeyExchangeCofactorX963SHA512 = Self(rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA512")
}
