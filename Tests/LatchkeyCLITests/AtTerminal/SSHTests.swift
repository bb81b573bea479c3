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
    let vault: VaultAtTerminal
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

    /// Writes the settings of three hosts, bastion.test, inner.test and short.test, and of a client that knows them. The last
    /// one has a host key that Latchkey cannot check.
    private func setUpHosts() throws {
        let home = vault.place.path("home")
        let lines = try ["open", "once", "work/each"].map { try vault.run("ssh", "public", $0).output }
        try write(lines.joined(), "authorized")
        try write("", "authorities")
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
        for (name, type) in [("bastion", "ed25519"), ("inner", "ed25519"), ("short", "rsa -b 1024")] {
            _ = try sh("ssh-keygen -q -t \(type) -N '' -f '\(home)/\(name)'")
            let key = try String(contentsOfFile: home + "/\(name).pub", encoding: .utf8).split(separator: " ")
            known += "\(name).test \(key[0]) \(key[1])\n"
            try write(
                """
                HostKey \(home)/\(name)
                AuthorizedKeysFile \(home)/authorized
                TrustedUserCAKeys \(home)/authorities
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

    func write(_ text: String, _ name: String) throws {
        try text.write(toFile: vault.place.path("home/" + name), atomically: false, encoding: .utf8)
    }

    private var environment: [String: String] {
        vault.environment.merging(["SSH_AUTH_SOCK": socket, "GIT_CONFIG_NOSYSTEM": "1"]) { $1 }
    }

    /// Runs a script without a terminal and a display.
    func sh(_ script: String) throws -> Command.Run {
        try Command.run(
            ["-w", "sh", "-c", script], environment: environment, program: URL(filePath: "/usr/bin/setsid"))
    }

    /// Starts a script at a terminal.
    func start(_ script: String) throws -> CommandAtTerminal {
        try CommandAtTerminal(["-c", "\(script); echo END $?"], program: "/bin/sh", environment: environment)
    }

    /// Runs a script at a terminal, and types the passcode at every prompt. Returns the number of prompts.
    func session(
        _ script: String, _ location: SourceLocation = #_sourceLocation
    ) throws -> (prompts: Int, shown: String) {
        let terminal = try start(script)
        var prompts = 0
        while true {
            if try terminal.wait(forAnyOf: ["Passcode: ", "END "], at: location) == "END " { break }
            prompts += 1
            terminal.type(vault.passcode + "\n")
        }
        _ = terminal.end()
        return (prompts, terminal.shown)
    }

    /// Returns the words that log in with a key.
    func ssh(_ key: String, _ words: String) -> String {
        "ssh -F '\(vault.place.path("home/client"))' -i '\(vault.folder)/ssh/\(key).pub' \(words)"
    }

    @Test func aLoginPromptsWithHostAndUserAndALockedVaultIsUnlocked() throws {
        #expect(try sh(ssh("open", "bastion.test echo IN")).output == "IN\n")
        let login = try session(ssh("work-each", "bastion.test echo IN"))
        #expect(login.prompts == 1 && login.shown.contains("IN\n"), "\(login)")
        #expect(login.shown.contains("\"ssh\" wants to log in to bastion.test as \(NSUserName()).\n"), "\(login)")
        #expect(login.shown.contains("Secret: work/each\n"), "\(login)")
        // The reason has words of the client, so it never stands for the line with the key.
        let added = try vault.run(
            "ssh", "add", "bastion.test", "--generate", "ed25519", "--require", "devicePasscode")
        try write(added.output + vault.run("ssh", "public", "work/each").output, "authorized")
        let named = try session(ssh("bastion.test", "bastion.test echo IN"))
        #expect(named.prompts == 1 && named.shown.contains("Secret: bastion.test\n"), "\(named)")
        try vault.run("lock")
        #expect(try sh("ssh-add -l").output.split(separator: "\n").count == 4)
        let unlocking = try session(ssh("work-each", "bastion.test echo IN"))
        #expect(unlocking.prompts == 1 && unlocking.shown.contains("IN\n"), "\(unlocking)")
        #expect(unlocking.shown.contains("Secret: work/each\n"), "\(unlocking)")
        // Without a place to prompt, there is no login.
        let nowhere = try sh(ssh("work-each", "bastion.test echo IN"))
        #expect(nowhere.status == 255 && nowhere.errors.contains("agent refused operation"), "\(nowhere)")
    }

    @Test func aLoginWithoutAPlaceForItsPromptIsApprovedInAnotherTerminal() throws {
        try vault.at("config", "--pinentry", "none", asked: vault.typingPasscode)
        let login = try start(ssh("work-each", "bastion.test echo IN"))
        try login.wait(
            for: "latchkey: ssh waits 2 minutes for your approval: run `latchkey approve` in another terminal")
        let asked = [
            ("\"ssh\" wants to log in to bastion.test as \(NSUserName()).", ""), ("Secret: work/each", ""),
        ]
        let approved = try vault.at("approve", asked: asked + vault.typingPasscode)
        #expect(approved.status == 0, "\(approved)")
        try login.wait(for: "IN")
        try login.wait(for: "END 0")
        _ = login.end()
    }

    @Test func aDismissedPromptRefusesTheLoginAndAnEndedClientTakesItsPromptAlong() throws {
        let terminal = try start(ssh("work-each", "bastion.test echo IN"))
        try terminal.wait(for: "Passcode: ")
        terminal.type("\u{4}")
        try terminal.wait(for: "END 255")
        #expect(!terminal.shown.contains("IN\n"))
        let other = try start("\(ssh("work-each", "bastion.test echo IN")) & wait $!")
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
        let limited = try vault.run("ssh", "add", "open", "--to", "bastion.test")
        #expect(limited.status == 0 && limited.errors.contains("see open now, for bastion.test.\n"), "\(limited)")
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
        // The limits stay until they are ended in so many words.
        let kept = try vault.run("ssh", "add", "open", "--comment", "new")
        #expect(kept.errors.contains("for bastion.test, bastion.test>someone@inner.test.\n"), "\(kept)")
        #expect(try sh(ssh("open", "inner.test echo IN")).status == 255)
        #expect(try vault.run("ssh", "add", "open", "--any-host", "--to", "inner.test").status == 2)
        let widened = try vault.run("ssh", "add", "open", "--any-host")
        #expect(widened.errors.contains("see open now, for any host.\n"), "\(widened)")
        #expect(try sh(ssh("open", "inner.test echo IN")).output == "IN\n")
    }

    /// The name of the file is checked first. A key that was generated in vain would be in the way.
    @Test func aNameWhoseFileIsTakenIsRefusedBeforeThereIsAKey() throws {
        let taken = try vault.run("ssh", "add", "work-each", "--generate", "ed25519", "--require", "nothing")
        #expect(taken.status == 9 && taken.errors.contains("work/each"), "\(taken)")
        let long = String(repeating: "a", count: 230)
        #expect(try vault.run("ssh", "add", long, "--generate", "ed25519", "--require", "nothing").status == 2)
        #expect(try vault.run("key", "list", "--names").output == "once\nopen\nwork/each\n")
    }

    /// OpenSSH cannot bind a connection to a host whose key Latchkey does not support. Such a client may be anywhere.
    @Test func aHostWhoseKeyCannotBeCheckedGetsNoPromptAtTheTerminal() throws {
        #expect(try sh(ssh("open", "short.test echo IN")).output == "IN\n")
        let script = "\(ssh("once", "bastion.test true")); \(ssh("once", "short.test echo IN"))"
        let login = try session(script)
        #expect(login.prompts == 1 && !login.shown.contains("IN\n"), "\(login)")
        #expect(try vault.run("ssh", "add", "open", "--to", "short.test").status != 0)
        #expect(try vault.run("ssh", "add", "open", "--to", "bastion.test").status == 0)
        #expect(try sh(ssh("open", "short.test echo IN")).status == 255)
    }

    /// A proxy that refuses to bind, as if ssh were older than 8.9, or forwarded the socket as any other.
    private func proxy() throws {
        try write(
            """
            import os, socket, sys, threading

            def message(s):
                head = s.recv(4, socket.MSG_WAITALL)
                return head and head + s.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL)

            def serve(client):
                agent = socket.socket(socket.AF_UNIX)
                agent.connect(os.environ["SSH_AUTH_SOCK"])
                while request := message(client):
                    if request[4] == 27:
                        client.sendall(bytes([0, 0, 0, 1, 5]))
                    else:
                        agent.sendall(request)
                        client.sendall(message(agent))
                client.close()

            listening = socket.socket(socket.AF_UNIX)
            listening.bind(sys.argv[1])
            listening.listen()
            print("ready", flush=True)
            while True:
                threading.Thread(target=serve, args=[listening.accept()[0]], daemon=True).start()

            """, "proxy.py")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "skipped: needs python3"))
    func aLoginThatNamesNoHostUsesNoAuthenticationAndNoTerminal() throws {
        try proxy()
        let home = vault.place.path("home")
        let script = """
            mkfifo '\(home)/ready'; /usr/bin/python3 '\(home)/proxy.py' '\(home)/p' >'\(home)/ready' & \
            read line <'\(home)/ready'; \(ssh("once", "bastion.test echo IN")); export SSH_AUTH_SOCK='\(home)/p'; \
            \(ssh("once", "bastion.test echo UNNAMED")); \(ssh("open", "bastion.test echo OPEN")); kill $!
            """
        let logins = try session(script)
        #expect(logins.prompts == 1 && logins.shown.contains("IN\n"), "\(logins)")
        #expect(!logins.shown.contains("UNNAMED\n") && logins.shown.contains("OPEN\n"), "\(logins)")
    }

    @Test(
        .enabled(
            if: VirtualDisplay.isThere && PinentryFlavor.gtk.program != nil,
            "skipped: needs pinentry-gtk2, xvfb and xdotool"))
    func aForwardedRequestPromptsInAWindowAndADismissalLasts() throws {
        try vault.at("config", "--pinentry", "gtk", asked: vault.typingPasscode)
        let display = try VirtualDisplay()
        func start(_ script: String) -> Background<Result<Command.Run, any Error>> {
            Background { [environment] in
                Result {
                    try Command.run(
                        ["-w", "sh", "-c", script],
                        environment: environment.merging(["DISPLAY": display.name]) { $1 },
                        program: URL(filePath: "/usr/bin/setsid"))
                }
            }
        }
        func answer(_ running: Background<Result<Command.Run, any Error>>, _ text: String, _ key: String) throws {
            guard let window = try display.window(unless: { running.isOver }) else {
                Issue.record("no window")
                return
            }
            #expect(try display.type(text, key, into: window))
            #expect(try display.isEmptyInTime())
        }
        let hop = ssh("once", "inner.test echo BEYOND")
        let twice = start(ssh("open", "-A bastion.test \"\(hop); \(hop)\""))
        // Each one is for itself, although the key allows reuse.
        try answer(twice, vault.passcode, "Return")
        try answer(twice, vault.passcode, "Return")
        #expect(try twice.value.get().output == "BEYOND\nBEYOND\n")
        let dismissed = start(ssh("open", "-A bastion.test \"\(hop); \(hop)\""))
        try answer(dismissed, "", "Escape")
        let run = try dismissed.value.get()
        #expect(!run.output.contains("BEYOND"), "\(run)")
        #expect(try display.windows.isEmpty)
    }

    @Test func certificatesAreUsedAndSigned() throws {
        let home = vault.place.path("home")
        // A host lets in who has a certificate, which is in a file; the key in the agent signs.
        _ = try sh("ssh-keygen -q -t ed25519 -N '' -f '\(home)/ca'; cp '\(vault.folder)/ssh/open.pub' '\(home)/o.pub'")
        #expect(try sh("ssh-keygen -q -s '\(home)/ca' -I i -n \(NSUserName()) '\(home)/o.pub'").status == 0)
        try write("", "authorized")
        #expect(try sh(ssh("open", "bastion.test echo IN")).status == 255)
        try write(try String(contentsOfFile: home + "/ca.pub", encoding: .utf8), "authorities")
        let login = try sh(ssh("open", "-o CertificateFile='\(home)/o-cert.pub' bastion.test echo IN"))
        #expect(login.output == "IN\n", "\(login)")
        // The authority may be a key of the vault.
        let signed = try session(
            "ssh-keygen -q -U -s '\(vault.folder)/ssh/work-each.pub' -I i -n alice,bob '\(home)/ca.pub'")
        #expect(signed.prompts == 1, "\(signed)")
        #expect(signed.shown.contains("wants to sign an SSH certificate for the user alice and 1 more.\n"), "\(signed)")
        #expect(try sh("ssh-keygen -L -f '\(home)/ca-cert.pub'").output.contains("bob"))
    }

    /// A program that forwards reads its terminal, and would send a passcode on.
    @Test func aForwardedRequestNeverPromptsAtTheTerminal() throws {
        let hop = ssh("once", "inner.test echo BEYOND")
        let script = "\(ssh("once", "bastion.test true")); \(ssh("open", "-A bastion.test \"\(hop)\""))"
        let forwarded = try session(script)
        // Nor does it use what the user proved for this session.
        #expect(forwarded.prompts == 1 && !forwarded.shown.contains("BEYOND"), "\(forwarded)")
        // Neither does the other host change anything.
        let commands = "ssh-add -D; ssh-add -x; ssh-add -d \(vault.folder)/ssh/once.pub; ssh-add -l"
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
        // No key is removed this way, so it is no success either.
        #expect(try sh("ssh-add -D").status != 0)
        #expect(try vault.run("status").output.contains(/\bunlocked\b/))
        let locked = try start("SSH_ASKPASS_REQUIRE=never ssh-add -x")
        for words in ["lock password: ", "Again: "] {
            try locked.wait(for: words)
            locked.type("any\n")
        }
        try locked.wait(for: "END 0")
        #expect(try vault.run("status").output.contains(/\blocked\b/))
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
enum RealSSH {
    static let isThere =
        ["/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/git"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        && PinentryFlavor.tty.program != nil
}
