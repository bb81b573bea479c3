public import Foundation

/// What a key is used by. None is supported yet: see ``SecKeyIsAlgorithmSupported(_:_:_:)``.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, @unchecked Sendable {  // the text is a constant
    /// Apple's text for it.
    public let rawValue: CFString

    /// The algorithm of this text.
    public init(rawValue: CFString) { self.rawValue = rawValue }
}

/// What a key is used for.
public enum SecKeyOperationType: CFIndex, Sendable {
    /// To sign.
    case sign = 0
    /// To verify a signature.
    case verify = 1
    /// To encrypt.
    case encrypt = 2
    /// To decrypt.
    case decrypt = 3
    /// To agree on a secret.
    case keyExchange = 4
}

/// A parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, @unchecked Sendable {  // the text is a constant
    /// Apple's text for it.
    public let rawValue: CFString

    /// The parameter of this text.
    public init(rawValue: CFString) { self.rawValue = rawValue }

    /// How many bytes are wanted.
    public static let requestedSize = Self(rawValue: "requestedSize")
    /// What both know beside the keys.
    public static let sharedInfo = Self(rawValue: "sharedInfo")
}

extension SecKeyAlgorithm {
    // MARK: - To agree on a secret
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
