internal import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault
internal import SodiumKit

// Certificates as items of the keychain.

extension SecCertificate {
    /// Creates the certificate of an entry that was found with its data; nil if the data is no certificate.
    convenience init?(_ entry: FoundEntry) {
        let certificate = entry.secret.flatMap { secret in
            secret.bytes.withBytes { try? Certificate(beginning: $0) }
        }
        guard let certificate else { return nil }
        self.init(certificate)
    }

    /// Returns the attributes under which the certificate is stored, or by which a query finds it. Only a new item gets a
    /// label.
    func itemAttributes(isNew: Bool) throws(StatusError) -> [String: Any] {
        let fingerprint: [UInt8]
        do { fingerprint = try certificate.publicKeyFingerprint } catch { throw StatusError(error) }
        var attributes: [String: Any] = [
            Name.kSecClass: ItemClass.certificate.rawValue,
            kSecAttrCertificateType as String: certificate.version,
            kSecAttrCertificateEncoding as String: 3,  // DER
            kSecAttrSubject as String: Data(certificate.subject.normalizedContent),
            kSecAttrIssuer as String: Data(certificate.issuer.normalizedContent),
            kSecAttrSerialNumber as String: Data(certificate.serialNumber),
            kSecAttrPublicKeyHash as String: Data(fingerprint),
        ]
        if let identifier = certificate.subjectKeyIdentifier {
            attributes[kSecAttrSubjectKeyID as String] = Data(identifier)
        }
        if isNew, let label = certificate.summary { attributes[Name.kSecAttrLabel] = label }
        return attributes
    }
}

extension DistinguishedName {
    /// Returns the content by which names are compared and stored, if the bytes are a whole name in DER.
    static func normalizedContent(of bytes: [UInt8]) -> [UInt8]? {
        (try? DistinguishedName(der: bytes.span.bytes))?.normalizedContent
    }
}
