// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit

/// An X.509 certificate.
///
/// ```swift
/// guard let certificate = SecCertificateCreateWithData(nil, der as CFData) else { return }
/// let name = SecCertificateCopySubjectSummary(certificate) as String?
/// ```
public final class SecCertificate: Hashable, Sendable {
    let certificate: Certificate

    init(_ certificate: Certificate) { self.certificate = certificate }

    /// Returns true if both have the same bytes.
    public static func == (left: SecCertificate, right: SecCertificate) -> Bool {
        left.certificate == right.certificate
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

/// Returns the type identifier of `SecCertificate`.
public func SecCertificateGetTypeID() -> CFTypeID { 302 }

/// Creates a certificate from its bytes in DER. Bytes behind the certificate are ignored.
///
/// - Returns: nil if the bytes are no certificate in DER, for example because they are in PEM.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    let bytes = data as Data
    return (try? Certificate(beginning: bytes.bytes)).map(SecCertificate.init)
}

/// Returns the bytes of a certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { CFData(certificate.certificate.der) }

/// Returns a short text for a list: usually the common name of the subject. Returns nil if the subject has no name.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.certificate.summary as CFString?
}

/// Returns the public key of a certificate; nil if its type is not supported.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    (try? certificate.certificate.publicKey).flatMap { $0.type == .ed25519 ? nil : SecKey($0) }
}

/// Returns the public key of a certificate. Deprecated by Apple: use ``SecCertificateCopyKey(_:)``. iOS only.
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? {
    SecCertificateCopyKey(certificate)
}

/// Stores the last common name of a certificate's subject in `commonName`.
///
/// - Returns: ``errSecSuccess``, or -26276 if the subject has no common name.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    guard let name = certificate.certificate.commonName else { return errSecInternal }
    commonName.pointee = name as CFString
    return errSecSuccess
}

/// Stores the e-mail addresses of a certificate in `emailAddresses`: an array of strings, which can be empty.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    emailAddresses.pointee = certificate.certificate.emailAddresses as CFArray
    return errSecSuccess
}

/// Returns the serial number: the content of the integer in DER.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    CFData(certificate.certificate.serialNumber)
}

/// Returns the serial number. Deprecated by Apple: use ``SecCertificateCopySerialNumberData(_:_:)``. iOS only.
public func SecCertificateCopySerialNumber(_ certificate: SecCertificate) -> CFData? {
    SecCertificateCopySerialNumberData(certificate, nil)
}

/// Returns the name of the signer as a sequence in DER, in the form in which names are compared.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    CFData(certificate.certificate.issuer.normalized)
}

/// Returns the name of the owner as a sequence in DER, in the form in which names are compared.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    CFData(certificate.certificate.subject.normalized)
}

/// Returns the first second at which a certificate is valid.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    Date(timeIntervalSince1970: TimeInterval(certificate.certificate.notBefore)) as CFDate
}

/// Returns the last second at which a certificate is valid.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    Date(timeIntervalSince1970: TimeInterval(certificate.certificate.notAfter)) as CFDate
}

extension NSData {
    convenience init(_ bytes: [UInt8]) { self.init(data: Data(bytes)) }
}

/// A private status of Apple's, which some calls return.
let errSecInternal: OSStatus = -26276
