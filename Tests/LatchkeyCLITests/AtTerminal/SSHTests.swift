import Foundation
import TestSupport
import Testing
import UserPresence

/// The real ssh, scp, ssh-keygen, ssh-add and git use keys of a vault, against a real sshd that needs no port and no root.
@Suite(
    .waitsForProcesses,
    .enabled(
        if: RealSSH.isThere, "skipped: needs openssh-client, openssh-server, git and pinentry-tty"))
struct SSHTests {
    private let vault: VaultAtTerminal
    private let socket: String

    init() throws {
        vault = try VaultAtTerminal()
        try vault.at("config", "--pinentry", "tty", asked: vault.typingPasscode)
        try vault.at("unlock", asked: vault.typingPasscode)
        for words in [
            ["ssh", "add", "open", "--generate", "ed25519", "--require", "nothing"],
            ["ssh", "add", "once", "--generate", "p256", "--require", "devicePasscode", "--reuse", "yes"],
            ["ssh", "add", "work/each", "--generate", "ed25519", "--require", "devicePasscode"],
        ] {
            let run = try vault.run(words)
            try #require(run.status == 0, "\(run)")
        }
        let line = try vault.run("ssh-agent", "--shell", "sh").output
        let match = line.firstMatch(of: /SSH_AUTH_SOCK=([^;]+); export SSH_AUTH_SOCK;\n/)
        socket = try #require(match.map { String($0.1) })
        try setUpHosts()
    }

    /// Writes the settings of two hosts, bastion.test and inner.test, and of a client that knows both.
    private func setUpHosts() throws {
        let home = vault.place.path("home")
        let lines = try ["open", "once", "work/each"].map { try vault.run("ssh", "public", $0).output }
        try write(lines.joined(), "authorized")
        var known = ""
        var client = """
            Host *
              UserKnownHostsFile \(home)/.ssh/known_hosts
              GlobalKnownHostsFile /dev/null
              PasswordAuthentication no
              IdentitiesOnly yes
              User \(NSUserName())
              LogLevel ERROR

            """
        try FileManager.default.createDirectory(atPath: home + "/.ssh", withIntermediateDirectories: false)
        for name in ["bastion", "inner"] {
            _ = try sh("ssh-keygen -q -t ed25519 -N '' -f '\(home)/\(name)'")
            let key = try String(contentsOfFile: home + "/\(name).pub", encoding: .utf8).split(separator: " ")
            known += "\(name).test \(key[0]) \(key[1])\n"
            try write(
                """
                HostKey \(home)/\(name)
                AuthorizedKeysFile \(home)/authorized
                UsePAM no
                StrictModes no
                PidFile none
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                PermitRootLogin yes
                Subsystem sftp internal-sftp
                LogLevel ERROR

                """, "sshd_\(name)")
            client += "Host \(name).test\n  ProxyCommand /usr/sbin/sshd -i -f \(home)/sshd_\(name)\n"
        }
        try write(known, ".ssh/known_hosts")
        try write(client, "client")
        // sshd wants this folder even if it separates nothing.
        if getuid() == 0 {
            try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        }
    }

    private func write(_ text: String, _ name: String) throws {
        try text.write(toFile: vault.place.path("home/" + name), atomically: false, encoding: .utf8)
    }

    private var environment: [String: String] {
        vault.environment.merging(["SSH_AUTH_SOCK": socket, "GIT_CONFIG_NOSYSTEM": "1"]) { $1 }
    }

    /// Runs a script without a terminal and a display.
    private func sh(_ script: String) throws -> Command.Run {
        try Command.run(
            ["-w", "sh", "-c", script], environment: environment, program: URL(filePath: "/usr/bin/setsid"))
    }

    /// Starts a script at a terminal.
    private func start(_ script: String) throws -> CommandAtTerminal {
        try CommandAtTerminal(["-c", "\(script); echo END $?"], program: "/bin/sh", environment: environment)
    }

    /// Runs a script at a terminal, and types the passcode at every prompt. Returns the number of prompts.
    private func session(
        _ script: String, _ location: SourceLocation = #_sourceLocation
    ) throws -> (prompts: Int, shown: String) {
        let terminal = try start(script)
        var prompts = 0
        while true {
            try terminal.wait(forAnyOf: ["Passcode: ", "END "], at: location)
            if terminal.lastSeen == "END " { break }
            prompts += 1
            terminal.type(vault.passcode + "\n")
        }
        _ = terminal.end()
        return (prompts, terminal.shown)
    }

