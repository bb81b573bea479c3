import CTLS
import Foundation
import TestSupport
import Testing

/// Variables and files that change OpenSSL in other programs.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"), .waitsForProcesses)
struct EnvironmentTests {
    private func connect(
        _ server: TestServer, trusting authorities: String, _ environment: [String: String]
    ) throws -> Command.Run {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "tls-exerciser")
        return try Command.run(
            ["connect", "\(server.port)", authorities],
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }, program: program)
    }

    /// A configuration that is broken, that loads no ciphers, or that permits old versions, does not reach a client.
    @Test(arguments: [
        "openssl_conf = \n][", "openssl_conf = a\n[a]\nproviders = b\n[b]\nlegacy = c\n[c]\nactivate = 1\n",
        """
        openssl_conf = a
        [a]
        ssl_conf = b
        [b]
        system_default = c
        [c]
        MinProtocol = TLSv1
        MaxProtocol = TLSv1.1
        CipherString = ALL:@SECLEVEL=0

        """,
    ])
    func theConfigurationOfOpenSSLDoesNotMatter(text: String) throws {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: folder.url.appending(path: "openssl.cnf"))
        let environment = ["OPENSSL_CONF": folder.path("openssl.cnf")]
        let authorities = try TestAuthority.shared.get().path("ca.pem")
        let run = try connect(TestServer(), trusting: authorities, environment)
        #expect(run.status == 0 && run.output == "connected\n", "\(run.errors)")
        let old = try TestServer(.init(versions: (TLS1_VERSION, TLS1_1_VERSION)))
        #expect(try connect(old, trusting: authorities, environment).status != 0)
    }

    /// The environment cannot name other authorities than those of the system.
    @Test func theEnvironmentNamesNoAuthorities() throws {
        let authority = try TestAuthority.shared.get()
        let server = try TestServer()
        let run = try connect(
            server, trusting: "system",
            ["SSL_CERT_FILE": authority.path("ca.pem"), "SSL_CERT_DIR": authority.path("")])
        #expect(run.status != 0)
        #expect(run.errors.contains("unable to get local issuer certificate"), "\(run.errors)")
        #expect(server.noted.received.isEmpty)
    }
}
