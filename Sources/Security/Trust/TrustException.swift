internal import Foundation
internal import KeyKit
internal import SodiumKit

/// The failures of one certificate of a chain that an app has chosen to ignore.
struct TrustException: Codable, Hashable, Sendable {
    /// The hash of the certificate.
    private let certificate: Data
    /// The statuses of its failures, each once and in order, so that the same failures are the same bytes.
    private let statuses: [OSStatus]

    // Apps store exceptions, so these names stay as they are.
    private enum CodingKeys: String, CodingKey {
        case certificate = "certificate"
        case statuses = "statuses"
    }

    /// Creates an exception for a certificate, from these failures of it.
    init(_ certificate: SecCertificate, ignoring failures: [TrustFailure]) {
        self.certificate = Self.hash(of: certificate)
        statuses = Set(failures.map(\.reason.status)).sorted()
    }

    /// Returns true if the exception is for this certificate.
    func covers(_ certificate: SecCertificate) -> Bool { self.certificate == Self.hash(of: certificate) }

    /// Returns true if the exception is for this certificate, and for a failure of this kind.
    func covers(_ failure: TrustFailure, of certificate: SecCertificate) -> Bool {
        statuses.contains(failure.reason.status) && covers(certificate)
    }

    /// Returns the exceptions for a chain as an app stores them; nil if there are none.
    static func encode(_ exceptions: [TrustException]) -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return exceptions.isEmpty ? nil : try? encoder.encode(exceptions)
    }

    /// Reads the exceptions for a chain; nil if the bytes are anything else.
    static func decode(_ bytes: Data) -> [TrustException]? {
        try? JSONDecoder().decode([TrustException].self, from: bytes)
    }

    private static func hash(of certificate: SecCertificate) -> Data {
        let der = certificate.certificate.der
        return Data(Checksum.of(der.span.bytes, count: 32))
    }
}
