import AccessPolicy
import AgentProtocol
import Foundation
import Sandbox
import TestSupport
import Testing

/// A repository that is lent: real git in a real sandbox, against `git http-backend` behind TLS, which demands the credential.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(if: LentServer.isThere && LentServer.isGitThere, "skipped: needs git, openssl, python3 and curl"),
    .waitsForProcesses)
struct LendGitTests {
    private static let canary = "canary-7c2e61d0-git"
    private let vault: UnlockedVault
    private let server: LentServer

    init() throws {
        vault = try UnlockedVault()
        for folder in ["site", "upstream"] {
            try FileManager.default.createDirectory(
                atPath: vault.path(folder), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        server = try LentServer("git-server.py", [vault.path("upstream"), "x-access-token:\(Self.canary)"])
        let made = try vault.sh(
            """
            cd '\(vault.path("upstream"))' && git init -q --bare -b main alice/site.git && git init -q --bare -b main alice/other.git
            git -C alice/site.git config receive.advertisePushOptions true
            git init -q -b main first && cd first && git config user.name a && git config user.email a@example.com
            git commit -q --allow-empty -m zero && echo one >file && git add file && git commit -qm one && git push -q ../alice/site.git main main:agent/old 2>&1
            """)
        try #require(made.status == 0, "\(made.output)")
        try vault.set("git/alice", Self.canary, ItemPolicy(.whenUnlockedThisDeviceOnly, []))
        try vault.allow("git/alice", server.address)
    }

    private func write(_ rules: String) throws {
        let profile = """
            lend: site
            services:
              code: { item: git/alice, git: "\(server.address)/alice/site.git", allow: [\(rules)], lease: { uses: 3 } }

            """
        try profile.write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
    }

    /// Runs a script in the sandbox, beside a clone if there is one.
    private func lend(_ script: String, _ rules: String = "fetch, push agent/*") throws -> Command.Run {
        try write(rules)
        let begin = """
            export HOME="$PWD" GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
            R=\(server.address)/alice/site.git
            \(script)
            """
        let words = "--yes --quiet --ca '\(server.authorityFile)' '\(vault.path("site/site.yaml"))'"
        return try vault.sh("latchkey lend \(words) -- sh -c \"$INSIDE\" 2>&1", ["INSIDE": begin])
    }

    /// The branches and tags of the server.
    private func refs() throws -> [String: String] {
        let text = try vault.sh("git -C '\(vault.path("upstream/alice/site.git"))' show-ref").output
        return Dictionary(
            uniqueKeysWithValues: text.split(separator: "\n").map { line in
                let parts = line.split(separator: " ")
                return (String(parts[1]), String(parts[0]))
            })
    }

    private static let commit = "cd clone && git checkout -q -b agent/fix && echo two >file && git commit -qam two &&"

    @Test func aNewBranchIsPushed() throws {
        let before = try refs()
        let run = try lend(
            """
            git clone -q $R clone && \(Self.commit) git push -q origin agent/fix && echo pushed; git fetch -q && echo fetched
            git ls-remote -q \(server.address)/alice/site >/dev/null && echo named
            head -c 3000000 /dev/urandom >big && git add big && git commit -qm big && git push -q origin HEAD:agent/big && echo large
            git rev-parse agent/fix~1 agent/fix; env; cat .git/config ../site.yaml; echo "$LENT_CODE"
            cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'
            """)
        let after = try refs()
        for word in ["pushed\n", "fetched\n", "named\n", "large\n", "http://127.0.0.1:4001/alice/site.git\n"] {
            #expect(run.output.contains(word), "\(word): \(run.output)")
        }
        let fix = try #require(after["refs/heads/agent/fix"])
        #expect(run.output.contains(fix) && after["refs/heads/agent/big"] != nil)
        #expect(after["refs/heads/main"] == before["refs/heads/main"] && after.count == before.count + 2)
        let base64 = Data("x-access-token:\(Self.canary)".utf8).base64EncodedString()
        for text in [Self.canary, base64] {
            #expect(!run.output.contains(text), "\(text): \(run.output)")
            #expect(try vault.sh("grep -rl '\(text)' '\(vault.path("site"))'").output == "")
        }
        let requests = server.end()
        #expect(requests.allSatisfy { $0.hasSuffix(" known") }, "\(requests)")
        #expect(requests.count { $0.hasPrefix("POST /alice/site.git/git-receive-pack") } == 2, "no probe is sent")
        let log = try vault.sh("latchkey log").output
        #expect(
            log.contains("lent to site for push \(server.address)/alice/site.git agent/fix at \(fix.prefix(10))"),
            "\(log)")
    }

    /// What no rule allows changes nothing, and git says why beside each ref.
    @Test func everythingElseIsRefused() throws {
        let before = try refs()
        let run = try lend(
            """
            git clone -q $R clone && \(Self.commit) true
            try() { echo "<$*>"; "$@" 2>&1 && echo "allowed: $*"; }
            try git push origin HEAD:main; try git push -f origin HEAD:agent/old; try git push origin :agent/old
            try git push origin :main; try git push origin agent/fix HEAD:other; try git push origin HEAD:refs/tags/v1
            try git push origin HEAD:agent/a/b; try git push -o ci.skip origin HEAD:agent/options
            try git ls-remote \(server.address)/alice/other.git; try git ls-remote http://127.0.0.1:4001/alice/site
            for path in info/lfs/objects/batch HEAD objects/info/packs git-upload-archive; do
                try curl -sf -X POST -d '{}' $LENT_CODE/$path; try curl -sf $LENT_CODE/$path
            done
            try curl -sf $LENT_CODE/info/refs; try curl -sf "$LENT_CODE/info/refs?service=git-upload-archive"
            try curl -sf "$LENT_CODE/info/refs?service=git-upload-pack&service=git-receive-pack"
            (cd .. && git clone -q --depth 1 $R flat && cd flat && git commit -q --allow-empty -m flat && try git push origin HEAD:agent/flat)
            type='Content-Type: application/x-git-receive-pack-request'
            printf 'no push' | try curl -sf -H "$type" --data-binary @- $LENT_CODE/git-receive-pack
            printf '0000' | try curl -sf -H "$type" -H 'Content-Encoding: gzip' --data-binary @- $LENT_CODE/git-receive-pack
            printf '0000' | try curl -sf -H "$type" -H 'Git_Protocol: version=2' --data-binary @- $LENT_CODE/git-receive-pack
            """)
        #expect(!run.output.contains("allowed: "), "\(run.output)")
        for words in [
            "HEAD -> main (the profile site does not allow update main at code, so nothing was sent)",
            "HEAD -> agent/old (the profile site does not allow update agent/old at code",
            "agent/old (the profile site does not allow delete agent/old at code",
            "agent/fix -> agent/fix (the profile site does not allow push other at code",
            "HEAD -> v1 (the profile site does not allow push tags/v1 at code",
            "HEAD -> agent/a/b (the profile site does not allow push agent/a/b at code",
            "does not allow GET /alice/other.git/info/refs", "Push options are not passed on",
            "A push from a shallow clone is not passed on",
        ] {
            #expect(run.output.contains(words), "\(words): \(run.output)")
        }
        #expect(try refs() == before)
        let requests = server.end()
        #expect(!requests.contains { $0.hasPrefix("POST /alice/site.git/git-receive-pack") }, "\(requests)")
        #expect(
            requests.allSatisfy { $0.contains(" /alice/site.git/info/refs?") || $0.contains("/git-upload-pack ") },
            "\(requests)")
    }

