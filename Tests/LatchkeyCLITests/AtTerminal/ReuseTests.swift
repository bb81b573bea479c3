import Foundation
import TestSupport
import Testing

/// An authentication counts for a while in the terminal session where it was given, and nowhere else.
@Suite(.waitsForProcesses) struct ReuseTests {
    private static let secrets = [
        "set once", "set other --preset passcode --require devicePasscode", "set each --preset every-time",
        "set code --preset passcode", "set reused --require devicePasscode --reuse yes",
    ]

    /// Runs a script in one session on a terminal of its own, where `latchkey` is the command. Types the passcode at
    /// every prompt, and returns how often there was one.
    static func session(
        _ script: String, _ vault: VaultAtTerminal, _ location: SourceLocation = #_sourceLocation
    ) throws -> (prompts: Int, shown: String) {
        let terminal = try start(script, vault)
        let prompts = try prompts(of: terminal, vault, location)
        return (prompts, terminal.shown)
    }

    private static func start(_ script: String, _ vault: VaultAtTerminal) throws -> CommandAtTerminal {
        let latchkey = "latchkey() { '\(Command.binary.path)' \"$@\"; }"
        return try CommandAtTerminal(
            ["-c", "\(latchkey); set -e; \(script); echo END"], program: "/bin/sh", environment: vault.environment)
    }

    /// Types the passcode at every prompt until the script is over.
    private static func prompts(
        of terminal: CommandAtTerminal, _ vault: VaultAtTerminal, _ location: SourceLocation
    ) throws -> Int {
        var prompts = 0
        while true {
            try terminal.wait(forAnyOf: ["Passcode: ", "END\r\n", "latchkey: "], at: location)
            if terminal.lastSeen == "Passcode: " {
                prompts += 1
                terminal.type(vault.passcode + "\n")
            } else {
                #expect(terminal.end() == 0, "\(terminal.shown)", sourceLocation: location)
                return prompts
            }
        }
    }

    static func vault(_ policy: String = "presence") throws -> VaultAtTerminal {
        let vault = try VaultAtTerminal("--default-policy", policy)
        for words in secrets {
            let run = try vault.run(words.split(separator: " ").map(String.init), input: Data("s3cret".utf8))
            #expect(run.status == 0, "\(run)")
        }
        return vault
    }

    @Test func oneAuthenticationServesATerminalForSecretsThatAllowIt() throws {
        let vault = try Self.vault()
        for (script, expected) in [
            ("latchkey get once | cat; latchkey get once | cat; latchkey get reused | cat", 1),
            ("latchkey get reused | cat; latchkey run --env A=once -- env | grep A=", 1),
            ("latchkey get each | cat; latchkey get each | cat; latchkey get once | cat", 2),
            ("latchkey get code | cat; latchkey get once | cat; latchkey get code | cat", 2),
            ("latchkey get once; latchkey get other | cat; latchkey get other | cat", 3),
            // The passcode that unlocks counts, and a lock ends what was given before.
            ("latchkey get once | cat; latchkey lock; latchkey unlock; latchkey get once | cat", 2),
            ("latchkey lock; latchkey get once | cat; latchkey get reused | cat", 1),
            // A child of the session is in it, and another session is not.
            ("sh -c \"'\(Command.binary.path)' get once\" | cat; latchkey get once | cat", 1),
            (
                "latchkey get once | cat; setsid -w '\(Command.binary.path)' get once </dev/null >/dev/null 2>&1 "
                    + "&& exit 1 || test $? = 8", 1
            ),
            (
                "latchkey key generate k >/dev/null; echo m | latchkey key sign k | cat; echo m | latchkey key sign k | cat",
                1
            ),
        ] {
            let session = try Self.session(script, vault)
            #expect(session.prompts == expected, "\(script): \(session.shown)")
        }
    }

    @Test func aSecondTerminalHasToAskForItself() throws {
        let vault = try Self.vault()
        let first = try Self.start("latchkey get once | cat; echo READY; read line; latchkey get once | cat", vault)
        try first.wait(for: "Passcode: ")
        first.type(vault.passcode + "\n")
        try first.wait(for: "READY")
        #expect(try Self.session("latchkey get once | cat", vault).prompts == 1)
        first.type("\n")
        #expect(try Self.prompts(of: first, vault, #_sourceLocation) == 0)
    }

    /// Once the shell that leads the session has ended, nothing of it counts, even for a program that it left behind.
    @Test func itEndsWithTheLeaderOfTheSession() throws {
        let vault = try Self.vault()
        let place = vault.place.path("left")
        let first = try Self.start(
            "trap '' HUP; latchkey get once | cat; (while test -d /proc/$$; do sleep 0.1; done; "
                + "'\(Command.binary.path)' get once >'\(place)' 2>&1 || echo \"status $?\" >>'\(place)') & true", vault
        )
        #expect(try Self.prompts(of: first, vault, #_sourceLocation) == 1)
        first.hangUp()
        let deadline = Patience.end
        var said = ""
        while !said.contains("status") && Date() < deadline {
            usleep(20_000)
            said = (try? String(contentsOfFile: place, encoding: .utf8)) ?? ""
        }
        #expect(said.contains("status 8"), "\(said)")
    }

