// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Keys, certificates and identities as objects. Their attributes and bytes are stored as those of any other item; the objects
// themselves cannot be had yet: a call that asks for one answers `errSecUnimplemented`.

/// A cryptographic key. None can be had yet.
public final class SecKey: Hashable, Sendable {
    /// Creates an object for tests of the answer `errSecUnimplemented`. Nothing else does.
    package init() {}
    /// Returns true if both are the same.
    public static func == (left: SecKey, right: SecKey) -> Bool { left === right }
    /// Hashes which one it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A certificate. None can be had yet.
public final class SecCertificate: Hashable, Sendable {
    /// Creates an object for tests of the answer `errSecUnimplemented`. Nothing else does.
    package init() {}
    /// Returns true if both are the same.
    public static func == (left: SecCertificate, right: SecCertificate) -> Bool { left === right }
    /// Hashes which one it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A certificate with its private key. None can be had yet.
public final class SecIdentity: Hashable, Sendable {
    /// Creates an object for tests of the answer `errSecUnimplemented`. Nothing else does.
    package init() {}
    /// Returns true if both are the same.
    public static func == (left: SecIdentity, right: SecIdentity) -> Bool { left === right }
    /// Hashes which one it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The kind of keys.
public func SecKeyGetTypeID() -> CFTypeID { 301 }
/// The kind of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { 302 }
/// The kind of identities.
public func SecIdentityGetTypeID() -> CFTypeID { 303 }
