// What kind of thing an item is (semantics 2.1).

public import Foundation

/// The key for the class of an item.
public nonisolated(unsafe) let kSecClass: CFString = "class"
/// The class: generic password.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// The class: internet password.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// The class: certificate.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// The class: key.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// The class: identity (virtual: join of cert and keys rows on public-key hash).
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
