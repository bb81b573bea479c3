import Foundation
import Synchronization
import TestSupport

/// A web server behind TLS on loopback, a process of its own, with a certificate of an authority of the test.
final class LentServer: Sendable {
    static let isThere =
        CertificateMaker.isThere
        && ["/usr/bin/python3", "/usr/bin/curl"].allSatisfy(FileManager.default.isExecutableFile(atPath:))

    static let isGitThere = ["/usr/bin/git", "/usr/lib/git-core/git-http-backend"].allSatisfy(
        FileManager.default.isExecutableFile(atPath:))

    /// The address, as `https://localhost:PORT`.
    let address: String
    private let program: Mutex<SpawnedProgram?>
    private let authority: CertificateMaker

    struct CannotStart: Error {}

    init(_ script: String = "server.py", _ words: [String] = []) throws {
        authority = try Self.made.get()
        let script = Repository.root.appending(path: "Fixtures/lending/\(script)").path
        var program = try SpawnedProgram(
            path: "/usr/bin/python3",
            ["-B", script, authority.path("server.pem"), authority.path("server.key")] + words)
        guard let port = program.line() else { throw CannotStart() }
        address = "https://localhost:\(port)"
        self.program = Mutex(program)
    }

    private static let made = Result {
        let maker = try CertificateMaker()
        try maker.make("ca", days: ("20240101", "20991231"), CertificateMaker.authority)
        try maker.make("server", by: "ca", days: ("20240101", "20991231"), ["subjectAltName = DNS:localhost"])
        return maker
    }

    /// The file with the certificate of the authority.
    var authorityFile: String { authority.path("ca.pem") }

    deinit { end() }

    /// Waits for the next line: a request.
    func line() -> String? { program.withLock { $0?.line() } }

    /// Ends the server. Returns the lines of all requests.
    @discardableResult
    func end() -> [String] {
        program.withLock { running in
            guard var program = running else { return [] }
            running = nil
            program.kill()
            defer { program.end() }
            return program.lines()
        }
    }
}
