import TLSClient
import TestSupport

/// The time in milliseconds that a test waits for something that has to happen.
let patience = Patience.seconds * 1000

/// An authority with certificates of all kinds, made once by the command `openssl`.
struct TestAuthority: Sendable {
    static let shared = Result { try TestAuthority() }

    private let maker: CertificateMaker

    /// The last day is long after the tests, and the first long before.
    private static let days = ("20240101", "20991231")

    private init() throws {
        maker = try CertificateMaker()
        let names = ["subjectAltName = DNS:localhost, IP:127.0.0.1"]
        try maker.make("ca", days: Self.days, CertificateMaker.authority)
        try maker.make("other-ca", days: Self.days, CertificateMaker.authority)
        try maker.make("right", by: "ca", days: Self.days, names)
        try maker.make("rsa", by: "ca", key: .rsa(2048), days: Self.days, names)
        try maker.make("small", by: "ca", key: .rsa(1024), days: Self.days, names)
        try maker.make("sha1", by: "ca", days: Self.days, hash: "sha1", names)
        try maker.make("expired", by: "ca", days: ("20240101", "20240102"), names)
        try maker.make("later", by: "ca", days: ("20990101", "20991231"), names)
        try maker.make("other-name", by: "ca", days: Self.days, ["subjectAltName = DNS:example.com, IP:127.0.0.2"])
        try maker.make("common-name", by: "ca", subject: "/CN=localhost", days: Self.days)
        try maker.make("client-only", by: "ca", days: Self.days, names + ["extendedKeyUsage = clientAuth"])
        try maker.make("self-signed", days: Self.days, names)
        try maker.make("unknown", by: "other-ca", days: Self.days, names)
        try maker.make("leaf-signed", by: "right", days: Self.days, names)
    }

    func path(_ name: String) -> String { maker.path(name) }
}
