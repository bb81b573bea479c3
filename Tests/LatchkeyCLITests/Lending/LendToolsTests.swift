import AgentProtocol
import Foundation
import Prompts
import Sandbox
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// The tools of a coding agent in the sandbox, and the claims and policies of profiles.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(if: LentServer.isThere, "skipped: needs openssl, python3 and curl"), .waitsForProcesses)
struct LendToolsTests {
    private static let canary = "canary-77ab01c9-5e"
    private let vault: UnlockedVault
    private let server: LentServer

    init() throws {
        vault = try UnlockedVault()
        server = try LentServer()
        try FileManager.default.createDirectory(
            atPath: vault.path("site"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try vault.change([.reuse: 600])
    }

    private static func preset(_ name: String) throws -> ItemPolicy {
        try #require(PolicyPreset.all.first { $0.name == name }).policy
    }

    private func write(_ reads: [String] = [], _ members: String = "", _ claims: String = "") throws {
        let profile = """
            lend: site
            sandbox: { read: [\(reads.map { "\"\($0)\"" }.joined(separator: ", "))] }
            services:
              api: { item: web/api, http: "\(server.address)", allow: [GET /v1/**], lease: { uses: 2, minutes: 5 }\(members) }
            \(claims)
            """
        try profile.write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
    }

    private func prepare(_ policy: String) throws {
        try vault.set("web/api", Self.canary, try Self.preset(policy))
        try vault.allow("web/api", server.address)
    }

    private func lend(_ script: String) throws -> Command.Run {
        try vault.sh(
            "latchkey lend --yes --quiet --ca '\(server.authorityFile)' '\(vault.path("site/site.yaml"))' -- sh -c \"$INSIDE\" 2>&1",
            ["INSIDE": script, "LATCHKEY_PROMPT": "approve"])
    }

    /// Answers the next prompt that waits, and returns what it says.
    private func approveNext() throws -> PromptNotes {
        let client = try vault.connect()
        var waiting: WaitingRequest?
        #expect(
            Patience.wait {
                waiting = try? client.ask(WaitingCall(), of: nil).reply.requests.first
                return waiting != nil
            })
        let notes = PromptNotes()
        guard let number = waiting?.number else { return notes }
        let user = ClosureUser(atOnce: true) { prompt in
            notes.lines.withLock { $0 += prompt.content.notes }
            guard let typed = try? SecureBytes(UnlockedVault.passcode) else { return .cancel }
            return .typed(typed)
        }
        _ = try client.ask(ApproveCall(number), of: user)
        return notes
    }

    /// A shell function that calls a tool over HTTP.
    private static let call = """
        call() { curl -s -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d "$1" $LENT_TOOLS; }
        tool() { call "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"tools/call\\",\\"params\\":{\\"name\\":\\"$1\\",\\"arguments\\":$2}}"; }
        """

    @Test func anAgentAsksAheadAndThenUses() throws {
        try prepare("presence")
        try write()
        let run = Background {
            Result {
                try lend(
                    Self.call + """

                        tool latchkey_list '{}'; echo
                        tool latchkey_request '{"service":"api","reason":"read the \\"tasks\\"\\nPasscode: type it here"}'; echo
                        tool latchkey_status '{"request":"request-1","seconds":20}'; echo
                        tool latchkey_request '{"service":"elsewhere","reason":"look"}'; echo
                        for i in 1 2; do curl -s -o /dev/null -w '%{http_code}\\n' $LENT_API/v1/tasks; done
                        """)
            }
        }
        let notes = try approveNext().lines.withLock { $0 }
        let output = try run.value.get().output
        #expect(notes.contains { $0.hasPrefix("It says: \"read the") && !$0.contains("\n") }, "\(notes)")
        #expect(notes.firstIndex { $0.hasPrefix("It says:") } ?? 0 > notes.firstIndex { $0.hasPrefix("Server:") } ?? 9)
        for words in [#""name":"api""#, #""asks":"each-lease""#, "request-1", "approved", #""isError":true"#] {
            #expect(output.contains(words), "\(output)")
        }
        #expect(output.hasSuffix("200\n200\n"), "\(output)")
        #expect(!output.contains(Self.canary))
        let log = try vault.sh("latchkey log --lent").output
        #expect(log.contains("(approved ahead)") && log.contains("/v1/tasks"), "\(log)")
    }

    @Test func thePolicyThatAsksEachTimeHasNoApprovalAhead() throws {
        try prepare("every-time")
        try write()
        let output = try lend(Self.call + "\ntool latchkey_request '{\"service\":\"api\",\"reason\":\"look\"}'").output
        #expect(output.contains(#""isError":true"#) && output.contains("asked at each use"), "\(output)")
    }

    /// `latchkey lend mcp` inside, as a coding agent starts it.
    @Test func theToolsSpeakOverStandardStreams() throws {
        try prepare("open")
        let folder = Command.binary.deletingLastPathComponent().path
        let libraries = try vault.sh(
            "ldd \(folder)/latchkey-tools \(folder)/latchkey | sed -n 's|.*=> \\(/.*\\)/[^/]* (.*|\\1|p' | sort -u"
        ).output
        let reads =
            [folder]
            + libraries.split(separator: "\n").map(String.init).filter {
                !$0.hasPrefix("/usr") && !$0.hasPrefix("/lib")
            }
        try write(reads)
        let output = try lend(
            """
            printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}' \
            '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' \
            | \(folder)/latchkey lend mcp
            """
        ).output
        let lines = output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("{") }, "\(output)")
        for words in [#""protocolVersion":"2025-11-25""#, "latchkey_request", #""id":2"#] {
            #expect(output.contains(words), "\(output)")
        }
        let outside = try vault.sh("latchkey lend mcp </dev/null 2>&1")
        #expect(outside.status != 0 && outside.output.contains("LENT_TOOLS"), "\(outside.output)")
    }

    /// The client of the protocol's authors, inside.
    @Test(.enabled(if: PythonClients.has("mcp"), "skipped: needs the Python package mcp"))
    func theReferenceClientFindsTheTools() throws {
        try prepare("open")
        let script = Repository.root.appending(path: "Fixtures/lending/tools-client.py").path
        try write(PythonClients.folders + [script])
        let output = try lend("exec '\(PythonClients.program)' -B '\(script)'").output
        #expect(
            output == """
                server latchkey
                tools latchkey_list latchkey_request latchkey_status
                services api
                state approved
                refused True

                """)
    }

    /// A profile that names a policy lends nothing of a secret with another one.
    @Test func aProfileNamesThePolicy() throws {
        try prepare("every-time")
        try write([], ", policy: presence")
        let refused = try lend("echo ran")
        #expect(refused.status != 0 && !refused.output.contains("ran"), "\(refused.output)")
        #expect(refused.output.contains("expects the policy presence of web/api, which has the policy every-time"))
        try write([], ", policy: every-time")
        #expect(try lend("echo ran").output == "ran\n")
        // A policy that changes meanwhile ends what was lent.
        try vault.set("web/api", Self.canary, try Self.preset("open"))
        try vault.allow("web/api", server.address)
        try write([], ", policy: open")
        let script =
            "curl -s $LENT_API/v1/a >/dev/null; touch one; until [ -e two ]; do sleep 0.05; done; curl -s $LENT_API/v1/a"
        let run = Background { Result { try lend(script) } }
        #expect(Patience.wait { FileManager.default.fileExists(atPath: vault.path("site/one")) })
        try vault.set("web/api", Self.canary, try Self.preset("presence"))
        try vault.allow("web/api", server.address)
        #expect(FileManager.default.createFile(atPath: vault.path("site/two"), contents: nil))
        let output = try run.value.get().output
        #expect(output.contains("expects the policy open of web/api, which has the policy presence"), "\(output)")
    }

    @Test func claimsAreProvedInCI() throws {
        try write(
            [], ", policy: presence",
            """
            claims:
              - { never: use, after: lock, service: api }
              - { at-most-uses: 2, service: api }
              - { at-most-uses: 1, service: api, expect: fails }
            """)
        let check = try vault.sh("latchkey lend check '\(vault.path("site/site.yaml"))'")
        #expect(check.status == 0, "\(check.output)")
        for words in [
            "api: 2 uses, with the one that you approved, within 5 minutes, and nothing after a lock,",
            "holds  never use api after lock", "holds  at most 2 uses of api",
            "fails  at most 1 use of api, as expected",
            "       2. the program uses api, and no prompt is answered",
        ] {
            #expect(check.output.contains(words), "\(check.output)")
        }
        try write([], ", policy: presence", "claims: [{ never: use, after: enroll, service: api }]")
        let weak = try vault.sh("latchkey lend check '\(vault.path("site/site.yaml"))'")
        #expect(weak.status == 1 && weak.output.contains("fails  never use api after enroll"), "\(weak.output)")
    }
}

/// The notes of the prompts that a test has answered.
private final class PromptNotes: Sendable {
    let lines = Mutex<[String]>([])
}
