import Foundation
import TestSupport
import Testing

/// Tiny terminals, streams that are closed, full or never read, and commands in the background.
@Suite(.waitsForProcesses) struct StreamTests {
    @Test func streamsThatAreNotAsUsual() throws {
        let vault = try VaultAtTerminal(none: ())
        // The terminal has one row and one column.
        let tiny = try CommandAtTerminal(
            ["init", "--own-passcode", "--default-policy", "every-time"], environment: vault.environment, rows: 1,
            columns: 1)
        let passcode = vault.passcode + "\n"
        try tiny.answer([("New passcode: ", passcode), ("Type it again: ", passcode)])
        #expect(tiny.end() == 0)
        defer { _ = try? vault.run("agent", "stop") }
        let large = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        try vault.run("set", "large", "--preset", "open", input: large)
        try vault.run("set", "a", input: Data("kept".utf8))
        for arguments in [["list"], ["status"], ["show", "a"], ["list", "--tree"], ["log"], ["--help"]] {
            let shown = try CommandAtTerminal(arguments, environment: vault.environment, rows: 1, columns: 1)
            #expect(shown.end() == 0)
        }

        // A closed stream is an error if it is needed, and no file takes its number.
        let closedInput = try CommandAtTerminal(["set", "b"], environment: vault.environment, input: .closed)
        #expect(closedInput.end() == 2)
        #expect(closedInput.shown == "latchkey: standard input: Bad file descriptor\n")
        let closedOutput = try CommandAtTerminal(["get", "large"], environment: vault.environment, output: .closed)
        #expect(closedOutput.end() == 1)
        #expect(closedOutput.shown == "latchkey: standard output: Bad file descriptor\n")
        let closedErrors = try CommandAtTerminal(["get", "none"], environment: vault.environment, errors: .closed)
        #expect(closedErrors.end() == 4)
        #expect(closedErrors.shown.isEmpty)

        // Prompts never use standard input, which may lead anywhere.
        let asked = try CommandAtTerminal(
            ["get", "a"], environment: vault.environment, input: .nowhere, output: .nowhere, errors: .nowhere)
        try asked.answer(vault.typingPasscode)
        #expect(asked.end() == 0)
        #expect(!asked.shown.contains("kept"))

        func shell(_ script: String) throws -> Command.Run {
            try Command.run(
                ["--default-signal=PIPE", "sh", "-c", script, Command.binary.path], environment: vault.environment,
                program: URL(filePath: "/usr/bin/env"))
        }
        let full = try shell("\"$0\" get large >/dev/full")
        #expect(full.status == 1 && full.errors == "latchkey: standard output: No space left on device\n")
        let fullTerse = try shell("\"$0\" list >/dev/full")
        #expect(fullTerse.status == 1 && fullTerse.errors == "latchkey: standard output: No space left on device\n")
        let gone = try shell("{ \"$0\" get large; echo $? >&2; } | true")
        #expect(gone.errors == "141\n")
        let ignored = try shell("trap '' PIPE; { \"$0\" get large; echo $? >&2; } | true")
        #expect(ignored.errors == "latchkey: standard output: Broken pipe\n1\n")

        // A pipe without a reader blocks one command, and no other.
        let (unread, stuffed) = try ClosedOnExec.pipe()
        let stuck = try CommandAtTerminal(
            ["get", "large"], environment: vault.environment, output: .descriptor(stuffed))
        #expect(try vault.run("get", "large").output.utf8.count == large.count)
        #expect(kill(stuck.process, 0) == 0)
        stuck.type("\u{3}")
        #expect(stuck.end() == -SIGINT)
        for end in [unread, stuffed] { close(end) }

        try inTheBackground(vault)
    }

    private func inTheBackground(_ vault: VaultAtTerminal) throws {
        let script =
            "'\(Command.binary.path)' get a & wait; echo [waiting]; read go; fg >/dev/null; echo [status $?]"
        let shell = try CommandAtTerminal(["-m", "-c", script], program: "/bin/sh", environment: vault.environment)
        let before = shell.settings
        try shell.wait(for: "[waiting]")
        #expect(shell.settings == before)
        #expect(!shell.shown.contains("Passcode"))
        shell.type("\n")
        try shell.answer(vault.typingPasscode)
        try shell.wait(for: "[status 0]")
        #expect(shell.shown.contains("kept\n"))
        #expect(shell.end() == 0)
        #expect(shell.settings == before)
    }

    @Test func anImportFromATerminalSaysWhatItReads() throws {
        let vault = try VaultAtTerminal()
        let table = "name,password\nx,y\n\u{4}"
        let typed = try vault.at(
            "import", "csv", "-", "--dry-run",
            asked: [("Reading a CSV table from the terminal. Ctrl-D ends it.", table)])
        #expect(typed.status == 0 && typed.shown.hasSuffix("x\n"), "\(typed)")
    }
}
