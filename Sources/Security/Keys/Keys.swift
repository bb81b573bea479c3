// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// What apps do with keys. No key can be had yet, so each call answers `errSecUnimplemented`. Code that also
// works with keys can be built.

/// Makes a key, or a pair. Not implemented: nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?)
    -> SecKey?
{
    unimplemented(error)
}

/// Makes a key from its bytes. Not implemented: nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unimplemented(error)
}

/// The public key of a private one. Not implemented: nil.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }

/// The bytes of a key. Not implemented: nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?)
    -> CFData?
{
    unimplemented(error)
}

/// The attributes of a key. Not implemented: nil.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { nil }

/// Signs. Not implemented: nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unimplemented(error)
}

/// Verifies a signature. Not implemented: false, with ``errSecUnimplemented`` in `error`.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    unimplemented(error) ?? false
}

/// Encrypts. Not implemented: nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unimplemented(error)
}

/// Decrypts. Not implemented: nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unimplemented(error)
}

/// Agrees on a secret. Not implemented: nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unimplemented(error)
}

/// Returns true if a key can be used so. None can yet: false.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    false
}

/// The size of the blocks that a key works on. Not implemented: zero.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { 0 }

/// Nothing, and in `error` that there can be nothing yet.
private func unimplemented<Result>(_ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> Result? {
    error?.pointee = .passRetained(NSError(status: errSecUnimplemented))
    return nil
}