    @Test func itEndsInTime() throws {
        let vault = try Self.vault()
        #expect(try vault.at("config", "--reuse", "1s", asked: vault.typingPasscode).status == 0)
        let session = try Self.session("latchkey get once | cat; sleep 2; latchkey get once | cat", vault)
        #expect(session.prompts == 2, "\(session.shown)")
        #expect(try vault.at("config", "--reuse", "0", asked: vault.typingPasscode).status == 0)
        #expect(try Self.session("latchkey get once | cat; latchkey get once | cat", vault).prompts == 2)
        // What is saved and shown then promises no session.
        let saved = try vault.run("set", "off", "--preset", "presence", input: Data("s3cret".utf8))
        #expect(saved.errors == "Saved off; asks each time.\n", "\(saved)")
        let shown = try vault.run("show", "off").output
        #expect(shown.contains("prompting  asks each time, because the vault's setting reuse is 0\n"), "\(shown)")
        #expect(shown.contains("policy     presence\n"))
        #expect(try vault.run("show", "each").output.contains("prompting  asks each time\n"))
        // A new setting ends what was kept under the former one.
        #expect(try vault.at("config", "--reuse", "12h", asked: vault.typingPasscode).status == 0)
        let changed = try Self.session(
            "latchkey get once | cat; latchkey config --reuse 11h; latchkey get once | cat", vault)
        #expect(changed.prompts <= 3, "\(changed.shown)")
        let tooLong = try vault.run("config", "--reuse", "13h")
        #expect(tooLong.status == 2 && tooLong.errors.contains("at most 12 hours"), "\(tooLong)")
    }

    /// A finger is reused like the passcode, and a new finger ends it for a secret of the current set.
    @Test func aFingerIsReused() throws {
        let vault = try VaultAtTerminal("--fake-biometry", "--default-policy", "biometry")
        #expect(try vault.at("biometry", "enroll", "right index", asked: vault.typingPasscode).status == 0)
        for words in [["set", "a"], ["set", "b", "--preset", "current-set", "--reuse", "yes"]] {
            #expect(try vault.run(words, input: Data("s3cret".utf8)).status == 0)
        }
        let terminal = try Self.start(
            "latchkey get a | cat; latchkey get b | cat; latchkey biometry enroll thumb; "
                + "latchkey get a | cat; latchkey get b || test $? = 3", vault)
        try terminal.answer([
            ("touches it? ", "right index\n"), ("Continue? [y/N] ", "y\n"), ("Passcode: ", vault.passcode + "\n"),
        ])
        try terminal.wait(for: "invalidated")
        try terminal.wait(for: "END")
        #expect(terminal.end() == 0, "\(terminal.shown)")
        #expect(terminal.shown.components(separatedBy: "touches it?").count == 2, "\(terminal.shown)")
    }

    /// The presets that prompt each time cannot be talked into anything else.
    @Test func everyTimeMeansEveryTime() throws {
        let vault = try Self.vault("every-time")
        for words in [
            ["set", "x", "--preset", "every-time", "--reuse", "yes"],
            ["set", "x", "--preset", "passcode", "--reuse", "yes"],
            ["set", "x", "--require", "applicationPassword", "--reuse", "yes"],
        ] {
            let run = try vault.run(words, input: Data("s3cret".utf8))
            #expect(run.status == 2 && run.errors.contains("without --reuse yes"), "\(run)")
        }
        for (words, says) in [
            (["set", "d"], "Saved d; asks each time.\n"),
            (["set", "e", "--preset", "presence"], "Saved e; asks once per session.\n"),
            (["set", "f", "--preset", "open"], "Saved f; opens while the vault is unlocked.\n"),
            (["set", "g", "--preset", "service"], "Saved g; opens from the first unlock on.\n"),
            (["set", "h", "--require", "devicePasscode"], "Saved h; asks each time.\n"),
        ] {
            let run = try vault.run(words, input: Data("s3cret".utf8))
            #expect(run.errors == says, "\(run)")
        }
        let shown = try vault.run("show", "e").output
        #expect(shown.contains("prompting  asks once per session"), "\(shown)")
        #expect(shown.contains("policy     presence\n"), "\(shown)")
        #expect(try vault.run("show", "h").output.contains("policy     passcode\n"))
        #expect(try vault.run("edit", "e", "--this-device-only").status == 8)
    }

    /// A day of work: one prompt at its beginning, one after a lock, and one after the machine slept, which locks too.
    @Test(.enabled(if: access("/usr/bin/git", X_OK) == 0, "skipped: needs git")) func aDayTakesThreePrompts() throws {
        let vault = try Self.vault()
        let work = """
            git() { printf 'protocol=https\\nhost=example.com\\nusername=me\\n\\n' | latchkey git-credential get >/dev/null; }
            round() {
                for i in 1 2 3 4 5 6 7; do git; done
                for i in 1 2 3; do latchkey get once >/dev/null; done
                latchkey run --env TOKEN=once -- true
            }
            printf 'protocol=https\\nhost=example.com\\nusername=me\\npassword=p\\n\\n' | latchkey git-credential store
            round; latchkey lock; round; latchkey lock; round
            """
        let session = try Self.session(work, vault)
        #expect(session.prompts == 3, "\(session.shown)")
    }
}
