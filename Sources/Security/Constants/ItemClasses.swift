// What kind of thing an item is (semantics 2.1).

/// The key for the class of an item.
public let kSecClass: CFString = "class"
/// The class: generic password.
public let kSecClassGenericPassword: CFString = "genp"
/// The class: internet password.
public let kSecClassInternetPassword: CFString = "inet"
/// The class: certificate.
public let kSecClassCertificate: CFString = "cert"
/// The class: key.
public let kSecClassKey: CFString = "keys"
/// The class: identity (virtual: join of cert and keys rows on public-key hash).
public let kSecClassIdentity: CFString = "idnt"
