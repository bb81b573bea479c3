internal import Foundation

extension SecKeyAlgorithm {
    /// RSA signature without padding.
    public static let rsaSignatureRaw = Self(rawValue: "algid:sign:RSA:raw")
    /// RSA signature with PKCS #1 padding, of a digest that names its algorithm.
    public static let rsaSignatureDigestPKCS1v15Raw = Self(rawValue: "algid:sign:RSA:digest-PKCS1v15")
    /// RSA signature with PKCS #1 padding, of a digest, with SHA-1.
    public static let rsaSignatureDigestPKCS1v15SHA1 = Self(rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA1")
    /// RSA signature with PKCS #1 padding, of a digest, with SHA-224.
    public static let rsaSignatureDigestPKCS1v15SHA224 = Self(rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA224")
    /// RSA signature with PKCS #1 padding, of a digest, with SHA-256.
    public static let rsaSignatureDigestPKCS1v15SHA256 = Self(rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA256")
    /// RSA signature with PKCS #1 padding, of a digest, with SHA-384.
    public static let rsaSignatureDigestPKCS1v15SHA384 = Self(rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA384")
    /// RSA signature with PKCS #1 padding, of a digest, with SHA-512.
    public static let rsaSignatureDigestPKCS1v15SHA512 = Self(rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA512")
    /// RSA signature with PSS padding, of a digest, with SHA-1.
    public static let rsaSignatureDigestPSSSHA1 = Self(rawValue: "algid:sign:RSA:digest-PSS:SHA1:SHA1:20")
    /// RSA signature with PSS padding, of a digest, with SHA-224.
    public static let rsaSignatureDigestPSSSHA224 = Self(rawValue: "algid:sign:RSA:digest-PSS:SHA224:SHA224:24")
    /// RSA signature with PSS padding, of a digest, with SHA-256.
    public static let rsaSignatureDigestPSSSHA256 = Self(rawValue: "algid:sign:RSA:digest-PSS:SHA256:SHA256:32")
    /// RSA signature with PSS padding, of a digest, with SHA-384.
    public static let rsaSignatureDigestPSSSHA384 = Self(rawValue: "algid:sign:RSA:digest-PSS:SHA384:SHA384:48")
    /// RSA signature with PSS padding, of a digest, with SHA-512.
    public static let rsaSignatureDigestPSSSHA512 = Self(rawValue: "algid:sign:RSA:digest-PSS:SHA512:SHA512:64")
    /// RSA signature with PKCS #1 padding, of a message, with SHA-1.
    public static let rsaSignatureMessagePKCS1v15SHA1 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA1")
    /// RSA signature with PKCS #1 padding, of a message, with SHA-224.
    public static let rsaSignatureMessagePKCS1v15SHA224 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA224")
    /// RSA signature with PKCS #1 padding, of a message, with SHA-256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256")
    /// RSA signature with PKCS #1 padding, of a message, with SHA-384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA384")
    /// RSA signature with PKCS #1 padding, of a message, with SHA-512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA512")
    /// RSA signature with PSS padding, of a message, with SHA-1.
    public static let rsaSignatureMessagePSSSHA1 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA1:SHA1:20")
    /// RSA signature with PSS padding, of a message, with SHA-224.
    public static let rsaSignatureMessagePSSSHA224 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA224:SHA224:24")
    /// RSA signature with PSS padding, of a message, with SHA-256.
    public static let rsaSignatureMessagePSSSHA256 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA256:SHA256:32")
    /// RSA signature with PSS padding, of a message, with SHA-384.
    public static let rsaSignatureMessagePSSSHA384 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA384:SHA384:48")
    /// RSA signature with PSS padding, of a message, with SHA-512.
    public static let rsaSignatureMessagePSSSHA512 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA512:SHA512:64")
}
