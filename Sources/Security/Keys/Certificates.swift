// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// What apps do with certificates and identities, none of which can be had yet.

/// A certificate from its bytes. Not implemented: nil, as for bytes that are no certificate.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }

/// The bytes of a certificate. There is none, so there are none.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { CFData() }

/// Whom a certificate is about, in words. Not implemented: nil.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? { nil }

/// The public key in a certificate. Not implemented: nil.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }

/// The name in a certificate. Not implemented: ``errSecUnimplemented``.
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    errSecUnimplemented
}

/// The certificate of an identity. Not implemented: ``errSecUnimplemented``.
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    errSecUnimplemented
}

/// The private key of an identity. Not implemented: ``errSecUnimplemented``.
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    errSecUnimplemented
}
