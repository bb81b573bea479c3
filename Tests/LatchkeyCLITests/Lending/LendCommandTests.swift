import AccessPolicy
import AgentProtocol
import Foundation
import Sandbox
import TestSupport
import Testing

/// `latchkey lend`, as a user runs it: a real sandbox, a real agent, and a server behind TLS on loopback.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(if: LentServer.isThere, "skipped: needs openssl, python3 and curl"), .waitsForProcesses)
struct LendCommandTests {
    private static let canary = "canary-4f1c9ab2-7d"
    private let vault: UnlockedVault
    private let server: LentServer

    init() throws {
        vault = try UnlockedVault()
        server = try LentServer()
        try FileManager.default.createDirectory(
            atPath: vault.path("site"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// Stores a secret, lets it be lent, and writes a profile.
    private func prepare(
        _ policy: ItemPolicy = ItemPolicy(.whenUnlockedThisDeviceOnly, []), _ members: String = "",
        isAllowed: Bool = true
    ) throws {
        try vault.set("web/api", Self.canary, policy)
        if isAllowed { try vault.allow("web/api", server.address) }
        try write(members)
    }

    private func write(_ members: String) throws {
        let profile = """
            lend: site
            services:
              api: { item: web/api, http: "\(server.address)", allow: [GET /v1/**, POST /v1/messages]\(members), set: { API: url } }

            """
        try profile.write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
    }

    /// Runs a script of the shell in the sandbox.
    private func lend(_ script: String, _ options: String = "--yes --quiet") throws -> Command.Run {
        let words = "\(options) --ca '\(server.authorityFile)' '\(vault.path("site/site.yaml"))'"
        return try vault.sh("latchkey lend \(words) -- sh -c \"$INSIDE\" 2>&1", ["INSIDE": script])
    }

    /// Runs a script, and `body` outside meanwhile. The two tell each other by files in the work folder how far they are.
    private func lend(_ script: String, meanwhile body: () throws -> Void) throws -> Command.Run {
        let run = Background { Result { try lend(script) } }
        do { try body() } catch {
            _ = try? vault.sh("latchkey lend end")
            throw error
        }
        return try run.value.get()
    }

    private func waitFor(_ name: String) throws {
        try #require(Patience.wait { FileManager.default.fileExists(atPath: vault.path("site/\(name)")) }, "\(name)")
    }

    private func touch(_ name: String) throws { try Data().write(to: URL(filePath: vault.path("site/\(name)"))) }

    /// The program looks everywhere, and has the server send back all that it got.
    @Test func theSecretIsUsedAndNowhereFound() throws {
        try prepare()
        let run = try lend(
            """
            env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'; ls -laR "$HOME" /run /tmp; cat site.yaml
            curl -s "$API/v1/models?key=guess"; curl -s "$API/v1/echo" -H 'Authorization: Bearer mine' -H 'Cookie: a=b'
            curl -si "$API/v1/elsewhere"; curl -s -d hello "$API/v1/messages"; curl -s -H 'Host: localhost:4001' "$API/v1/host"
            exit 9
            """)
        #expect(run.status == 9, "\(run.output)")
        let base64 = Data(Self.canary.utf8).base64EncodedString()
        for text in [Self.canary, String(base64.dropLast(2)), "set-cookie", "elsewhere.example.com"] {
            #expect(!run.output.contains(text), "\(text): \(run.output)")
        }
        #expect(run.output.contains("answer to GET of 0 bytes") && run.output.contains("answer to POST of 5 bytes"))
        #expect(run.output.contains("authorization: Bearer ***"), "\(run.output)")
        let host = server.address.dropFirst("https://".count)
        let credential = "host=\(host) authorization=Bearer \(Self.canary)"
        #expect(
            server.end() == [
                "GET /v1/models \(credential)", "GET /v1/echo \(credential)", "GET /v1/elsewhere \(credential)",
                "POST /v1/messages \(credential)", "GET /v1/host \(credential)",
            ])
        let log = try vault.sh("latchkey log").output
        #expect(log.contains("lent to site for POST \(server.address)/v1/messages"), "\(log)")
    }

    /// Nothing that the profile does not allow reaches the server, and none of it asks anything.
    @Test func everythingElseIsRefused() throws {
        try prepare()
        let run = try lend(
            """
            for path in /v2/x /v1 /v1/../admin /v1/%2e%2e/admin /v1//x '/v1/a\\b' /v1/x%00; do
                curl -s --path-as-is -o /dev/null -w '%{http_code} ' "$API$path"
            done
            curl -s -o /dev/null -w '%{http_code} ' -X DELETE "$API/v1/x"
            curl -s -o /dev/null -w '%{http_code} ' -H 'Host: example.com' "$API/v1/x"
            curl -s -X DELETE "$API/v1/x"
            """)
        let statuses = run.output.split(separator: " ").prefix(9).map(String.init)
        #expect(statuses.allSatisfy { ["400", "403", "421"].contains($0) }, "\(run.output)")
        #expect(run.output.contains("the profile site does not allow DELETE /v1/x at api"), "\(run.output)")
        #expect(server.end() == [])
    }

    @Test func aServerThatWasNotAllowedGetsNothing() throws {
        try prepare(isAllowed: false)
        let run = try lend("echo started")
        #expect(run.status == 3 && !run.output.contains("started"), "\(run.output)")
        #expect(run.output.contains("latchkey lend allow web/api \(server.address)"), "\(run.output)")
        #expect(server.end() == [])
    }

    /// A server whose certificate does not count gets no byte of the request.
    @Test func aServerThatCannotBeVerifiedGetsNothing() throws {
        try prepare()
        let run = try vault.sh(
            "latchkey lend --yes --quiet '\(vault.path("site/site.yaml"))' -- sh -c 'curl -si $API/v1/x' 2>&1")
        #expect(run.output.hasPrefix("HTTP/1.1 502") && run.output.contains("certificate"), "\(run.output)")
        #expect(server.end() == [])
    }

    /// A profile that is new or has changed is shown, and nothing starts until its owner agrees.
    @Test func aChangedProfileIsShown() throws {
        try prepare()
        let new = try lend("echo started", "")
        #expect(new.status == 8 && !new.output.contains("started") && new.output.contains("--yes"), "\(new.output)")
        #expect(try lend("echo started").output == "started\n")
        let again = try lend("echo started", "--no-prompt")
        #expect(
            again.output.contains("started")
                && again.output.contains("is \(server.address) with web/api; its policy never asks"))
        #expect(again.output.contains("keeps out"), "\(again.output)")
        // A program in the sandbox can change the profile, and gains nothing.
        #expect(
            try lend("sed -i 's/GET/DELETE/' site.yaml; curl -s -X DELETE $API/v1/x").output.contains(
                "does not allow DELETE"))
        let changed = try lend("echo started", "")
        #expect(changed.status == 8 && !changed.output.contains("started"), "\(changed.output)")
    }

