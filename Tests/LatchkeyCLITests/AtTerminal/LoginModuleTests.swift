import Foundation
import TestSupport
import Testing

/// The module pam_latchkey in a login, at a locked screen and at a change of the password: with real users, pam_unix and
/// agents.
@Suite(.waitsForProcesses) struct LoginModuleTests {
    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func theSessionOfALoginUnlocksTheVault() throws {
        let stage = try LoginStage(password: "right one")
        let steps = ["authenticate", "establish", "open", "reap"]
        let login = try stage.login(steps[0], steps[1], steps[2], steps[3], typing: ["right one"])
        #expect(login.steps.map(\.name) == steps)
        #expect(login["authenticate"] == 0 && login["open"] == 0)
        // pam_unix starts no child as root, so the program sees neither a child nor a signal.
        #expect(login["reap"] == 0)
        #expect(try stage.logsIn("open", typing: "right one", until: stage.isUnlocked))
        // It is no authentication for a secret.
        let set = try stage.user.run("set", "a", asked: [("Secret: ", "s\n"), ("again: ", "s\n")])
        #expect(set.status == 0, "\(set)")
        #expect(try stage.user.run("get", "a", "--no-prompt").status == 8)
        #expect(try !stage.status().contains("former-opens-for"))
    }

    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func onlyTheEndOfASuccessUnlocks() throws {
        let stage = try LoginStage(password: "right one")
        // The authentication alone, and the credentials of a login.
        #expect(try stage.login("authenticate", "establish", typing: ["right one"])["authenticate"] == 0)
        // A wrong password, after which no program goes on.
        #expect(try stage.login("authenticate", "open", typing: ["wrong"])["authenticate"] == 7)
        // A login without a password, as by a fingerprint or a key.
        try stage.writeStack(auth: ["required pam_permit.so"])
        #expect(try stage.login("authenticate", "open")["open"] == 0)
        // A process that is neither root nor the user.
        try stage.writeStack(auth: ["required \(stage.module)"])
        #expect(try !stage.isUnlocked())
        #expect(try stage.status().contains(#""failed-attempts":0"#), "nothing of this was an attempt")
        // A screen locker, which opens no session.
        try stage.writeStack()
        #expect(try stage.logsIn("reinitialize", typing: "right one", until: stage.isUnlocked))
        // One that runs as the user, and so cannot see which program listens.
        #expect(try stage.user.run("lock").status == 0)
        #expect(
            try stage.logsIn(
                "reinitialize", as: "only=\(stage.identifier)", typing: "right one", until: stage.isUnlocked))
    }

    /// What listens at the socket while root logs the user in.
    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func aHostileListenerGetsNothing() throws {
        let stage = try LoginStage(password: "right one")
        // The agent itself, but of a program that the user could have replaced.
        try LoginUser.system("chown \(stage.user.name) '\(stage.user.home)/latchkey-agent'")
        #expect(try stage.login("authenticate", "open", typing: ["right one"])["open"] == 0)
        try LoginUser.system("cd '\(stage.user.home)'; chown root latchkey-agent; chmod 775 latchkey-agent")
        #expect(try stage.login("authenticate", "open", typing: ["right one"])["open"] == 0)
        try LoginUser.system("chmod 755 '\(stage.user.home)/latchkey-agent'")
        // Another program that stays there, of the administrator's.
        try stage.writeStack(arguments: "exe=/usr/bin/env")
        #expect(try stage.login("authenticate", "open", typing: ["right one"])["open"] == 0)
        #expect(try !stage.isUnlocked())

        for (name, identity) in [("user", stage.user.name), ("other", "nobody")] {
            let listener = try Listener(stage, as: identity, at: "\(stage.user.home)/\(name)")
            try stage.writeStack(socket: listener.socket)
            let login = try stage.login("authenticate", "open", typing: ["right one"])
            #expect(login["authenticate"] == 0 && login["open"] == 0)
            #expect(try listener.end().isEmpty, "nothing reached a listener that runs as \(name)")
        }
        try stage.writeStack()
        #expect(try stage.logsIn("open", typing: "right one", until: stage.isUnlocked), "the right one still gets it")
    }

    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func noAgentAndAHungAgentDelayALoginByThreeSecondsAtMost() throws {
        let stage = try LoginStage(password: "right one")
        kill(try stage.agent, SIGSTOP)
        let hung = try stage.login("authenticate", "open", "reap", typing: ["right one"])
        let open = try #require(hung.steps.first { $0.name == "open" })
        #expect(open.code == 0 && open.milliseconds >= 2900, "\(open)")
        #expect(hung["reap"] == 0, "the child was ended and collected")
        // Only a machine without time for anything takes longer than the cap by so much.
        #expect(open.milliseconds < 3000 + Double(Patience.seconds) * 1000)
        kill(try stage.agent, SIGCONT)
        #expect(try !stage.isUnlocked())
        #expect(try stage.user.run("agent", "stop").status == 0)
        let none = try stage.login("authenticate", "open", typing: ["right one"])
        #expect(none["open"] == 0)
        try stage.writeStack(socket: "\(stage.user.home)/missing/agent.socket")
        #expect(try stage.login("authenticate", "open", typing: ["right one"])["open"] == 0)
    }

    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func aChangeOfThePasswordChangesThePasscode() throws {
        let stage = try LoginStage(password: "right one")
        let root = "as=\(try stage.identifier)"
        // pam_unix changes nothing, so neither does the vault: with Debian's stack, and with one that reaches the module.
        let failing = "only=\(try stage.identifier)"
        #expect(
            try stage.login(failing, "change", typing: ["right one", "new long one", "new long one"])["change"] != 0)
        #expect(try stage.status().contains(#""failed-attempts":0"#))
        try stage.writeStack(password: ["required pam_unix.so"])
        #expect(
            try stage.login(failing, "change", typing: ["right one", "new long one", "new long one"])["change"] != 0)
        try stage.writeStack()
        #expect(try !stage.status().contains("former-opens-for"))
        // A wrong old password.
        #expect(try stage.login(root, "change", typing: ["wrong", "new long one", "new long one"])["change"] != 0)
        #expect(try !stage.status().contains("former-opens-for"))

        let changed = try stage.login(root, "change", typing: ["right one", "new long one", "new long one"])
        #expect(changed["change"] == 0, "\(changed)")
        #expect(try Patience.wait(everyMilliseconds: 50) { try stage.status().contains("former-opens-for") })
        #expect(try stage.user.run("status").shown.contains("former login password opens the vault for 7 days"))
        // The next login with the new one ends the former one, though the vault is unlocked.
        #expect(try stage.logsIn("open", typing: "new long one") { try !stage.status().contains("former-opens-for") })

        // Root changes it without the old one, so the agent asks for that.
        try stage.user.set("set by root")
        #expect(try stage.user.run("lock").status == 0)
        #expect(
            try stage.logsIn("open", typing: "set by root") {
                try stage.status().contains(#""failed-attempts":1"#)
            }, "it is another password than the passcode, once")
        #expect(try stage.login("authenticate", "open", typing: ["set by root"])["open"] == 0)
        let asked = try stage.user.run(
            "unlock", asked: [("Passcode: ", "set by root\n"), ("Former passcode: ", "new long one\n")])
        #expect(asked.status == 0, "\(asked)")
        #expect(try stage.status().contains(#""failed-attempts":0"#), "the same wrong one counted once")
    }

    /// An expired password is changed during the login, when the folder of the socket is not there yet.
    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func aChangeBeforeTheSessionIsPassedOnWhenItBegins() throws {
        let stage = try LoginStage(password: "right one")
        let away = stage.socket + ".away"
        let change = [
            "as=\(try stage.identifier)", "authenticate", "move=\(stage.socket):\(away)", "change",
            "move=\(away):\(stage.socket)", "as=0",
        ]
        let typed = ["right one", "right one", "new long one", "new long one"]
        let login = try stage.login(change + ["open"], typing: typed)
        #expect(login["authenticate"] == 0 && login["change"] == 0 && login["open"] == 0, "\(login)")
        #expect(!login.steps.contains { $0.name.hasPrefix("move=") && $0.code != 0 }, "\(login)")
        #expect(try Patience.wait(everyMilliseconds: 50) { try stage.isUnlocked() })
        #expect(try stage.user.run("lock").status == 0)
        #expect(try stage.user.run("unlock", asked: [("Passcode: ", "new long one\n")]).status == 0)
        #expect(try !stage.status().contains("former-opens-for"))
    }

    /// The program is killed while the agent hangs, and before the child knows who listens.
    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func theChildEndsThoughTheProgramIsKilled() throws {
        let stage = try LoginStage(password: "right one")
        let agent = try stage.agent
        kill(agent, SIGSTOP)
        defer { kill(agent, SIGCONT) }
        let words = "'\(stage.folder.path("pam.d"))' login \(stage.user.name) authenticate open"
        try LoginUser.system(
            """
            export ASAN_OPTIONS=detect_leaks=0
            printf 'right one\\n' | '\(stage.folder.path("login"))' \(words) > /dev/null 2>&1 &
            for try in $(seq 200); do child=$(pgrep -u \(stage.user.name) -x login) && break; sleep 0.02; done
            [ -n "$child" ]
            kill -9 $!
            for try in $(seq 200); do kill -0 $child || exit 0; sleep 0.1; done 2> /dev/null
            exit 1
            """)
    }

    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func theLastSessionLocksTheVaultIfItsOwnerWantsThat() throws {
        let stage = try LoginStage(password: "right one")
        let typing = [(question: "Passcode: ", answer: "right one\n")]
        #expect(try stage.user.run("unlock", asked: typing).status == 0)
        #expect(try stage.login("env=XDG_SESSION_ID=c1", "open", "close")["close"] == 0)
        #expect(try stage.isUnlocked())
        let set = try stage.user.run("config", "--lock-at-logout", "yes", asked: typing)
        #expect(set.status == 0 && set.shown.contains("lock-at-logout  yes"), "\(set)")
        #expect(try stage.user.run("unlock", asked: typing).status == 0)
        // A name that no session has.
        #expect(try stage.login("env=XDG_SESSION_ID=a\"b", "close")["close"] == 0)
        #expect(try stage.isUnlocked())
        #expect(
            try Patience.wait(everyMilliseconds: 50) {
                try stage.login("env=XDG_SESSION_ID=c1", "close")["close"] == 0 && !stage.isUnlocked()
            })
    }

    /// A vault whose passcode is not the login password ignores every login.
    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func aVaultWithAPasscodeOfItsOwnIgnoresLogins() throws {
        let stage = try LoginStage(password: "right one")
        #expect(
            try stage.user.run("config", "--pam-service", "none", asked: [("Passcode: ", "right one\n")]).status == 0)
        try stage.restartAgent()
        try stage.writeStack()
        try stage.user.set("another")
        for _ in 0..<12 { #expect(try stage.login("authenticate", "open", typing: ["another"])["open"] == 0) }
        #expect(try stage.status().contains(#""failed-attempts":0"#))
        #expect(try stage.user.run("unlock", asked: [("Passcode: ", "right one\n")]).status == 0)
    }

    /// Each near miss of a reply, under the sanitizers.
    @Test func everyReplyIsReadWithinItsBounds() throws {
        let folder = try TemporaryFolder()
        try LoginStage.build(into: folder, program: "/usr/bin/latchkey")
        let run = try Command.run([], program: URL(filePath: folder.path("replies")))
        #expect(run.status == 0, "\(run)")
        #expect(run.output == "351395 tried, 6331 greetings, 555 answers, 318 lengths\n")
    }
}

