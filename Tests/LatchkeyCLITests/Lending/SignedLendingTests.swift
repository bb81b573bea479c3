import AgentProtocol
import Foundation
import Sandbox
import TestSupport
import Testing

/// `latchkey lend` for a service that wants signatures: a real sandbox, a real agent, and a server that checks each signature.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(if: LentServer.isThere, "skipped: needs openssl, python3 and curl"), .waitsForProcesses)
struct SignedLendingTests {
    private static let canary = "canary/9b1d7c42+SecretAccessKey0"
    private let vault: UnlockedVault
    private let server: LentServer

    init() throws {
        vault = try UnlockedVault()
        server = try LentServer("signed-server.py", [Self.canary])
        try FileManager.default.createDirectory(
            atPath: vault.path("site"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try vault.set("work/aws", Self.canary)
        try saveField("access-key", "AKIDEXAMPLE")
        try vault.allow("work/aws", server.address)
        let profile = """
            lend: site
            services:
              store:
                item: work/aws
                http: "\(server.address)"
                as: sigv4 s3 eu-central-1
                allow: [GET /site-preview/**, PUT /site-preview/**]
                lease: { uses: 20, minutes: 30 }
                set: { STORE: url, AWS_SECRET_ACCESS_KEY: placeholder }

            """
        try profile.write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
    }

    private func saveField(_ name: String, _ value: String) throws {
        let run = try vault.sh("printf %s '\(value)' | latchkey edit work/aws --field \(name) 2>&1")
        try #require(run.status == 0, "\(run.output)")
    }

    private func lend(_ script: String) throws -> Command.Run {
        let words = "--yes --quiet --ca '\(server.authorityFile)' '\(vault.path("site/site.yaml"))'"
        return try vault.sh("latchkey lend \(words) -- sh -c \"$INSIDE\" 2>&1", ["INSIDE": script])
    }

    /// The hash of `hello`.
    private static let hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

    /// Clients sign with words that are worth nothing, or not at all.
    @Test func requestsAreSignedAnew() throws {
        let run = try lend(
            """
            curl -s "$STORE/site-preview/a%20b?list-type=2&prefix=x%2Fy&delimiter" | head -1
            curl -s --aws-sigv4 aws:amz:us-east-1:sts --user "mine:$AWS_SECRET_ACCESS_KEY" "$STORE/site-preview/c?b=2&a=1" | head -1
            curl -s -X PUT -H 'x-amz-content-sha256: \(Self.hash)' -H 'x-amz-meta-a:  b   c ' -H 'X-Amz-Date: 20000101T000000Z' \
                -H 'Content-Type: text/plain' -H 'Expect: 100-continue' -d hello "$STORE/site-preview/d" | head -1
            env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline site.yaml | tr '\\0' '\\n'
            """)
        #expect(run.output.hasPrefix("right\nright\nright\n"), "\(run.output)")
        #expect(!run.output.contains("SecretAccessKey"), "\(run.output)")
        #expect(
            server.end() == [
                "GET /site-preview/a%20b?list-type=2&prefix=x%2Fy&delimiter AKIDEXAMPLE/eu-central-1/s3/aws4_request None 0 right",
                "GET /site-preview/c?b=2&a=1 AKIDEXAMPLE/eu-central-1/s3/aws4_request None 0 right",
                "PUT /site-preview/d AKIDEXAMPLE/eu-central-1/s3/aws4_request None 5 right",
            ])
        let log = try vault.sh("latchkey log").output
        #expect(log.contains("lent to site for PUT \(server.address)/site-preview/d"), "\(log)")
    }

    /// The token of a session is signed and sent, and is taken out of answers.
    @Test func aSessionHasItsToken() throws {
        try saveField("session-token", "canary-token-0123456789==")
        let run = try lend("curl -s -H 'X-Amz-Security-Token: mine' \"$STORE/site-preview/a\"")
        #expect(run.output.contains("right\n") && run.output.contains("x-amz-security-token: ***"), "\(run.output)")
        #expect(!run.output.contains("canary-token"), "\(run.output)")
        #expect(
            server.end() == [
                "GET /site-preview/a AKIDEXAMPLE/eu-central-1/s3/aws4_request canary-token-0123456789== 0 right"
            ])
    }

    /// What a signature would not cover, or the profile does not allow, is refused with a sentence, and nothing is sent.
    @Test func theRestIsRefused() throws {
        let run = try lend(
            """
            curl -s "$STORE/site-other/a"; curl -s -X DELETE "$STORE/site-preview/a"
            curl -s "$STORE/site-preview/a?X-Amz-Signature=1"; curl -s "$STORE/site-preview/a?b=c+d"
            curl -s -X PUT -d hello "$STORE/site-preview/a"
            curl -s -X PUT -d hello -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "$STORE/site-preview/a"
            curl -s -X PUT -d hello -H 'x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD' "$STORE/site-preview/a"
            curl -s -X PUT -H 'x-amz-copy-source: /other/secret' "$STORE/site-preview/a"
            """)
        for words in [
            "does not allow GET /site-other/a", "does not allow DELETE /site-preview/a",
            "signature or a key of its own",
            "a plus sign as %2B", "the body has no hash", "instead of UNSIGNED-PAYLOAD", "signed in parts",
            "copies another object",
        ] {
            #expect(run.output.contains(words), "\(words): \(run.output)")
        }
        #expect(server.end() == [])
    }

    /// The program that lends never has the secret: only the agent does.
    @Test(.enabled(if: Privileges.isRoot, "skipped: needs root, to read the memory of a process"))
    func theLenderNeverHasTheSecret() throws {
        let script = "curl -s \"$STORE/site-preview/a\" | head -1; touch used; until [ -e looked ]; do sleep 0.05; done"
        let run = Background { Result { try lend(script) } }
        var needles = Needles()
        needles.add("the secret", Array(Self.canary.utf8))
        needles.add("its end", Array(Self.canary.utf8.suffix(16)))
        needles.add("base64", Array(Data(Self.canary.utf8).base64EncodedString().utf8.prefix(24)))
        var control = Needles()
        control.add("the identifier", Array("AKIDEXAMPLE/".utf8))
        control.add("the name", Array("work/aws".utf8))
        defer { try? Data().write(to: URL(filePath: vault.path("site/looked"))) }
        try #require(Patience.wait { FileManager.default.fileExists(atPath: vault.path("site/used")) })
        let seen = try vault.requireForgotten(needles, byLendersOf: "site/site.yaml", finding: control)
        #expect(seen.contains("the name"), "the search finds what is there")
        try Data().write(to: URL(filePath: vault.path("site/looked")))
        #expect(try run.value.get().output.hasPrefix("right\n"))
    }
}
