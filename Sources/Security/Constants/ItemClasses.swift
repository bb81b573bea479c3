// What kind of thing an item is (semantics 2.1).

/// The key for the class of an item.
public let kSecClass: CFString = "class"
/// A password of an app's own.
public let kSecClassGenericPassword: CFString = "genp"
/// A password for a server.
public let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
public let kSecClassCertificate: CFString = "cert"
/// A key.
public let kSecClassKey: CFString = "keys"
/// A certificate with its private key, found as one.
public let kSecClassIdentity: CFString = "idnt"
