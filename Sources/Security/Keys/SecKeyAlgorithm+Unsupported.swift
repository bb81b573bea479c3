internal import Foundation

// Algorithms that Apple's system has and this module does not: no key supports them (docs/differences.md). Apple keeps
// some of these names private.

extension SecKeyAlgorithm {
    /// RSA signature without padding, in the byte order of Apple's library. Not supported.
    public static let rsaSignatureRawCCUnit = Self(rawValue: "algid:sign:RSA:raw-cc")
    /// RSA signature with PKCS #1 padding, of a digest, with MD5. Not supported.
    public static let rsaSignatureDigestPKCS1v15MD5 = Self(rawValue: "algid:sign:RSA:digest-PKCS1v15:MD5")
    /// RSA signature with PKCS #1 padding, of a message, with MD5. Not supported.
    public static let rsaSignatureMessagePKCS1v15MD5 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:MD5")
    /// RSA encryption without padding, in the byte order of Apple's library. Not supported.
    public static let rsaEncryptionRawCCUnit = Self(rawValue: "algid:encrypt:RSA:raw-cc")
    /// ECIES as the key store of macOS uses it with smart cards. Not supported.
    public static let eciesEncryptionAKSSmartCard = Self(rawValue: "algid:encrypt:ECIES:ECDH:SHA256:2PubKeys")
    /// Ed25519 signature of a message. Not supported.
    public static let edDSASignatureMessageCurve25519SHA512 = Self(
        rawValue: "algid:sign:EdDSA:message-Curve25519:SHA512")
    /// Ed448 signature of a message. Not supported.
    public static let edDSASignatureMessageCurve448SHAKE256 = Self(
        rawValue: "algid:sign:EdDSA:message-Curve448:SHAKE256")
    /// Key encapsulation with Kyber. Not supported.
    public static let kemKyber = Self(rawValue: "algid:kem:kyber")
    /// Key encapsulation with ML-KEM. Not supported.
    public static let kemMLKEM = Self(rawValue: "algid:kem:ML-KEM")
    /// ML-DSA signature of a message. Not supported.
    public static let mldsaSignatureMessage = Self(rawValue: "algid:sign:ML-DSA:message")
}
