// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit
internal import Latchkey
internal import SodiumKit

/// Signs data with a private key. For a key in the Secure Enclave, this prompts if the key's access control needs it.
///
/// - Returns: The signature; nil if it fails, with the reason in `error`.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    reporting(.sign, to: key.watchedKeychain, about: algorithm.rawValue as String, error) {
        () throws(KeyFailure) in
        guard case .signature(let scheme)? = key.supported(algorithm, for: .sign) else { throw .unsupported(algorithm) }
        let input = Array(dataToSign as Data)
        try scheme.requireDigest(input)
        return try key.perform(.sign(input, scheme)).forApps()
    } ?? nil
}

/// Verifies a signature with a public key.
///
/// - Returns: False if it is not valid, with ``errSecVerifyFailed`` in `error`, or if it cannot be verified.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    reporting(error) { () throws(KeyFailure) in
        guard case .signature(let scheme)? = key.supported(algorithm, for: .verify) else {
            throw .unsupported(algorithm)
        }
        try key.verify(Array(signature as Data), of: Array(signedData as Data), with: scheme)
        return true
    } ?? false
}

/// Encrypts data with a public key.
///
/// - Returns: The encrypted data; nil if it fails, with the reason in `error`.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecKeyCreateEncryptedDataWithParameters(key, algorithm, plaintext, nil, error)
}

/// Encrypts data with a public key and parameters, which only ECIES uses. Apple keeps this function private.
public func SecKeyCreateEncryptedDataWithParameters(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData, _ parameters: CFDictionary?,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    reporting(error) { () throws(KeyFailure) in
        guard case .encryption(let scheme)? = key.supported(algorithm, for: .encrypt) else {
            throw .unsupported(algorithm)
        }
        let parameters = try EncryptionParameters(reading: parameters ?? [:])
        let bytes = try onKey(key.publicKey.encrypt((plaintext as Data).bytes, with: scheme, parameters))
        return CFData(data: Data(bytes))
    } ?? nil
}

/// Decrypts data with a private key. For a key in the Secure Enclave, this prompts if the key's access control needs
/// it.
///
/// - Returns: The decrypted data; nil if it fails, with the reason in `error`.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecKeyCreateDecryptedDataWithParameters(key, algorithm, ciphertext, nil, error)
}

/// Decrypts data with a private key and the parameters that it was encrypted with. Apple keeps this function private.
public func SecKeyCreateDecryptedDataWithParameters(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData, _ parameters: CFDictionary?,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    reporting(.decrypt, to: key.watchedKeychain, about: algorithm.rawValue as String, error) {
        () throws(KeyFailure) in
        guard case .encryption(let scheme)? = key.supported(algorithm, for: .decrypt) else {
            throw .unsupported(algorithm)
        }
        let parameters = try EncryptionParameters(reading: parameters ?? [:])
        let box = scheme.completed(Array(ciphertext as Data), for: key.publicKey.type)
        if key.isPrivate {
            if case .ec(let curve) = key.publicKey.type, box.count < curve.pointCount {
                throw KeyFailure(errSecParam, "the message is shorter than the point at its beginning")
            }
            return try key.perform(.decrypt(box, scheme, parameters)).forApps()
        }
        guard scheme == .rsaRaw else {
            throw KeyFailure(errSecParam, "nothing that is meant for a public key has this padding")
        }
        let bytes = try onKey(key.publicKey.encrypt(box.span.bytes, with: scheme))
        return CFData(data: Data(bytes))
    } ?? nil
}

/// Agrees on a secret that the owner of `publicKey` can compute as well. For a key in the Secure Enclave, this prompts
/// if the key's access control needs it.
///
/// - Parameter parameters: With an algorithm that derives the result, ``SecKeyKeyExchangeParameter/requestedSize`` and,
///   if both sides use it, ``SecKeyKeyExchangeParameter/sharedInfo``.
/// - Returns: The secret; nil if it fails, with the reason in `error`.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    reporting(.agree, to: privateKey.watchedKeychain, about: algorithm.rawValue as String, error) {
        () throws(KeyFailure) in
        try publicKey.requireExportable()
        guard case .exchange(_, let hash)? = privateKey.supported(algorithm, for: .keyExchange) else {
            throw .unsupported(algorithm)
        }
        guard !publicKey.isPrivate, case .ec(let curve) = publicKey.publicKey.type else {
            throw KeyFailure(errSecParam, "a key exchange takes a public key on an elliptic curve")
        }
        // Apple's keys compute the secret before they find that the curves differ.
        guard privateKey.publicKey.type == .ec(curve) else {
            throw KeyFailure(errSecDecode, "the two keys are on different curves")
        }
        let derivation = try hash.map { hash throws(KeyFailure) in try KeyDerivation(hash, reading: parameters) }
        return try privateKey.perform(.agree(publicKey.publicKey, derivation)).forApps()
    } ?? nil
}

