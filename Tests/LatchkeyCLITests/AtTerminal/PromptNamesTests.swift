import Foundation
import TestSupport
import Testing

/// A prompt names the program that asks and how long the answer counts, and there is none where none is wanted.
@Suite(.waitsForProcesses) struct PromptNamesTests {
    @Test func aPromptNamesTheProgramTheSecretAndHowLongItCounts() throws {
        let vault = try VaultAtTerminal("--default-policy", "presence")
        let secret = [(question: "Secret: ", answer: "x\n"), (question: "again: ", answer: "x\n")]
        #expect(try vault.at("set", "a", asked: secret).status == 0)
        #expect(try vault.at("set", "b", "--preset", "every-time", asked: secret).status == 0)
        /// Runs a command below a shell, and returns what its prompt says.
        func shown(_ command: String) throws -> String {
            let terminal = try CommandAtTerminal(
                ["-c", "'\(Command.binary.path)' \(command); exit $?"], program: "/bin/sh",
                environment: vault.environment)
            try terminal.answer(vault.typingPasscode)
            #expect(terminal.end() == 0, "\(terminal.shown)")
            #expect(
                terminal.shown.contains("\n  Program: \(shell) (process \(terminal.process))\n"), "\(terminal.shown)")
            return terminal.shown
        }
        #expect(try shown("get a").contains("\"latchkey\" wants to read a.\n  Program: "))
        #expect(
            try shown("get a").contains(
                "\n  Counts for reading and signing in this session, until 10 minutes after its last use.\n"))
        #expect(
            try shown("get b").contains(
                "\n  Counts for this command, and reading and signing in this session until 10 minutes after its last use.\n"
            )
        )
        #expect(try shown("config --reuse 0").contains("\n  Counts for "))
        #expect(try shown("get a").contains("\n  Counts for this command only.\n"))
        let run = try shown("run --env A=a --env B=b -- true")
        #expect(run.contains("wants to run true with a and b.\n  Program: "), "\(run)")
    }

    /// The path of the shell, as the system names it.
    private var shell: String {
        (try? Command.run(["-f", "/bin/sh"], program: .init(filePath: "/usr/bin/readlink")).output)?.trimmingLine ?? "?"
    }

    @Test func noPromptMeansNoneAtATerminalToo() throws {
        let vault = try VaultAtTerminal()
        let secret = [(question: "Secret: ", answer: "x\n"), (question: "again: ", answer: "x\n")]
        #expect(try vault.at("set", "a", asked: secret).status == 0)
        #expect(try vault.at("set", "open", "--preset", "open", asked: secret).status == 0)
        for arguments in [
            ["get", "--no-prompt", "a"], ["run", "--no-prompt", "--env", "A=a", "--", "true"],
            ["passwd", "--no-prompt"], ["init", "--no-prompt", "--own-passcode", "--vault", vault.place.path("other")],
        ] {
            let terminal = try vault.start(arguments)
            #expect(terminal.end() == 8 && terminal.shown.contains("--no-prompt"), "\(arguments): \(terminal.shown)")
        }
        #expect(try vault.at("get", "--no-prompt", "open") == (0, "x\n"), "what needs nothing is shown")
    }

    @Test func aPromptOfAHelperNamesItsPurposeInALockedVaultToo() throws {
        let vault = try VaultAtTerminal()
        let secret = [(question: "Secret: ", answer: "x\n"), (question: "again: ", answer: "x\n")]
        #expect(try vault.at("set", "git/https/example.org/me", "--preset", "open", asked: secret).status == 0)
        #expect(try vault.at("set", "docker/example.org/me", "--preset", "open", asked: secret).status == 0)
        for (input, words, purpose) in [
            ("protocol=https\\nhost=example.org\\n\\n", "git-credential get", "log git in to example.org"),
            ("example.org", "docker-credential get", "log docker in to example.org"),
        ] {
            try vault.run("lock")
            let terminal = try CommandAtTerminal(
                ["-c", "printf '\(input)' | '\(Command.binary.path)' \(words)"], program: "/bin/sh",
                environment: vault.environment)
            try terminal.answer(vault.typingPasscode)
            #expect(terminal.end() == 0, "\(terminal.shown)")
            #expect(terminal.shown.contains("\"latchkey\" wants to \(purpose).\n"), "\(terminal.shown)")
            #expect(!terminal.shown.contains("list the secrets"), "\(terminal.shown)")
        }
    }

    @Test func aPromptForAChangePromisesNoReuseOfChanges() throws {
        let vault = try VaultAtTerminal("--default-policy", "presence")
        let secret = [(question: "Secret: ", answer: "x\n"), (question: "again: ", answer: "x\n")]
        #expect(try vault.at("set", "a", asked: secret).status == 0)
        let edited = try vault.at("edit", "a", "--comment", "c", asked: vault.typingPasscode)
        #expect(
            edited.shown.contains("\n  Counts for this command, and reading and signing in this session until "),
            "\(edited)")
    }
}

extension String {
    fileprivate var trimmingLine: String { hasSuffix("\n") ? String(dropLast()) : self }
}
