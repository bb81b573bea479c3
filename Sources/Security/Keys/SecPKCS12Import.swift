// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Imports identities and certificates from a PKCS #12 file. Not implemented: returns ``errSecUnimplemented``.
public func SecPKCS12Import(
    _ pkcs12Data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    errSecUnimplemented
}

/// The option for the passphrase of the file: a string.
public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
/// The option for the keychain file to import into. macOS only.
public nonisolated(unsafe) let kSecImportExportKeychain: CFString = "keychain"
/// The option for the access list of the imported items. macOS only.
public nonisolated(unsafe) let kSecImportExportAccess: CFString = "access"
/// The result key for the label of the identity.
public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"
/// The result key for the identifier of the key: data.
public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"
/// The result key for the trust in the certificates.
public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"
/// The result key for the certificates up to the root: an array.
public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"
/// The result key for the identity: a ``SecIdentity``.
public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