    /// A client that says of a branch that it is new where it exists gets the answer of the server.
    @Test func aBranchThatExistsCannotBeCreated() throws {
        let before = try refs()
        let run = try lend(
            """
            git clone -q $R clone && \(Self.commit) new=$(git rev-parse HEAD) && zero=0000000000000000000000000000000000000000
            { printf '0083%s %s refs/heads/agent/old\\0report-status agent=test0000' $zero $new; git rev-parse HEAD | git pack-objects -q --revs --stdout; } >push
            curl -s -H 'Content-Type: application/x-git-receive-pack-request' --data-binary @push $LENT_CODE/git-receive-pack
            """)
        #expect(run.output.contains("ng refs/heads/agent/old"), "\(run.output)")
        #expect(try refs() == before)
    }

    /// A command of git is one use, however many requests it makes.
    @Test func aCommandOfGitIsOneUse() throws {
        let run = Background {
            Result {
                try lend(
                    """
                    git clone -q $R clone && \(Self.commit) git push -q origin agent/fix && git fetch -q && git push -q origin HEAD:agent/more
                    touch ../used; until [ -e ../seen ]; do sleep 0.05; done
                    """)
            }
        }
        let used = Patience.wait { FileManager.default.fileExists(atPath: vault.path("site/used")) }
        let list = try? vault.sh("latchkey lend list --json").output
        _ = FileManager.default.createFile(atPath: vault.path("site/seen"), contents: nil)
        let output = try run.value.get().output
        #expect(used, "\(output)")
        #expect(list?.contains(#""count":4,"#) == true, "\(list ?? "") \(output)")
    }

    @Test func rulesAllowUpdatesDeletionsAndTags() throws {
        let before = try refs()
        let run = try lend(
            """
            git clone -q $R clone && \(Self.commit) git push -q origin HEAD:main :agent/old HEAD:refs/tags/v1 && echo pushed
            git fetch -q || echo unread
            """, "fetch, update main, delete agent/**, push tags/v*")
        #expect(run.output.contains("pushed\n"), "\(run.output)")
        let after = try refs()
        #expect(after["refs/heads/main"] != before["refs/heads/main"] && after["refs/heads/agent/old"] == nil)
        #expect(after["refs/tags/v1"] == after["refs/heads/main"])
        #expect(try lend("git clone -q $R other || echo unread", "push agent/*").output.contains("unread"))
    }
}
