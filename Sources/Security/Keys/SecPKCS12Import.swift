// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Takes identities and certificates out of a PKCS #12 file. Not implemented: ``errSecUnimplemented``.
public func SecPKCS12Import(
    _ pkcs12Data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    errSecUnimplemented
}

/// The passphrase that a file is locked with: a text.
public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
/// The keychain in a file to store in. macOS only.
public nonisolated(unsafe) let kSecImportExportKeychain: CFString = "keychain"
/// Who may use what was taken out. macOS only.
public nonisolated(unsafe) let kSecImportExportAccess: CFString = "access"
/// What people see the identity called.
public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"
/// The identifier of the key: bytes.
public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"
/// How far the certificates are trusted.
public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"
/// The certificates up to the one that all rests on: a list.
public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"
/// The identity: a ``SecIdentity``.
public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