    /// Returns the words that log in with a key.
    private func ssh(_ key: String, _ words: String) -> String {
        "ssh -F '\(vault.place.path("home/client"))' -i '\(vault.folder)/ssh/\(key).pub' \(words)"
    }

    @Test func aLoginPromptsWithHostAndUserAndALockedVaultIsUnlocked() throws {
        #expect(try sh(ssh("open", "bastion.test echo IN")).output == "IN\n")
        let login = try session(ssh("work-each", "bastion.test echo IN"))
        #expect(login.prompts == 1 && login.shown.contains("IN\n"), "\(login)")
        #expect(login.shown.contains("\"ssh\" wants to log in to bastion.test as \(NSUserName()).\n"), "\(login)")
        #expect(login.shown.contains("Secret: work/each\n"), "\(login)")
        try vault.run("lock")
        #expect(try sh("ssh-add -l").output.split(separator: "\n").count == 3)
        let unlocking = try session(ssh("work-each", "bastion.test echo IN"))
        #expect(unlocking.prompts == 1 && unlocking.shown.contains("IN\n"), "\(unlocking)")
        // Without a place to prompt, there is no login.
        let nowhere = try sh(ssh("work-each", "bastion.test echo IN"))
        #expect(nowhere.status == 255 && nowhere.errors.contains("agent refused operation"), "\(nowhere)")
    }

    @Test func aDismissedPromptRefusesTheLoginAndAnEndedClientTakesItsPromptAlong() throws {
        let terminal = try start(ssh("work-each", "bastion.test echo IN"))
        try terminal.wait(for: "Passcode: ")
        terminal.type("\u{4}")
        try terminal.wait(for: "END 255")
        #expect(!terminal.shown.contains("IN\n"))
        let other = try start("\(ssh("work-each", "bastion.test echo IN")) & read line; kill $!; wait $!")
        try other.wait(for: "Passcode: ")
        // The other prompt is gone with its client, so this one comes at once.
        _ = try sh("kill $(pgrep -P \(other.process) ssh)")
        let login = try session(ssh("work-each", "bastion.test echo IN"))
        #expect(login.prompts == 1 && login.shown.contains("IN\n"), "\(login)")
    }

    @Test func fiftyLoginsOfATerminalCostOnePrompt() throws {
        let script = """
            for i in $(seq 50); do \(ssh("once", "bastion.test echo IN")) >>"$HOME/out" 2>>"$HOME/errors" & done; wait; \
            sort "$HOME/out" "$HOME/errors" | uniq -c
            """
        let logins = try session(script)
        #expect(logins.prompts == 1 && logins.shown.contains("50 IN\n"), "\(logins)")
    }

    @Test func destinationsLimitAKey() throws {
        #expect(try vault.run("ssh", "add", "open", "--to", "nowhere.test").status == 4)
        #expect(try vault.run("ssh", "add", "open", "--to", "bastion.test").status == 0)
        #expect(try sh(ssh("open", "bastion.test echo IN")).output == "IN\n")
        #expect(try sh(ssh("open", "inner.test echo IN")).status == 255)
        let hop = ssh("open", "inner.test echo BEYOND")
        #expect(try sh(ssh("open", "-A bastion.test \"\(hop)\"")).output == "")
        #expect(try vault.run("ssh", "add", "open", "--to", "bastion.test>\(NSUserName())@inner.test").status == 0)
        #expect(try sh(ssh("open", "-A bastion.test \"\(hop)\"")).output == "BEYOND\n")
        #expect(try sh(ssh("open", "inner.test echo IN")).status == 255)
        #expect(try vault.run("ssh", "add", "open", "--to", "bastion.test>someone@inner.test").status == 0)
        #expect(try sh(ssh("open", "-A bastion.test \"\(hop)\"")).output == "")
        #expect(try vault.run("ssh", "list").output.contains("bastion.test>someone@inner.test"))
    }

