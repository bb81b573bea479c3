// The item classes (semantics 2.1).

public import Foundation

/// The key for the class of an item.
public nonisolated(unsafe) let kSecClass: CFString = "class"
/// The class of generic passwords, for accounts of any service.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// The class of internet passwords, for accounts on a server.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// The class of certificates.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// The class of keys.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// The class of identities: a certificate with its private key, found as one item.
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
