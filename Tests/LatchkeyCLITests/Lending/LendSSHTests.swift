import AccessPolicy
import AgentProtocol
import Foundation
import Sandbox
import TestSupport
import Testing

/// Logins that are lent: real ssh and git in a real sandbox, a real agent, and a real sshd on loopback.
@Suite(
    .enabled(if: (try? Sandbox.requireBubblewrap()) != nil, "skipped: needs user namespaces and bubblewrap"),
    .enabled(
        if: SSHHost.isThere, "skipped: needs openssh-client, openssh-server, git, python3 and an account with a shell"),
    .waitsForProcesses)
struct LendSSHTests {
    private let vault: UnlockedVault
    private let host: SSHHost
    private let publicKey: String

    init() throws {
        vault = try UnlockedVault()
        for folder in ["site", "upstream", ".ssh"] {
            try FileManager.default.createDirectory(
                atPath: vault.path(folder), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        let added = try vault.sh("latchkey ssh add ssh/work --generate ed25519 --require nothing")
        try #require(added.status == 0, "\(added)")
        publicKey = added.output.split(separator: "\n").last.map(String.init) ?? ""
        host = try SSHHost(authorizing: publicKey + "\n")
        try know(host, as: host)
        try vault.allow("ssh/work", target(host))
        try write(host)
    }

    private func target(_ host: SSHHost) -> String { "ssh://\(NSUserName())@localhost:\(host.port)" }

    /// Has the owner know the port of a host by the key of one.
    private func know(_ host: SSHHost, as named: SSHHost) throws {
        try "[localhost]:\(host.port) \(named.key)\n".write(
            toFile: vault.path(".ssh/known_hosts"), atomically: true, encoding: .utf8)
    }

    private func write(_ host: SSHHost) throws {
        let profile = """
            lend: site
            services:
              push: { item: ssh/work, ssh: "\(NSUserName())@localhost:\(host.port)" }

            """
        try profile.write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
    }

    /// Runs a script of the shell in the sandbox.
    private func lend(_ script: String, _ options: String = "--yes --quiet") throws -> Command.Run {
        try vault.sh(
            "latchkey lend \(options) '\(vault.path("site/site.yaml"))' -- sh -c \"$INSIDE\" 2>&1", ["INSIDE": script])
    }

    private var folders: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: (vault.environment["XDG_RUNTIME_DIR"] ?? "") + "/latchkey"
            ).filter { $0.hasPrefix("latchkey-") }
        }
    }

    @Test func aProgramLogsInAndPushes() throws {
        let made = try vault.sh(
            """
            cd '\(vault.path("upstream"))' && git init -q --bare -b main site.git && git init -q -b main first && cd first
            git config user.name a && git config user.email a@example.com
            git commit -q --allow-empty -m zero && git push -q ../site.git main 2>&1
            """)
        try #require(made.status == 0, "\(made)")
        let address = "\(target(host))\(vault.path("upstream/site.git"))"
        let run = try lend(
            """
            ssh-add -L; echo "$SSH_AUTH_SOCK $LENT_PUSH"
            ssh \(NSUserName())@localhost echo IN; ssh localhost echo AGAIN
            export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
            git clone -q '\(address)' clone && cd clone && git commit -q --allow-empty -m one && git push -q origin main:agent/fix
            git ls-remote "$LENT_PUSH\(vault.path("upstream/site.git"))"
            ls /run/lend; rm /run/lend/* 2>&1
            """)
        let key = publicKey.split(separator: " ").prefix(2).joined(separator: " ")
        #expect(run.output.hasPrefix("\(key) ssh/work\n/run/lend/ssh.sock ssh://\(NSUserName())@localhost\n"), "\(run)")
        #expect(run.output.contains("IN\nAGAIN\n"), "\(run)")
        #expect(run.output.contains("refs/heads/agent/fix"), "\(run)")
        #expect(run.output.contains("\nssh.sock\nrm: "), "\(run)")
        #expect(
            try vault.sh("git -C '\(vault.path("upstream/site.git"))' log --format=%s agent/fix").output
                == "one\nzero\n")
        let log = try vault.sh("latchkey log --lent").output
        #expect(log.contains("lent to site for \(target(host))"), "\(log)")
        #expect(try folders.isEmpty)
    }

    /// One key that is lent for two hosts is listed once, and each host has a way of its own.
    @Test func twoHostsHaveTheirOwnWays() throws {
        let second = try SSHHost(authorizing: publicKey + "\n")
        try "[localhost]:\(host.port) \(host.key)\n[127.0.0.1]:\(second.port) \(second.key)\n".write(
            toFile: vault.path(".ssh/known_hosts"), atomically: true, encoding: .utf8)
        try vault.allow("ssh/work", "ssh://\(NSUserName())@127.0.0.1:\(second.port)")
        let services = """
            lend: site
            services:
              first: { item: ssh/work, ssh: "\(NSUserName())@localhost:\(host.port)" }
              second: { item: ssh/work, ssh: "\(NSUserName())@127.0.0.1:\(second.port)" }

            """
        try services.write(toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
        let run = try lend(
            "ssh-add -L | wc -l; for host in localhost 127.0.0.1; do ssh $host 'echo $SSH_CONNECTION' | cut -d' ' -f4; done"
        )
        #expect(run.output.hasPrefix("1\n"), "\(run)")
        #expect(run.status == 0 && run.output.split(separator: "\n").count == 3, "\(run)")
        let log = try vault.sh("latchkey log --lent").output
        for host in ["localhost:\(host.port)", "127.0.0.1:\(second.port)"] {
            #expect(log.contains("lent to site for ssh://\(NSUserName())@\(host)"), "\(log)")
        }
    }

    /// The agent of the sandbox serves this machine's logins to the host, and nothing else.
    @Test func nothingElseIsSigned() throws {
        let run = try lend(
            """
            ssh -A localhost 'ssh-add -L; echo FORWARDED'
            ssh-add -L | head -1 >key.pub; echo text >file; ssh-keygen -Y sign -n file -f key.pub file; ls file.sig
            ssh-add -D; ssh-keygen -q -t ed25519 -N '' -f other; ssh-add other; ssh-add -L | wc -l
            """)
        #expect(run.output.contains("FORWARDED"), "\(run)")
        let key = publicKey.split(separator: " ")[1]
        let forwarded = run.output.prefix(while: { $0 != "F" })
        #expect(!forwarded.contains(key), "\(run)")
        #expect(run.output.contains("nothing was signed") && !run.output.contains("\nfile.sig\n"), "\(run)")
        #expect(run.output.hasSuffix("1\n"), "\(run)")
    }

    /// What answers at the port of a host has to have a key that the owner knows, also if the program in the sandbox does not care.
    @Test func anotherHostGetsNoLogin() throws {
        let wrong = try SSHHost(authorizing: publicKey + "\n")
        try know(wrong, as: host)
        try vault.allow("ssh/work", target(wrong))
        try write(wrong)
        let careless = "-o StrictHostKeyChecking=no -o GlobalKnownHostsFile=/dev/null"
        let run = try lend("ssh localhost echo REACHED; echo next; ssh \(careless) localhost echo REACHED")
        let parts = run.output.split(separator: "next\n")
        #expect(parts.count == 2 && parts[0].contains("verification failed"), "\(run)")
        #expect(!run.output.contains("REACHED"), "\(run)")
        #expect(parts.last?.contains("none that you know for it") == true, "\(run)")
    }

    @Test func aLockCutsALogin() throws {
        let script = """
            mkfifo typed
            (ssh localhost 'echo began; exec cat' <>typed; echo "ended $?") | while read -r line; do
                case $line in
                    began) touch began ;;
                    ended*) echo "$line"; touch ended ;;
                esac
            done &
            until [ -e ended ]; do sleep 0.05; done
            ssh localhost echo REACHED; touch refused; until [ -e unlocked ]; do sleep 0.05; done; ssh localhost echo AGAIN
            """
        let run = Background { Result { try lend(script) } }
        do {
            try waitFor("began")
            try vault.lock()
            try waitFor("refused")
            try vault.unlock()
            try Data().write(to: URL(filePath: vault.path("site/unlocked")))
        } catch {
            _ = try? vault.sh("latchkey lend end")
            throw error
        }
        let ended = try run.value.get()
        #expect(ended.output.contains("the vault is locked") && !ended.output.contains("REACHED"), "\(ended)")
        #expect(ended.output.hasSuffix("AGAIN\n"), "\(ended)")
    }

    /// Without a loan, no way leads to the host.
    @Test func whatWasEndedIsNoWayToTheHost() throws {
        let script = """
            ssh localhost echo IN; touch began; until [ -e ended ]; do sleep 0.05; done
            ssh -o IdentityAgent=none localhost echo REACHED; ssh localhost echo REACHED
            """
        let run = Background { Result { try lend(script) } }
        do {
            try waitFor("began")
            #expect(try vault.sh("latchkey lend end 2>&1").output == "1 loan ended.\n")
            try Data().write(to: URL(filePath: vault.path("site/ended")))
        } catch {
            _ = try? vault.sh("latchkey lend end")
            throw error
        }
        let ended = try run.value.get()
        #expect(ended.output.hasPrefix("IN\n") && !ended.output.contains("REACHED"), "\(ended)")
        #expect(ended.output.contains("this loan has ended"), "\(ended)")
        #expect(!ended.output.contains("Permission denied"), "the host was not even asked: \(ended)")
    }

    private func waitFor(_ name: String) throws {
        try #require(Patience.wait { FileManager.default.fileExists(atPath: vault.path("site/\(name)")) }, "\(name)")
    }

    @Test func whatWasNotAllowedIsNotLent() throws {
        try vault.allow("ssh/work", "ssh://\(NSUserName())@elsewhere.example")
        for (account, words) in [
            ("git@localhost:\(host.port)", "latchkey lend allow ssh/work ssh://git@localhost:\(host.port)"),
            ("\(NSUserName())@elsewhere.example", "no key of elsewhere.example is known"),
        ] {
            try "lend: site\nservices: { push: { item: ssh/work, ssh: \"\(account)\" } }\n".write(
                toFile: vault.path("site/site.yaml"), atomically: true, encoding: .utf8)
            let run = try lend("echo started")
            #expect(run.status != 0 && !run.output.contains("started") && run.output.contains(words), "\(run)")
        }
    }
}
