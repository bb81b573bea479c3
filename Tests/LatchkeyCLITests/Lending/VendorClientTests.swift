import AgentProtocol
import Foundation
import Sandbox
import TestSupport
import Testing

/// Clients of vendors, as programs use them: they find the lent addresses by the variables that they know, and work with a placeholder.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(if: LentServer.isThere, "skipped: needs openssl, python3 and curl"), .waitsForProcesses)
struct VendorClientTests {
    private static let canary = "canary/6e0d41c9+VendorClientKey0"
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try vault.set("work/key", Self.canary)
        try FileManager.default.createDirectory(
            atPath: vault.path("site"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    private func models() throws -> LentServer { try LentServer("model-server.py", [vault.path("site")]) }

    /// Runs a client in a sandbox that has its Python. Returns what it printed.
    private func run(_ client: String, at server: LentServer, _ service: String) throws -> String {
        try vault.allow("work/key", server.address)
        let file = "\(client)-client.py"
        try FileManager.default.copyItem(
            at: Repository.root.appending(path: "Fixtures/lending/\(file)"),
            to: URL(filePath: vault.path("site/\(file)")))
        let reads = PythonClients.folders.map { "\"\($0)\"" }.joined(separator: ", ")
        let profile = """
            lend: site
            sandbox: { read: [\(reads)] }
            services:
              api: { item: work/key, http: "\(server.address)", \(service) }

            """
        try profile.write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
        let words = "--yes --quiet --ca '\(server.authorityFile)' '\(vault.path("site/site.yaml"))'"
        let run = try vault.sh("latchkey lend \(words) -- '\(PythonClients.program)' -B \(file) 2>&1")
        #expect(run.status == 0, "\(run.output)")
        #expect(!run.output.contains(Self.canary), "\(run.output)")
        return run.output
    }

    private static let streamed = "streamed one \nstreamed two \nstreamed three \nstreamed four\n"

    /// The server sends an event once the client has seen the one before, so nothing is held back.
    @Test(.enabled(if: PythonClients.has("openai"), "skipped: needs the Python package openai"))
    func openai() throws {
        let server = try models()
        let output = try run(
            "openai", at: server, "allow: [GET /v1/models, POST /v1/chat/completions], set: openai")
        let together = (0..<8).map { "'answer to number \($0)'" }.joined(separator: ", ")
        #expect(
            output.hasPrefix("models ['m']\nanswer to first\n\(Self.streamed)together [\(together)]\nrefused "),
            "\(output)")
        #expect(output.contains("the profile site does not allow GET /v1/files at api"), "\(output)")
        let requests = server.end()
        // What is refused is not tried again.
        #expect(requests.count == 11, "\(requests)")
        #expect(requests.allSatisfy { $0.contains(" authorization=Bearer \(Self.canary) ") }, "\(requests)")
    }

    @Test(.enabled(if: PythonClients.has("anthropic"), "skipped: needs the Python package anthropic"))
    func anthropic() throws {
        let server = try models()
        let output = try run("anthropic", at: server, "as: x-api-key, allow: [POST /v1/messages], set: anthropic")
        #expect(output.hasPrefix("answer to first\n\(Self.streamed)whole one two three four\nrefused "), "\(output)")
        #expect(output.contains("the profile site does not allow GET /v1/models at api"), "\(output)")
        // The server is overloaded at first, and the client tries again.
        let requests = server.end()
        #expect(requests.count == 3, "\(requests)")
        #expect(requests.allSatisfy { $0.hasPrefix("POST /v1/messages x-api-key=\(Self.canary) ") }, "\(requests)")
    }

    @Test(.enabled(if: PythonClients.has("requests"), "skipped: needs the Python package requests"))
    func requests() throws {
        let server = try models()
        let output = try run(
            "requests", at: server,
            "allow: [GET /v1/**, POST /v1/things], set: { API_URL: url, API_TOKEN: placeholder }")
        #expect(
            output.hasPrefix(
                """
                {'size': 0, 'query': 'q=a+b%26c'}
                {'size': 0, 'query': ''}
                {'size': 5, 'query': ''}
                {'size': 2000000, 'query': ''}
                {'size': 12, 'query': ''}
                cookies 0
                streamed data: one
                streamed data: two
                streamed data: three
                streamed data: four
                refused 403 
                """), "\(output)")
        #expect(output.contains("the profile site does not allow DELETE /v1/things at api"), "\(output)")
        let requests = server.end()
        #expect(requests.count == 6, "\(requests)")
        #expect(
            requests.allSatisfy { $0.contains(" authorization=Bearer \(Self.canary) ") && !$0.contains("cookie") },
            "\(requests)")
    }

    /// The client signs with a placeholder, and the server checks the signature of the agent.
    @Test(.enabled(if: PythonClients.has("boto3"), "skipped: needs the Python package boto3"))
    func boto3() throws {
        let server = try LentServer("signed-server.py", [Self.canary, "as-s3"])
        let field = try vault.sh("printf AKIDEXAMPLE | latchkey edit work/key --field access-key 2>&1")
        try #require(field.status == 0, "\(field.output)")
        let output = try run(
            "aws", at: server,
            """
            as: sigv4 s3 eu-central-1, allow: [GET /site-preview/**, PUT /site-preview/**], \
            set: { AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: placeholder, AWS_SECRET_ACCESS_KEY: placeholder }
            """)
        let lines = output.split(separator: "\n").map(String.init)
        #expect(
            lines.count { $0 == "put 200" } == 2 && lines.contains("got right") && lines.contains("uploaded"),
            "\(output)")
        #expect(lines.count { $0.hasPrefix("refused ") && $0 != "refused None" } == 2, "\(output)")
        let scope = "AKIDEXAMPLE/eu-central-1/s3/aws4_request None"
        #expect(
            server.end() == [
                "PUT /site-preview/a%20b/%C3%BC.txt \(scope) 5 right",
                "PUT /site-preview/a%20b/%C3%BC.txt \(scope) 5 right",
                "GET /site-preview/a%20b/%C3%BC.txt \(scope) 0 right",
                "PUT /site-preview/large \(scope) 3000000 right",
            ])
    }
}
