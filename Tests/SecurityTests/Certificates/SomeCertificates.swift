import Foundation
import Security
import TestSupport

/// Certificates and archives for tests, which `openssl` makes once.
struct SomeCertificates: Sendable {
    /// A day on which the certificates are valid: June 1, 2025.
    static let day = Date(timeIntervalSince1970: 1_748_736_000)
    static let passphrase = "größe"

    static let shared: SomeCertificates = {
        do { return try SomeCertificates() } catch { preconditionFailure("no certificates: \(error)") }
    }()

    /// A self-signed root, the authority below it, and the certificate of a server below that.
    let root: SecCertificate
    let authority: SecCertificate
    let leaf: SecCertificate
    /// Another certificate of the same key.
    let renewed: SecCertificate
    /// A self-signed certificate with e-mail addresses, of an RSA key.
    let person: SecCertificate
    /// Archives with the identity of the leaf and its chain, that of the person, and certificates alone.
    let leafArchive: Data
    let personArchive: Data
    let oldArchive: Data
    let certificateArchive: Data
    /// The name of the authority in DER.
    let authorityName: Data

    private init() throws {
        let maker = try CertificateMaker()
        func make(
            _ name: String, by issuer: String? = nil, subject: String? = nil, key: CertificateMaker.Key = .ec("P-256"),
            days: (String, String) = ("20240101", "20260101"), _ extensions: [String]
        ) throws -> SecCertificate {
            let der = try maker.make(name, by: issuer, subject: subject, key: key, days: days, extensions)
            guard let certificate = SecCertificateCreateWithData(nil, der as CFData) else {
                preconditionFailure("\(name) is no certificate")
            }
            return certificate
        }
        let server = [
            "subjectKeyIdentifier = hash", "extendedKeyUsage = serverAuth", "subjectAltName = DNS:example.com",
        ]
        root = try make("root", days: ("20200101", "20400101"), CertificateMaker.authority)
        authority = try make(
            "authority", by: "root", days: ("20200101", "20400101"), CertificateMaker.authority)
        leaf = try make("leaf", by: "authority", subject: "/O=Example/CN=Some Name", server)
        leafArchive = try maker.archive("leaf", with: ["authority", "root"], passphrase: Self.passphrase)
        certificateArchive = try maker.archive("leaf", passphrase: Self.passphrase, ["-nokeys"])
        renewed = try make("leaf", by: "authority", subject: "/CN=renewed", server)
        person = try make(
            "person", subject: "/CN=Person/emailAddress=one@example.com", key: .rsa(2048),
            ["subjectAltName = email:two@example.com"])
        personArchive = try maker.archive("person", passphrase: "")
        oldArchive = try maker.archive("person", passphrase: Self.passphrase, ["-legacy"])
        let normalized = SecCertificateCopyNormalizedSubjectSequence(authority)
        authorityName = normalized.map { $0 as Data } ?? Data()
    }

    /// Returns the only identity of an archive.
    static func identity(_ archive: Data, _ passphrase: String = Self.passphrase) -> SecIdentity {
        var items: CFArray?
        let status = SecPKCS12Import(
            archive as CFData, [kSecImportExportPassphrase: passphrase] as CFDictionary, &items)
        guard let first = (items as? [[String: Any]])?.first,
            let identity = first[kSecImportItemIdentity as String] as? SecIdentity
        else { preconditionFailure("there is no identity: \(status)") }
        return identity
    }
}

extension SecCertificate {
    var der: Data { SecCertificateCopyData(self) as Data }
}
