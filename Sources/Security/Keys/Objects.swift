// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Certificates and identities as objects. Their attributes and bytes are stored like those of any other item. The objects
// do not exist yet: a call that asks for one answers `errSecUnimplemented`.

/// A certificate. No call returns one yet.
public final class SecCertificate: Hashable, Sendable {
    /// Creates an object for tests of the answer `errSecUnimplemented`. No other code creates one.
    package init() {}
    /// Returns true if both are the same object.
    public static func == (left: SecCertificate, right: SecCertificate) -> Bool { left === right }
    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A certificate with its private key. No call returns one yet.
public final class SecIdentity: Hashable, Sendable {
    /// Creates an object for tests of the answer `errSecUnimplemented`. No other code creates one.
    package init() {}
    /// Returns true if both are the same object.
    public static func == (left: SecIdentity, right: SecIdentity) -> Bool { left === right }
    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Returns the type identifier of `SecCertificate`.
public func SecCertificateGetTypeID() -> CFTypeID { 302 }
/// Returns the type identifier of `SecIdentity`.
public func SecIdentityGetTypeID() -> CFTypeID { 303 }