/// A program that greets like an agent at a socket, and notes everything that it is sent.
private final class Listener {
    let socket: String
    private var program: SpawnedProgram?

    init(_ stage: LoginStage, as user: String, at folder: String) throws {
        socket = folder + "/agent.socket"
        let source = stage.folder.path("listener.py")
        try Data(
            """
            import os, socket, sys
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1])
            listener.listen()
            print("ready", flush=True)
            while True:
                connection, _ = listener.accept()
                head = b'{"latchkey":1,"process":%d,"vault":"/v"}' % os.getpid()
                try:
                    connection.sendall(len(head).to_bytes(4, "big") + bytes(4) + head)
                    noted = connection.recv(65536)
                except OSError:
                    continue
                print(noted, flush=True)
            """.utf8
        ).write(to: URL(filePath: source))
        // The folder belongs to the user in any case, or nothing would be tried.
        try LoginUser.system(
            "mkdir -m 700 '\(folder)'; chown \(user) '\(folder)'; chmod 755 '\(stage.user.home)'; chmod 644 '\(source)'"
        )
        var program = try SpawnedProgram(
            path: "/usr/bin/env",
            [
                "--default-signal", "/usr/bin/setpriv", "--reuid=\(user)", "--clear-groups", "--regid=65534",
                "/usr/bin/python3", source, socket,
            ])
        let ready = program.line()
        self.program = program
        try #require(ready == "ready")
        try LoginUser.system("chown \(stage.user.name) '\(folder)'")
    }

    deinit { if let program { end(program) } }

    private func end(_ program: SpawnedProgram) {
        program.kill()
        program.end()
    }

    /// Ends the program. Returns what it has noted; an empty message is a connection that was closed.
    func end() throws -> [String] {
        guard var program else { return [] }
        self.program = nil
        program.kill()
        let noted = program.lines()
        program.end()
        return noted.filter { $0 != "b''" }
    }
}
