// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import KeyKit

/// A certificate with its private key.
public final class SecIdentity: Hashable, Sendable {
    let certificate: SecCertificate
    let privateKey: SecKey

    /// Creates an identity; nil if the key is not the private key of the certificate.
    init?(_ certificate: SecCertificate, _ privateKey: SecKey) {
        guard privateKey.isPrivate, let publicKey = try? certificate.certificate.publicKey,
            privateKey.publicKey == publicKey
        else { return nil }
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// Returns true if both have the same certificate and the same key.
    public static func == (left: SecIdentity, right: SecIdentity) -> Bool {
        left.certificate == right.certificate && left.privateKey == right.privateKey
    }

    /// Hashes the certificate and the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(certificate)
        hasher.combine(privateKey)
    }
}

/// Returns the type identifier of `SecIdentity`.
public func SecIdentityGetTypeID() -> CFTypeID { 303 }

/// Creates an identity from a certificate and its private key.
///
/// - Returns: nil if the key is not the private key of the certificate.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    SecIdentity(certificate, privateKey)
}

/// Stores the certificate of an identity in `certificateRef`.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// Stores the private key of an identity in `privateKeyRef`.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    privateKeyRef.pointee = identityRef.privateKey
    return errSecSuccess
}
