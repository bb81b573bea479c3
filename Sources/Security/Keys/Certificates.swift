// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The calls on certificates and identities. None of these objects exists yet, so the calls only let such code compile.

/// Creates a certificate from its bytes. Not implemented: returns nil, as for bytes that are no certificate.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }

/// Returns the bytes of a certificate. Not implemented: returns no bytes.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { CFData() }

/// Returns a summary of a certificate's subject. Not implemented: returns nil.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? { nil }

/// Returns the public key of a certificate. Not implemented: returns nil.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }

/// Returns the common name of a certificate. Not implemented: returns ``errSecUnimplemented``.
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    errSecUnimplemented
}

/// Returns the certificate of an identity. Not implemented: returns ``errSecUnimplemented``.
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    errSecUnimplemented
}

/// Returns the private key of an identity. Not implemented: returns ``errSecUnimplemented``.
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    errSecUnimplemented
}
