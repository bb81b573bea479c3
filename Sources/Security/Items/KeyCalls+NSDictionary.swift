// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The second forms of the calls on keys, for an `NSDictionary` in place of a `CFDictionary`. They are disfavored for the
// same reason as those of the calls on items.

/// Generates a private key with its public key, as the form with a `CFDictionary` does.
@_disfavoredOverload
public func SecKeyCreateRandomKey(
    _ parameters: NSDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    SecKeyCreateRandomKey(parameters.entries, error)
}

/// Generates a private key with its public key, as the form with a `CFDictionary` does.
@_disfavoredOverload
public func SecKeyGeneratePair(
    _ parameters: NSDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    SecKeyGeneratePair(parameters.entries, publicKey, privateKey)
}

/// Creates a key from its bytes, as the form with a `CFDictionary` does.
@_disfavoredOverload
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: NSDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    SecKeyCreateWithData(keyData, attributes.entries, error)
}

/// Agrees on a secret that the owner of `publicKey` can compute as well, as the form with a `CFDictionary` does.
@_disfavoredOverload
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: NSDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecKeyCopyKeyExchangeResult(privateKey, algorithm, publicKey, parameters.entries, error)
}

/// Reads identities from an archive, as the form with a `CFDictionary` does.
@_disfavoredOverload
public func SecPKCS12Import(
    _ pkcs12Data: CFData, _ options: NSDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    SecPKCS12Import(pkcs12Data, options.entries, items)
}
