internal import Foundation

extension SecKeyAlgorithm {
    /// RSA encryption without padding.
    public static let rsaEncryptionRaw = Self(rawValue: "algid:encrypt:RSA:raw")
    /// RSA encryption with PKCS #1 padding.
    public static let rsaEncryptionPKCS1 = Self(rawValue: "algid:encrypt:RSA:PKCS1")
    /// RSA encryption with OAEP padding, with SHA-1.
    public static let rsaEncryptionOAEPSHA1 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA1")
    /// RSA encryption with OAEP padding, with SHA-224.
    public static let rsaEncryptionOAEPSHA224 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA224")
    /// RSA encryption with OAEP padding, with SHA-256.
    public static let rsaEncryptionOAEPSHA256 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA256")
    /// RSA encryption with OAEP padding, with SHA-384.
    public static let rsaEncryptionOAEPSHA384 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA384")
    /// RSA encryption with OAEP padding, with SHA-512.
    public static let rsaEncryptionOAEPSHA512 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA512")
    /// RSA encryption of a key with OAEP padding and SHA-1, which encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA1AESGCM = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA1:AESGCM")
    /// RSA encryption of a key with OAEP padding and SHA-224, which encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA224AESGCM = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA224:AESGCM")
    /// RSA encryption of a key with OAEP padding and SHA-256, which encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA256AESGCM = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA256:AESGCM")
    /// RSA encryption of a key with OAEP padding and SHA-384, which encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA384AESGCM = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA384:AESGCM")
    /// RSA encryption of a key with OAEP padding and SHA-512, which encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA512AESGCM = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA512:AESGCM")
    /// ECIES without cofactor, with SHA-1 and AES-GCM.
    public static let eciesEncryptionStandardX963SHA1AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
    /// ECIES without cofactor, with SHA-224 and AES-GCM.
    public static let eciesEncryptionStandardX963SHA224AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
    /// ECIES without cofactor, with SHA-256 and AES-GCM.
    public static let eciesEncryptionStandardX963SHA256AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
    /// ECIES without cofactor, with SHA-384 and AES-GCM.
    public static let eciesEncryptionStandardX963SHA384AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
    /// ECIES without cofactor, with SHA-512 and AES-GCM.
    public static let eciesEncryptionStandardX963SHA512AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
    /// ECIES without cofactor, with SHA-224 and AES-GCM with a derived initialization vector.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
    /// ECIES without cofactor, with SHA-256 and AES-GCM with a derived initialization vector.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
    /// ECIES without cofactor, with SHA-384 and AES-GCM with a derived initialization vector.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
    /// ECIES without cofactor, with SHA-512 and AES-GCM with a derived initialization vector.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
    /// ECIES with cofactor, with SHA-1 and AES-GCM.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
    /// ECIES with cofactor, with SHA-224 and AES-GCM.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
    /// ECIES with cofactor, with SHA-256 and AES-GCM.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
    /// ECIES with cofactor, with SHA-384 and AES-GCM.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
    /// ECIES with cofactor, with SHA-512 and AES-GCM.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
    /// ECIES with cofactor, with SHA-224 and AES-GCM with a derived initialization vector.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
    /// ECIES with cofactor, with SHA-256 and AES-GCM with a derived initialization vector.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
    /// ECIES with cofactor, with SHA-384 and AES-GCM with a derived initialization vector.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
    /// ECIES with cofactor, with SHA-512 and AES-GCM with a derived initialization vector.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")
}