    /// A program that forwards reads its terminal, and would send a passcode on.
    @Test func aForwardedRequestNeverPromptsAtTheTerminal() throws {
        let hop = ssh("once", "inner.test echo BEYOND")
        let script = "\(ssh("once", "bastion.test true")); \(ssh("open", "-A bastion.test \"\(hop)\""))"
        let forwarded = try session(script)
        // Nor does it use what the user proved for this session.
        #expect(forwarded.prompts == 1 && !forwarded.shown.contains("BEYOND"), "\(forwarded)")
        // Neither does the other host change anything.
        let commands = "ssh-add -D; ssh-add -d \(vault.folder)/ssh/once.pub; ssh-add -l"
        let hostile = try sh(ssh("open", "-A bastion.test \"\(commands)\""))
        #expect(hostile.output.split(separator: "\n").count == 3, "\(hostile)")
        #expect(try vault.run("status").output.contains("unlocked"))
    }

    @Test func filesAreSignedAndCopied() throws {
        let home = vault.place.path("home")
        try write("a message\n", "file")
        let signed = try session(
            "ssh-keygen -q -Y sign -f '\(vault.folder)/ssh/work-each.pub' -n release '\(home)/file'")
        #expect(
            signed.prompts == 1 && signed.shown.contains("wants to sign a file (namespace release).\n"), "\(signed)")
        try write("me " + vault.run("ssh", "public", "work/each").output, "signers")
        let verified = try sh(
            "ssh-keygen -Y verify -f '\(home)/signers' -I me -n release -s '\(home)/file.sig' < '\(home)/file'")
        #expect(verified.status == 0, "\(verified)")
        let copied = try sh(
            "scp -q -F '\(home)/client' -i '\(vault.folder)/ssh/open.pub' '\(home)/file' 'bastion.test:\(home)/copy'")
        #expect(copied.status == 0 && FileManager.default.fileExists(atPath: home + "/copy"), "\(copied)")
        let commit = try session(
            """
            git init -q '\(home)/r' && cd '\(home)/r' && git -c gpg.format=ssh -c user.name=a -c user.email=a@b.c \
            -c user.signingkey='\(vault.folder)/ssh/work-each.pub' commit -q -S --allow-empty -m x && \
            git -c gpg.ssh.allowedSignersFile='\(home)/signers' verify-commit HEAD
            """)
        #expect(commit.prompts == 1 && commit.shown.contains("wants to sign a git commit or tag.\n"), "\(commit)")
        #expect(commit.shown.contains("Good \"git\" signature"), "\(commit)")
    }

    @Test func sshAddListsAndHidesAndLocksAndNeverAdds() throws {
        let home = vault.place.path("home")
        let listed = try sh("ssh-add -L").output
        let line = try vault.run("ssh", "public", "once").output
        #expect(listed.contains(line))
        #expect(try sh("ssh-add -q '\(home)/bastion'").status != 0)
        #expect(try sh("ssh-add -d '\(vault.folder)/ssh/once.pub'").status == 0)
        #expect(try vault.run("ssh", "list", "--names").output == "open\nwork/each\n")
        #expect(!FileManager.default.fileExists(atPath: vault.folder + "/ssh/once.pub"))
        #expect(try vault.run("key", "list", "--names").output.contains("once\n"))
        #expect(try sh("ssh-add -D").status == 0)
        #expect(try vault.run("status").output.contains("locked"))
        #expect(try sh("ssh-add -l").output.split(separator: "\n").count == 2)
        // The list and the files are there for the next agent.
        try vault.run("agent", "stop")
        #expect(try sh("ssh-add -l").status != 0)
        try vault.run("status")
        #expect(try sh("ssh-add -l").output.split(separator: "\n").count == 2)
    }

    @Test func aKeyOfOpenSSHIsImportedInOneStep() throws {
        let home = vault.place.path("home")
        for (type, name) in [("ed25519", "e"), ("ecdsa", "c"), ("rsa", "r")] {
            _ = try sh("ssh-keygen -q -t \(type) -N '' -f '\(home)/\(name)'")
            let added = try vault.run("ssh", "add", name, "--import", "\(home)/\(name)", "--require", "nothing")
            #expect(added.status == 0, "\(added)")
            let key = try String(contentsOfFile: "\(home)/\(name).pub", encoding: .utf8).split(separator: " ")
            #expect(added.output == "\(key[0]) \(key[1]) \(name)\n")
            try write(added.output, "authorized")
            #expect(try sh(ssh(name, "bastion.test echo IN")).output == "IN\n")
        }
        _ = try sh("ssh-keygen -q -t ed25519 -N 'a passphrase' -f '\(home)/p'")
        let refused = try vault.run("ssh", "add", "p", "--import", "\(home)/p")
        #expect(refused.status == 2 && refused.errors.contains("ssh-keygen -p -N '' -f COPY"), "\(refused)")
    }
}

/// The programs that the tests of SSH need.
private enum RealSSH {
    static let isThere =
        ["/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/git"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        && PinentryFlavor.tty.program != nil
}
