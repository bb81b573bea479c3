import AccessPolicy
import AgentProtocol
import Foundation
import LatchkeyAgent
import LatchkeyCLI
import TestSupport
import Testing

/// `latchkey-askpass`, called by the programs of OpenSSH.
@Suite(.waitsForProcesses) struct AskpassTests {
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    /// Creates a key with a passphrase, and saves `passphrase` as the secret with its name.
    private func makeKey(kept passphrase: String?, _ policy: ItemPolicy = ItemPolicy(.whenUnlockedThisDeviceOnly, []))
        throws
    {
        #expect(try vault.sh("ssh-keygen -q -t ed25519 -N 'pass phrase' -f ~/key").status == 0)
        if let passphrase { try vault.set("ssh/key" + vault.path("key"), passphrase, policy) }
    }

    private static let add = """
        export SSH_ASKPASS=$(command -v latchkey-askpass) SSH_ASKPASS_REQUIRE=force
        cd; ssh-agent sh -c 'ssh-add key; echo $?; ssh-add -l | grep -c ED25519'
        """

    @Test func theRightPassphraseAddsTheKey() throws {
        try makeKey(kept: "pass phrase")
        let run = try vault.sh(Self.add)
        #expect(run.output == "0\n1\n", "\(run)")
        #expect(!run.errors.contains("pass phrase"))
    }

    @Test func aWrongOneIsNotTriedForEver() throws {
        try makeKey(kept: "another phrase")
        let run = try vault.sh(Self.add)
        #expect(run.output == "1\n0\n")
        #expect(run.errors.contains("is not the passphrase of key: change it with `latchkey edit ssh/key/"))
    }

    @Test func whatIsMissingIsNamedWithWhatToType() throws {
        try makeKey(kept: nil)
        let run = try vault.sh(Self.add)
        #expect(run.output == "1\n0\n")
        #expect(
            run.errors.contains("latchkey: no secret ssh/key\(vault.path("key")): save it with `latchkey set ssh/key/"))
    }

    @Test func aLockedVaultFailsWithoutATerminalAndAsksAtOne() throws {
        try makeKey(kept: "pass phrase", .usual)
        try vault.lock()
        let run = try vault.sh(Self.add)
        #expect(run.output == "1\n0\n" && run.errors.contains("locked"), "\(run)")
        let terminal = try CommandAtTerminal(["-c", Self.add], program: "/bin/sh", environment: vault.environment)
        try terminal.wait(for: "open the key key for ssh")
        try terminal.wait(for: "Passcode: ")
        terminal.type("\(UnlockedVault.passcode)\n")
        _ = terminal.end()
        #expect(terminal.shown.contains("0\n1\n"), "\(terminal.shown)")
    }

    @Test func thePassphraseOfAKeyIsAnsweredAndSshKeygenKnowsTheKey() throws {
        try makeKey(kept: "pass phrase")
        let run = try vault.sh(
            """
            export SSH_ASKPASS=$(command -v latchkey-askpass) SSH_ASKPASS_REQUIRE=force
            latchkey-askpass "Enter passphrase for key '$HOME/key': "; ssh-keygen -l -f ~/key.pub >/dev/null && echo done
            """)
        #expect(run.output == "pass phrase\ndone\n" && run.errors.isEmpty)
    }

    @Test func whatSSHWantsConfirmedIsAskedAtTheTerminal() throws {
        for answer in ["y", "n", ""] {
            let terminal = try CommandAtTerminal(
                ["-c", "SSH_ASKPASS_PROMPT=confirm exec latchkey-askpass 'Allow use of key x?'"], program: "/bin/sh",
                environment: vault.environment)
            try terminal.wait(for: "Allow use of key x? [y/N] ")
            terminal.type("\(answer)\n")
            #expect(terminal.end() == (answer == "y" ? 0 : 1))
        }
        #expect(try vault.sh("SSH_ASKPASS_PROMPT=confirm latchkey-askpass 'Allow?'").status == 1)
    }

    @Test func whatSSHTellsIsShown() throws {
        let terminal = try CommandAtTerminal(
            ["-c", "SSH_ASKPASS_PROMPT=none exec latchkey-askpass 'Touch it'"], program: "/bin/sh",
            environment: vault.environment)
        try terminal.wait(for: "Touch it")
        #expect(terminal.end() == 0)
        let run = try vault.sh("SSH_ASKPASS_PROMPT=none latchkey-askpass 'Touch it'")
        #expect(run.status == 0 && run.output.isEmpty)
    }

    @Test func passwordsAndPromptsThatAreNone() throws {
        try vault.set("ssh/password/me@host", "s3cret")
        try vault.set("ssh/password/me@lines", "a\nb")
        let table: [(prompt: String, status: Int32, output: String, complaint: String)] = [
            ("me@host's password: ", 0, "s3cret\n", ""),
            ("(me@host) Password: ", 0, "s3cret\n", ""),
            (
                "you@host's password: ", 4, "",
                "latchkey: no secret ssh/password/you@host: save it with `latchkey set ssh/password/you@host`"
            ),
            ("me@lines's password: ", 2, "", "latchkey: ssh/password/me@lines has a line end"),
            ("(me@host) One-time code: ", 1, "", "latchkey: this prompt names no secret"),
            ("--help", 1, "", "latchkey: this prompt names no secret"),
        ]
        for (prompt, status, output, complaint) in table {
            let run = try vault.sh("latchkey-askpass \"$ASKED\"", ["ASKED": prompt])
            #expect(
                run.status == status && run.output == output && run.errors.hasPrefix(complaint), "\(prompt): \(run)")
        }
    }
}

/// The parsing of prompts.
@Suite struct AskpassPromptTests {
    @Test(arguments: [
        ("Enter passphrase for key '/home/me/.ssh/id_ed25519': ", AskpassPrompt.key("/home/me/.ssh/id_ed25519")),
        ("Enter passphrase for /home/me/.ssh/id_ed25519: ", .key("/home/me/.ssh/id_ed25519")),
        ("Enter passphrase for /a b (will confirm each use): ", .key("/a b")),
        ("Enter passphrase for \"/a b\": ", .key("/a b")),
        ("Enter passphrase for key 'it's': ", .key("it's")),
        ("Bad passphrase, try again for /a: ", .wrongKey("/a")),
        ("Bad passphrase, try again for /a (will confirm each use): ", .wrongKey("/a")),
        ("me@host.example's password: ", .password("me@host.example")),
        ("me@::1's password:", .password("me@::1")),
        ("(me@host) Password: ", .password("me@host")),
        ("(me@host) Enter passphrase for key '/a': ", nil),
        ("(me@host) you@other's password: ", nil),
        ("(me@host) Verification code: ", nil),
        ("x (me@host) Password: ", nil),
        ("Are you sure you want to continue connecting (yes/no/[fingerprint])? ", nil),
        ("Enter passphrase: ", nil),
        ("Enter passphrase for : ", nil),
        ("host's password: ", nil),
        ("'s password: ", nil),
        ("Enter PIN for ED25519-SK key /a: ", nil),
        ("me@host's password: more", nil),
        ("", nil), (":", nil),
    ]) func areUnderstoodWholeOrNotAtAll(_ prompt: String, _ asked: AskpassPrompt?) {
        #expect(AskpassPrompt(prompt) == asked)
    }
}