    /// A link of the project leads anywhere, and a program in the sandbox can make one after its owner agreed.
    @Test func aPathThatLeadsElsewhereIsShown() throws {
        try prepare()
        let made =
            "mkdir docs ../keys && touch docs/plain ../keys/private && sed -i '1a sandbox: { read: [docs] }' site.yaml"
        #expect(try vault.sh("cd ~/site && \(made)").status == 0)
        #expect(try lend("ls docs").output == "plain\n")
        #expect(try lend("ls docs", "--quiet").output == "plain\n")
        #expect(try vault.sh("cd ~/site && rm -r docs && ln -s ../keys docs").status == 0)
        let changed = try lend("ls docs", "")
        #expect(changed.status == 8 && !changed.output.contains("private"), "\(changed.output)")
    }

    /// A lock cuts a running answer. Once the vault is open again, so is the loan.
    @Test func aLockCutsWhatIsUnderWay() throws {
        try prepare()
        let run = try lend(
            """
            (curl -s --no-buffer "$API/v1/stream"; echo "ended $?") | while read -r line; do
                case $line in
                    "data: 3") touch streaming ;;
                    ended*) echo "$line" ;;
                esac
            done &
            until [ -e locked ]; do sleep 0.05; done
            wait; curl -s "$API/v1/x"; touch refused; until [ -e unlocked ]; do sleep 0.05; done; curl -s "$API/v1/x"
            """
        ) {
            try waitFor("streaming")
            try vault.lock()
            try touch("locked")
            try waitFor("refused")
            try vault.unlock()
            try touch("unlocked")
        }
        #expect(
            run.output.contains("ended 18") || run.output.contains("ended 56") || run.output.contains("ended 52"),
            "\(run.output)")
        #expect(run.output.contains("the vault is locked"), "\(run.output)")
        #expect(run.output.hasSuffix("answer to GET of 0 bytes\n"), "\(run.output)")
        #expect(server.end().contains("stream cut"))
    }

    /// What is ended by hand does not come back, also if the vault is unlocked.
    @Test func aLoanThatWasEndedStaysSo() throws {
        try prepare()
        let run = try lend(
            "curl -s $API/v1/x; touch used; until [ -e ended ]; do sleep 0.05; done; curl -s $API/v1/x; curl -s $API/v1/x"
        ) {
            try waitFor("used")
            let list = try vault.sh("latchkey lend list").output
            #expect(list.contains("site") && list.contains("web/api") && list.contains("1 use"), "\(list)")
            #expect(try vault.sh("latchkey lend end 2>&1").output == "1 loan ended.\n")
            #expect(try vault.sh("latchkey lend list --json").output == "")
            try touch("ended")
        }
        #expect(run.output.contains("this loan has ended"), "\(run.output)")
        #expect(server.end().count == 1)
    }

    /// The third answer with the secret in it ends the loan.
    @Test func aServerThatSendsTheSecretBackIsLentNothing() throws {
        try prepare()
        let run = try lend("for i in 1 2 3 4 5; do curl -s -o /dev/null -w '%{http_code} ' $API/v1/echo; done")
        #expect(run.output.contains("is lent no more"), "\(run.output)")
        #expect(server.end().count == 3)
    }

    /// A secret that asks each time has nobody to ask here: the program is told so, and nothing is sent.
    @Test func aUseThatNobodyApprovesSendsNothing() throws {
        try prepare(ItemPolicy(.whenUnlockedThisDeviceOnly, .userPresence))
        let run = try lend("curl -s -i $API/v1/x", "--yes --quiet --no-prompt")
        #expect(run.output.hasPrefix("HTTP/1.1 403") && run.output.contains("x-should-retry: false"), "\(run.output)")
        #expect(server.end() == [])
    }

    @Test func aProfileIsCheckedWithoutAVault() throws {
        try write("")
        let profile = vault.path("site/site.yaml")
        let right = try vault.sh(
            "latchkey lend check --help >/dev/null; LATCHKEY_HOME=/nowhere latchkey lend check '\(profile)'")
        #expect(right.status == 0 && right.output.contains("    POST /v1/messages\n"), "\(right)")
        try write(", lesae: { uses: 1 }")
        let wrong = try vault.sh("latchkey lend check '\(profile)' 2>&1")
        #expect(
            wrong.status == 2 && wrong.output.contains("site.yaml:3:") && wrong.output.contains("did you mean lease?"),
            "\(wrong)")
        #expect(try vault.sh("cd; latchkey lend new p.yaml && latchkey lend check p.yaml").status == 0)
        #expect(try vault.sh("cd; latchkey lend new p.yaml 2>/dev/null").status != 0, "it replaces nothing")
        #expect(try vault.sh("latchkey lend lits 2>&1").output.contains("latchkey lend list"))
    }
}
