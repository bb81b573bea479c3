// What kind of thing an item is (semantics 2.1).

public import Foundation

/// The key for the class of an item.
public nonisolated(unsafe) let kSecClass: CFString = "class"
/// A password of an app's own.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// A password for a server.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// A key.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// A certificate with its private key, found as one.
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
