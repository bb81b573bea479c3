// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import ApplePlatform
internal import Foundation
internal import KeyKit

// The calls from before `SecKeyAlgorithm`, which write into a buffer of the caller. Deprecated by Apple.

/// A padding or encoding of the deprecated calls on keys.
public struct SecPadding: OptionSet, Hashable, Sendable {
    /// Apple's number.
    public let rawValue: UInt32

    /// Creates the padding with this number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// PKCS #1 padding. With a key on an elliptic curve: the encoding of ANSI X9.62.
    public static let PKCS1 = Self(rawValue: 1)
    /// OAEP padding.
    public static let OAEP = Self(rawValue: 2)
    /// The encoding of RFC 4754, for a key on an elliptic curve.
    public static let sigRaw = Self(rawValue: 0x4000)
    /// PKCS #1 padding of an MD2 digest. Not supported.
    public static let PKCS1MD2 = Self(rawValue: 0x8000)
    /// PKCS #1 padding of an MD5 digest. Not supported.
    public static let PKCS1MD5 = Self(rawValue: 0x8001)
    /// PKCS #1 padding of a SHA-1 digest.
    public static let PKCS1SHA1 = Self(rawValue: 0x8002)
    /// PKCS #1 padding of a SHA-224 digest.
    public static let PKCS1SHA224 = Self(rawValue: 0x8003)
    /// PKCS #1 padding of a SHA-256 digest.
    public static let PKCS1SHA256 = Self(rawValue: 0x8004)
    /// PKCS #1 padding of a SHA-384 digest.
    public static let PKCS1SHA384 = Self(rawValue: 0x8005)
    /// PKCS #1 padding of a SHA-512 digest.
    public static let PKCS1SHA512 = Self(rawValue: 0x8006)
}

/// Signs a digest. Deprecated by Apple: use ``SecKeyCreateSignature(_:_:_:_:)``.
///
/// - Parameter sigLen: The size of the buffer `sig`; then the length of the signature.
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    filling(sig, sigLen, with: padding.signature(by: key, of: dataToSignLen)) { algorithm, error in
        SecKeyCreateSignature(key, algorithm, CFData(bytes: dataToSign, length: dataToSignLen), error)
    }
}

/// Verifies the signature of a digest. Deprecated by Apple: use ``SecKeyVerifySignature(_:_:_:_:_:)``.
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
    status(with: padding.signature(by: key, of: signedDataLen)) { algorithm, error in
        _ = SecKeyVerifySignature(
            key, algorithm, CFData(bytes: signedData, length: signedDataLen), CFData(bytes: sig, length: sigLen), error)
    }
}

/// Encrypts data with an RSA key. Deprecated by Apple: use ``SecKeyCreateEncryptedData(_:_:_:_:)``.
///
/// - Parameter cipherTextLen: The size of the buffer `cipherText`; then the length of the encrypted data.
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    filling(cipherText, cipherTextLen, with: padding.encryption(by: key)) { algorithm, error in
        SecKeyCreateEncryptedData(key, algorithm, CFData(bytes: plainText, length: plainTextLen), error)
    }
}

/// Decrypts data with an RSA key. Deprecated by Apple: use ``SecKeyCreateDecryptedData(_:_:_:_:)``.
///
/// - Parameter plainTextLen: The size of the buffer `plainText`; then the length of the decrypted data.
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    filling(plainText, plainTextLen, with: padding.encryption(by: key)) { algorithm, error in
        let decrypted = SecKeyCreateDecryptedData(
            key, algorithm, CFData(bytes: cipherText, length: cipherTextLen), error)
        guard algorithm == .rsaEncryptionRaw, let decrypted else { return decrypted }
        // Without padding, this call drops the zeros in front.
        return CFData(data: (decrypted as Data).drop { $0 == 0 })
    }
}

extension SecPadding {
    private static let signatures: [SecPadding: SecKeyAlgorithm] = [
        []: .rsaSignatureRaw, .PKCS1: .rsaSignatureDigestPKCS1v15Raw,
        .PKCS1SHA1: .rsaSignatureDigestPKCS1v15SHA1, .PKCS1SHA224: .rsaSignatureDigestPKCS1v15SHA224,
        .PKCS1SHA256: .rsaSignatureDigestPKCS1v15SHA256, .PKCS1SHA384: .rsaSignatureDigestPKCS1v15SHA384,
        .PKCS1SHA512: .rsaSignatureDigestPKCS1v15SHA512,
    ]
    private static let encryptions: [SecPadding: SecKeyAlgorithm] = [
        []: .rsaEncryptionRaw, .PKCS1: .rsaEncryptionPKCS1, .OAEP: .rsaEncryptionOAEPSHA1,
    ]

    /// Returns the algorithm of a signature of a digest with this length; nil if there is none.
    fileprivate func signature(by key: SecKey, of digestCount: Int) -> SecKeyAlgorithm? {
        switch key.publicKey.type.family {
        case .rsa: Self.signatures[self]
        // Every other padding means X9.62 to a key on an elliptic curve, as in Apple's system.
        case .ec: self == .sigRaw ? .ecdsaSignatureDigestRFC4754 : .ecdsaSignatureDigestX962
        case .ed25519: nil
        }
    }

    /// Returns the algorithm of an encryption; nil if there is none.
    fileprivate func encryption(by key: SecKey) -> SecKeyAlgorithm? {
        switch key.publicKey.type.family {
        case .rsa: Self.encryptions[self]
        case .ec, .ed25519: nil
        }
    }
}

/// Runs `body` with an algorithm, and returns its error as a status.
private func status(
    with algorithm: SecKeyAlgorithm?,
    _ body: (SecKeyAlgorithm, UnsafeMutablePointer<Unmanaged<CFError>?>?) -> Void
) -> OSStatus {
    guard let algorithm else { return errSecParam }
    var error: Unmanaged<CFError>?
    body(algorithm, &error)
    guard let error = error?.takeRetainedValue() else { return errSecSuccess }
    if error.domain == authenticationErrorDomain {
        return LAErrorCode(rawValue: error.code)?.status.rawValue ?? errSecAuthFailed
    }
    // These calls are older than the status for a signature that is not valid.
    return error.code == Int(errSecVerifyFailed) ? errSSLCrypto : OSStatus(truncatingIfNeeded: error.code)
}

/// Runs `body` with an algorithm, and copies its result into a buffer.
private func filling(
    _ buffer: UnsafeMutablePointer<UInt8>, _ count: UnsafeMutablePointer<Int>, with algorithm: SecKeyAlgorithm?,
    _ body: (SecKeyAlgorithm, UnsafeMutablePointer<Unmanaged<CFError>?>?) -> CFData?
) -> OSStatus {
    var result: CFData?
    let status = status(with: algorithm) { result = body($0, $1) }
    guard let result else { return status }
    if result.length > count.pointee { return errSecParam }
    count.pointee = result.length
    result.getBytes(buffer, length: result.length)
    return errSecSuccess
}

/// The status with which deprecated calls refuse a signature. It belongs to Secure Transport.
public let errSSLCrypto: OSStatus = -9809