extension SecKey {
    /// Carries out an operation with the private key.
    func perform(_ operation: KeyOperation) throws(KeyFailure) -> KeyOutput {
        switch kind {
        case .publicKey: throw KeyFailure(errSecParam, "this takes a private key")
        case .privateKey(let held): return try onKey(held.key.perform(operation))
        case .enclaveKey(let reference): return try reference.perform(operation)
        }
    }

    /// Throws ``errSecVerifyFailed`` if a signature is not valid.
    fileprivate func verify(
        _ signature: [UInt8], of input: [UInt8], with scheme: SignatureScheme
    ) throws(KeyFailure) {
        try scheme.requireDigest(input)
        let invalid = KeyFailure(errSecVerifyFailed, "the signature is not valid")
        var signature = signature
        if scheme.family == .rsa {
            // To Apple's RSA keys a signature is a number, so zeros in front can be missing.
            signature = EncryptionScheme.rsaRaw.completed(signature, for: publicKey.type)
            if !signature.isNumber(for: publicKey) {
                throw KeyFailure(errSecParam, "the signature is not below the modulus of the key")
            }
            // A private key decrypts the signature with the wrong exponent.
            if isPrivate { throw invalid }
            // Without padding, Apple's keys drop the zeros in front of the result, and of nothing else.
            if scheme == .rsaRaw && input.first == 0 { throw invalid }
        }
        let isValid = try onKey(publicKey.verify(signature.span.bytes, of: input.span.bytes, with: scheme))
        if !isValid { throw invalid }
    }
}

extension SignatureScheme {
    /// Throws if `input` is a digest of the wrong length, before a prompt for its signature.
    fileprivate func requireDigest(_ input: [UInt8]) throws(KeyFailure) {
        let hash: HashAlgorithm
        switch self {
        case .ecdsa(_, let function, .digest), .rsaPKCS1(let function, .digest), .rsaPSS(let function, .digest):
            hash = function
        case .ecdsa(_, _, .message), .rsaPKCS1(_, .message), .rsaPSS(_, .message), .ecdsaOfAnyDigest, .rsaRaw,
            .rsaPKCS1OfAnyDigest, .ed25519:
            return
        }
        if input.count != hash.digestCount {
            throw KeyFailure(.wrongDigestLength(expected: hash.digestCount, actual: input.count))
        }
    }
}

extension EncryptionScheme {
    /// Returns encrypted data with the zeros in front that a number of an RSA key can lack.
    fileprivate func completed(_ box: [UInt8], for type: KeyType) -> [UInt8] {
        switch self {
        case .rsaRaw, .rsaPKCS1, .rsaOAEP:
            [UInt8](repeating: 0, count: max(0, type.blockCount - box.count)) + box
        case .ecies, .rsaOAEPAESGCM: box
        }
    }
}

extension [UInt8] {
    /// Returns true if the bytes, as a number, are below the modulus of an RSA key.
    fileprivate func isNumber(for key: PublicKey) -> Bool {
        (try? key.encrypt(span.bytes, with: .rsaRaw)) != nil
    }
}

extension KeyOutput {
    fileprivate consuming func forApps() -> CFData {
        switch consume self {
        case .signature(let bytes): CFData(data: Data(bytes))
        case .secret(let secret): secret.forApps()
        }
    }
}

extension SecureBytes {
    /// Returns a copy of the bytes as apps get them, which nothing wipes.
    borrowing func forApps() -> CFData { withBytes { $0.forApps() } }
}

extension RawSpan {
    /// Returns a copy of the bytes as apps get them, which nothing wipes.
    func forApps() -> CFData { withUnsafeBytes { CFData(bytes: $0.baseAddress, length: $0.count) } }
}
