internal import Foundation

extension SecKeyAlgorithm {
    /// ECDSA signature of a digest, in the format of RFC 4754. Deprecated by Apple.
    public static let ecdsaSignatureRFC4754 = Self(rawValue: "algid:sign:ECDSA:RFC4754")
    /// ECDSA signature of a digest, in the format of ANSI X9.62.
    public static let ecdsaSignatureDigestX962 = Self(rawValue: "algid:sign:ECDSA:digest-X962")
    /// ECDSA signature of a digest, with SHA-1, in the format of ANSI X9.62.
    public static let ecdsaSignatureDigestX962SHA1 = Self(rawValue: "algid:sign:ECDSA:digest-X962:SHA1")
    /// ECDSA signature of a digest, with SHA-224, in the format of ANSI X9.62.
    public static let ecdsaSignatureDigestX962SHA224 = Self(rawValue: "algid:sign:ECDSA:digest-X962:SHA224")
    /// ECDSA signature of a digest, with SHA-256, in the format of ANSI X9.62.
    public static let ecdsaSignatureDigestX962SHA256 = Self(rawValue: "algid:sign:ECDSA:digest-X962:SHA256")
    /// ECDSA signature of a digest, with SHA-384, in the format of ANSI X9.62.
    public static let ecdsaSignatureDigestX962SHA384 = Self(rawValue: "algid:sign:ECDSA:digest-X962:SHA384")
    /// ECDSA signature of a digest, with SHA-512, in the format of ANSI X9.62.
    public static let ecdsaSignatureDigestX962SHA512 = Self(rawValue: "algid:sign:ECDSA:digest-X962:SHA512")
    /// ECDSA signature of a message, with SHA-1, in the format of ANSI X9.62.
    public static let ecdsaSignatureMessageX962SHA1 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA1")
    /// ECDSA signature of a message, with SHA-224, in the format of ANSI X9.62.
    public static let ecdsaSignatureMessageX962SHA224 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA224")
    /// ECDSA signature of a message, with SHA-256, in the format of ANSI X9.62.
    public static let ecdsaSignatureMessageX962SHA256 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA256")
    /// ECDSA signature of a message, with SHA-384, in the format of ANSI X9.62.
    public static let ecdsaSignatureMessageX962SHA384 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA384")
    /// ECDSA signature of a message, with SHA-512, in the format of ANSI X9.62.
    public static let ecdsaSignatureMessageX962SHA512 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA512")
    /// ECDSA signature of a digest, in the format of RFC 4754.
    public static let ecdsaSignatureDigestRFC4754 = Self(rawValue: "algid:sign:ECDSA:digest-RFC4754")
    /// ECDSA signature of a digest, with SHA-1, in the format of RFC 4754.
    public static let ecdsaSignatureDigestRFC4754SHA1 = Self(rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA1")
    /// ECDSA signature of a digest, with SHA-224, in the format of RFC 4754.
    public static let ecdsaSignatureDigestRFC4754SHA224 = Self(rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA224")
    /// ECDSA signature of a digest, with SHA-256, in the format of RFC 4754.
    public static let ecdsaSignatureDigestRFC4754SHA256 = Self(rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA256")
    /// ECDSA signature of a digest, with SHA-384, in the format of RFC 4754.
    public static let ecdsaSignatureDigestRFC4754SHA384 = Self(rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA384")
    /// ECDSA signature of a digest, with SHA-512, in the format of RFC 4754.
    public static let ecdsaSignatureDigestRFC4754SHA512 = Self(rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA512")
    /// ECDSA signature of a message, with SHA-1, in the format of RFC 4754.
    public static let ecdsaSignatureMessageRFC4754SHA1 = Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA1")
    /// ECDSA signature of a message, with SHA-224, in the format of RFC 4754.
    public static let ecdsaSignatureMessageRFC4754SHA224 = Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA224")
    /// ECDSA signature of a message, with SHA-256, in the format of RFC 4754.
    public static let ecdsaSignatureMessageRFC4754SHA256 = Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA256")
    /// ECDSA signature of a message, with SHA-384, in the format of RFC 4754.
    public static let ecdsaSignatureMessageRFC4754SHA384 = Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA384")
    /// ECDSA signature of a message, with SHA-512, in the format of RFC 4754.
    public static let ecdsaSignatureMessageRFC4754SHA512 = Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA512")
}
