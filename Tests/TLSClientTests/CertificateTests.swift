import CTLS
import TLSClient
import TestSupport
import Testing

/// Hosts that are verified, and hosts that get nothing.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"), .waitsForProcesses)
struct CertificateTests {
    /// A certificate, the name that the client wants, and OpenSSL's reason for refusing; nil if it is right.
    static let table: [(certificate: String, host: String, reason: String?)] = [
        ("right", "localhost", nil), ("right", "LocalHost", nil), ("right", "127.0.0.1", nil),
        ("rsa", "localhost", nil),
        ("other-name", "localhost", "hostname mismatch"), ("other-name", "127.0.0.1", "IP address mismatch"),
        ("common-name", "localhost", "hostname mismatch"), ("expired", "localhost", "certificate has expired"),
        ("later", "localhost", "certificate is not yet valid"),
        ("self-signed", "localhost", "self-signed certificate"),
        ("unknown", "localhost", "unable to get local issuer certificate"),
        ("leaf-signed", "localhost", "unable to get local issuer certificate"),
        ("client-only", "localhost", "unsuitable certificate purpose"),
        ("small", "localhost", "EE certificate key too weak"),
        ("sha1", "localhost", "CA signature digest algorithm too weak"),
    ]

    @Test(arguments: table, [TLS1_2_VERSION, TLS1_3_VERSION])
    func onlyTheRightHostGetsBytes(row: (certificate: String, host: String, reason: String?), version: Int32) throws {
        let server = try TestServer(.init(certificate: row.certificate, versions: (version, version)))
        let failure = error {
            let connection = try TLSClient.ofTests().connect(server, to: row.host)
            try connection.write(Array("question".utf8))
            #expect(try connection.read(exactly: 8) == Array("question".utf8))
        }
        #expect(failure == row.reason.map { .certificate(reason: $0) })
        if row.reason == nil {
            // An address is not sent as a name.
            #expect(server.noted.names == [row.host == "127.0.0.1" ? nil : row.host])
        } else {
            #expect(server.noted.received.isEmpty)
        }
    }

    @Test func anOtherAuthorityDoesNotCount() throws {
        let server = try TestServer(.init(certificate: "unknown"))
        #expect(error { _ = try TLSClient.ofTests("other-ca").connect(server) } == nil)
        #expect(
            error { _ = try TLSClient(trusting: .system).connect(server) }
                == .certificate(reason: "unable to get local issuer certificate"))
        #expect(server.noted.received.isEmpty)
    }

    /// A certificate that its owner has signed is right for a client that trusts it, and for no other.
    @Test func aTrustedCertificateIsRight() throws {
        let server = try TestServer(.init(certificate: "self-signed"))
        #expect(error { _ = try TLSClient.ofTests("self-signed").connect(server) } == nil)
        // One that an authority has signed does not count as an authority.
        let other = try TestServer()
        #expect(error { _ = try TLSClient.ofTests("right").connect(other) } != nil)
    }

    @Test(arguments: ["nothing", "right.key", "", "ca.pem\0"]) func aFileWithoutCertificatesIsRefused(name: String)
        throws
    {
        let path = try TestAuthority.shared.get().path(name)
        #expect(throws: TLSError.noTrustAnchors(path: path)) { try TLSClient(trusting: .file(path)) }
    }

    @Test func oldVersionsAreRefused() throws {
        for version in [TLS1_VERSION, TLS1_1_VERSION] {
            let server = try TestServer(.init(versions: (version, version)))
            let failure = error { _ = try TLSClient.ofTests().connect(server) }
            #expect(failure?.isOfProtocol == true, "\(String(describing: failure))")
            #expect(server.noted.received.isEmpty && server.noted.handshakes == 0)
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func anotherApplicationProtocolIsRefused(version: Int32) throws {
        let versions = (first: version, last: version)
        for name in ["h2", "http/1.0", "http/1.1x"] {
            let server = try TestServer(.init(versions: versions, applicationProtocol: name))
            let failure = error {
                let connection = try TLSClient.ofTests().connect(server)
                try connection.write([1])
            }
            #expect(failure?.isOfProtocol == true, "\(String(describing: failure))")
            #expect(server.noted.received.isEmpty)
        }
        let server = try TestServer(.init(versions: versions, applicationProtocol: nil))
        let connection = try TLSClient.ofTests().connect(server)
        try connection.write([1, 2])
        #expect(try connection.read(exactly: 2) == [1, 2])
    }
}
