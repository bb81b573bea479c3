// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The calls on keys. No key object exists yet: the calls let such code compile, and answer `errSecUnimplemented`.

/// Creates a key or a key pair. Not implemented: returns nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?)
    -> SecKey?
{
    unimplemented(error)
}

/// Creates a key from its bytes. Not implemented: returns nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unimplemented(error)
}

/// Returns the public key of a private one. Not implemented: returns nil.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }

/// Returns the bytes of a key. Not implemented: returns nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?)
    -> CFData?
{
    unimplemented(error)
}

/// Returns the attributes of a key. Not implemented: returns nil.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { nil }

/// Signs data. Not implemented: returns nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unimplemented(error)
}

/// Verifies a signature. Not implemented: returns false, with ``errSecUnimplemented`` in `error`.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    unimplemented(error) ?? false
}

/// Encrypts data. Not implemented: returns nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unimplemented(error)
}

/// Decrypts data. Not implemented: returns nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unimplemented(error)
}

/// Agrees on a shared secret. Not implemented: returns nil, with ``errSecUnimplemented`` in `error`.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unimplemented(error)
}

/// Returns true if a key supports an algorithm. No key does yet, so it returns false.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    false
}

/// Returns the block size of a key. Not implemented: returns zero.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { 0 }

/// Returns nil, with ``errSecUnimplemented`` in `error`.
private func unimplemented<Result>(_ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> Result? {
    error?.pointee = .passRetained(NSError(status: errSecUnimplemented))
    return nil
}
