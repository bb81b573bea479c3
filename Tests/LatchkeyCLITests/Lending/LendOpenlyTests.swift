import Foundation
import Sandbox
import TestSupport
import Testing

/// Loans to programs that have the network of the machine, in a sandbox or without one. Every user reaches its ports.
@Suite(.enabled(if: LentServer.isThere, "skipped: needs openssl, python3 and curl"), .waitsForProcesses)
struct LendOpenlyTests {
    private let place: LendingPlace

    init() throws { place = try LendingPlace() }

    /// Without a sandbox, the request needs the token. The command says what this protects.
    @Test func aProgramWithoutASandboxNeedsTheToken() throws {
        defer { place.remove() }
        let run = try place.sh(
            """
            $LEND --no-boundary -- sh -c '
                echo "$API"; curl -s "$API/v1/a"; curl -s -H "Authorization: Bearer lend_00000000000000000000000000000000" "$API/v1/b"
                curl -s -H "Authorization: Bearer $TOKEN" "$API/v1/echo"; curl -s -H "X-API-Key: $TOKEN" -X DELETE "$API/v1/c"; echo "$HOME"; exit 7'
            echo "ended $?"; $LEND --no-boundary -- sh -c 'kill -KILL $$'; echo "killed $?"; $LEND --no-boundary -- /no/such; echo "none $?"; latchkey log
            """)
        let output = run.output
        for words in [
            "This program runs as you, without a sandbox: every program of yours can do what it can. Lending to it saves prompts and protects nothing.\n",
            "authorization: Bearer ***", "does not allow DELETE /v1/c",
            "\(place.vault.environment["HOME"] ?? "")\nended 7\n",
            "killed 137", "/no/such: there is no such command\nnone 127",
            "lent to site, without a sandbox, for GET \(place.server.address)/v1/echo",
        ] { #expect(output.contains(words), "\(words): \(output)") }
        #expect(output.components(separatedBy: "each request needs the placeholder").count == 3, "\(output)")
        #expect(!output.contains(LendingPlace.canary) && output.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\n/) != nil)
        #expect(place.server.end().count == 1)
    }

    /// The port is open to every user, and the token alone is not enough.
    @Test(.needsRoot) func anotherUserIsRefused() throws {
        defer { place.remove() }
        let run = try place.sh(
            """
            $LEND --no-boundary -- sh -c 'setpriv --reuid=\(Privileges.ordinaryUser) --regid=\(Privileges.ordinaryUser) --clear-groups curl -s -H "Authorization: Bearer $TOKEN" "$API/v1/a"'
            """)
        #expect(run.output.contains("This address is lent to another user of the machine"), "\(run.output)")
        #expect(place.server.end() == [])
    }

    /// A signal to the command reaches the program, and its end is that of the command.
    @Test func aSignalReachesTheProgram() throws {
        defer { place.remove() }
        let run = try place.sh(
            """
            $LEND --no-boundary -- sh -c 'trap "echo told; exit 5" TERM; touch ready; while :; do sleep 0.05; done' & lender=$!
            meet test -e ready; finish
            """)
        #expect(run.output.hasSuffix("told\nended 5\n"), "\(run.output)")
    }

    @Test(.enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"))
    func theNetworkOfTheMachineIsSaidHonestly() throws {
        defer { place.remove() }
        let run = try place.sh(
            """
            $LEND --network -- sh -c 'curl -s "$API/v1/a"; curl -s -u "user:$TOKEN" "$API/v1/b"; ls ~; exit 3'; echo "ended $?"
            latchkey lend site.yaml --ca \(place.server.authorityFile) --network -- true; latchkey log
            """)
        let output = run.output
        for words in [
            "With --network, loans do not limit what the program sends elsewhere.",
            "each request needs the placeholder",
            "answer to GET of 0 bytes\n", "ended 3\n", "keeps out",
            "lent to site, with the network of this machine, for GET",
        ] { #expect(output.contains(words), "\(words): \(output)") }
        let kept = output.split(separator: "\n").first { $0.contains("keeps out") } ?? ""
        #expect(!kept.contains("loopback") && !kept.contains("abstract") && kept.contains("your processes"), "\(kept)")
        #expect(place.server.end().count == 1)
    }

    /// Without bubblewrap, the error names the other two ways.
    @Test(.needsMounting) func withoutBubblewrapTheErrorNamesTheWaysOut() throws {
        defer { place.remove() }
        let run = try place.sh(
            """
            unshare -m sh -c 'for bwrap in /usr/bin/bwrap /bin/bwrap; do [ ! -e $bwrap ] || mount --bind /dev/null $bwrap; done; $LEND -- echo started; echo "ended $?"'
            """)
        #expect(run.output.contains("ended 10\n"), "\(run.output)")
        for words in ["bubblewrap", "--no-boundary", "--to FOLDER"] {
            #expect(run.output.contains(words), "\(run.output)")
        }
        #expect(!run.output.contains("started\n"))
    }

    /// git sends the token without being asked for one.
    @Test(.enabled(if: LentServer.isGitThere, "skipped: needs git")) func gitSendsTheToken() throws {
        defer { place.remove() }
        let upstream = place.vault.path("upstream")
        let server = try LentServer("git-server.py", [upstream, "x-access-token:\(LendingPlace.canary)"])
        try place.vault.set("git/alice", LendingPlace.canary)
        try place.vault.allow("git/alice", server.address)
        let run = try place.sh(
            """
            git init -q --bare -b main ~/upstream/alice/site.git && git init -q -b main first && cd first
            git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m zero && git push -q ~/upstream/alice/site.git main && cd ..
            printf 'lend: site\\nservices:\\n  code: { item: git/alice, git: "\(server.address)/alice/site.git", allow: [fetch] }\\n' >git.yaml
            latchkey lend git.yaml --yes --quiet --ca \(server.authorityFile) --no-boundary -- git ls-remote \(server.address)/alice/site.git
            """)
        #expect(run.output.contains("\trefs/heads/main\n"), "\(run.output)")
    }
}
