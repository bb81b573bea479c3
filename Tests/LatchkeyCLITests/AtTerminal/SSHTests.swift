import Foundation
import TestSupport
import Testing
import UserPresence

/// The real ssh and ssh-keygen use keys of a vault beside other programs, against a real sshd that needs no port and no root. What
/// they show is in Fixtures/transcripts/ssh.txt.
@Suite(
    .waitsForProcesses,
    .enabled(if: RealSSH.isThere, "skipped: needs openssh-client, openssh-server and pinentry-tty"))
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

    /// Writes the settings of two hosts, bastion.test and inner.test, and of a client that knows them.
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
        vault.environment.merging(["SSH_AUTH_SOCK": socket]) { $1 }
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

    @Test func anEndedClientTakesItsPromptAlong() throws {
        let other = try start("\(ssh("work-each", "bastion.test echo IN")) & wait $!")
        try other.wait(for: "Passcode: ")
        // The other prompt is gone with its client, so this one comes at once.
        _ = try sh("kill $(pgrep -P \(other.process) ssh)")
        let login = try session(ssh("work-each", "bastion.test echo IN"))
        #expect(login.prompts == 1 && login.shown.contains("IN\n"), "\(login)")
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

    /// A key such as Ctrl-C ends the import of a key with a passphrase as well. Nothing is left, and no core dump could be.
    @Test func anInterruptEndsTheImport() throws {
        let path = vault.place.path("home/p")
        #expect(try sh("ssh-keygen -q -t ed25519 -N 'a passphrase' -f '\(path)'").status == 0)
        /// The folders with copies of secrets. They come and go with the commands.
        func copies() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: vault.runtime).filter { $0.hasPrefix("latchkey-") }
        }
        let terminal = try CommandAtTerminal(
            ["-c", "ulimit -S -c \"$(ulimit -H -c)\"; exec '\(Command.binary.path)' key import p '\(path)'"],
            program: "/bin/sh", environment: vault.environment)
        try terminal.wait(for: "old passphrase: ")
        #expect(try copies().count == 1)
        let child = try sh("pgrep -P \(terminal.process) ssh-keygen").output
        let number = child.trimmingCharacters(in: .whitespacesAndNewlines)
        let limits = try String(contentsOfFile: "/proc/\(number)/limits", encoding: .utf8)
        // One byte is less than any core dump has, and keeps it from a program that collects them.
        #expect(limits.contains(/Max core file size\s+[01]\s/), "\(limits)")
        terminal.type("\u{3}")
        #expect(terminal.end() == -SIGINT, "\(terminal.shown)")
        #expect(terminal.settings == terminal.settingsAtFirst)
        #expect(try copies().isEmpty)
        #expect(try vault.run("ssh", "public", "p").status == 4)
    }
}

/// The programs that the tests of SSH need.
enum RealSSH {
    static let isThere =
        ["/usr/sbin/sshd", "/usr/bin/ssh"].allSatisfy(FileManager.default.isExecutableFile)
        && PinentryFlavor.tty.program != nil
}
