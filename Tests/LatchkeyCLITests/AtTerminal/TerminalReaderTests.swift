import Foundation
import TestSupport
import Testing
import UserPresence

/// Prompts in a terminal that another program reads, as a coding agent or an editor does.
@Suite(.waitsForProcesses) struct TerminalReaderTests {
    private let vault: VaultAtTerminal

    init() throws {
        vault = try VaultAtTerminal()
        try vault.run("set", "a", input: Data("kept".utf8))
    }

    @Test(arguments: [true, false]) func aPasscodeIsNeverAskedForWhereAnotherProgramReads(_ isRaw: Bool) throws {
        for words in ["get a", "edit a --comment c", "passwd", "config --reuse 1h"] {
            let terminal = try vault.startBesideReader(words, isRaw: isRaw)
            try terminal.wait(for: "reads this terminal and could get what you type. To answer the prompt")
            #expect(try vault.at("approve", asked: [("Passcode: ", "\u{4}")]).status == 6)
            try terminal.wait(for: "[status 6 got b'' ]")
            #expect(terminal.end() == 0 && !terminal.shown.contains("Passcode: "), "\(terminal.shown)")
            #expect(terminal.shown.contains("latchkey: python3"), "\(terminal.shown)")
        }
        let making = try vault.startBesideReader("init --own-passcode --vault \(vault.place.path("new"))", isRaw: isRaw)
        try making.wait(for: "reads this terminal")
        #expect(making.end() == 0 && !making.shown.contains("New passcode: "), "\(making.shown)")
        let doctor = try vault.startBesideReader("doctor", isRaw: isRaw)
        try doctor.wait(for: "reads this terminal, so none appears here")
        #expect(doctor.end() == 0)
    }

    /// The other program could take the answer, and the question would wait forever.
    @Test(arguments: [true, false]) func noQuestionIsAskedWhereAnotherProgramReads(_ isRaw: Bool) throws {
        let terminal = try vault.startBesideReader("config --history 0", isRaw: isRaw)
        try terminal.wait(for: "[status 8 got b'' ]")
        #expect(terminal.end() == 0 && !terminal.shown.contains("[y/N]"), "\(terminal.shown)")
        let words = /none can be asked while python3\S* \(process \d+\) reads this terminal: add --yes/
        #expect(terminal.shown.contains(words), "\(terminal.shown)")
    }

    @Test func aQuestionWithoutAnAnswerSaysWhatToType() throws {
        let ended = try vault.at("rm", "a", asked: [("Delete a? [y/N] ", "\u{4}")])
        let words = "\nlatchkey: no answer came: type y and press Enter, or add --force\n"
        #expect(ended.status == 6 && ended.shown.contains(words), "\(ended)")
        // The shell has set the terminal to single keys.
        let script = "stty raw; '\(Command.binary.path)' rm a; s=$?; stty sane; echo [status $s]"
        let terminal = try CommandAtTerminal(["-c", script], program: "/bin/sh", environment: vault.environment)
        try terminal.wait(for: "reads this terminal: add --force")
        try terminal.wait(for: "[status 8]")
        #expect(terminal.end() == 0)
        #expect(try vault.run("list", "--names").output == "a\n")
    }

    @Test func theSettingTerminalPromptsThereAllTheSame() throws {
        let set = try vault.at("config", "--prompt", "terminal", asked: vault.typingPasscode)
        #expect(set.status == 0 && set.shown.contains("prompt          terminal: also while another"), "\(set)")
        let terminal = try vault.startBesideReader("get a", isRaw: true)
        try terminal.wait(for: "Passcode: ")
        terminal.type("\u{3}")
        _ = terminal.end()
        // A person without a window can take `window` back.
        #expect(try vault.at("config", "--prompt", "window", asked: vault.typingPasscode).status == 0)
        let windowless = try vault.at("get", "a")
        #expect(windowless.status == 8 && windowless.shown.contains("latchkey config --prompt auto"), "\(windowless)")
        #expect(try vault.at("config", "--reuse", "1h").status == 8)
        #expect(try vault.at("config", "--prompt", "auto", asked: vault.typingPasscode).status == 0)
        #expect(try vault.at("get", "a", asked: vault.typingPasscode).status == 0)
    }

    /// A shell, git and make are in the same job as the command, and read nothing meanwhile.
    @Test func aProgramThatWaitsForTheCommandIsNoReader() throws {
        let script = "'\(Command.binary.path)' get a | cat; sh -c \"'\(Command.binary.path)' get a; true\""
        let terminal = try CommandAtTerminal(["-c", script], program: "/bin/sh", environment: vault.environment)
        try terminal.answer(vault.typingPasscode + vault.typingPasscode)
        #expect(terminal.end() == 0 && terminal.shown.hasSuffix("kept\n"), "\(terminal.shown)")
    }

    @Test(
        .enabled(
            if: VirtualDisplay.isThere && PinentryFlavor.qt.program != nil,
            "skipped: needs pinentry-qt, xvfb and xdotool"))
    func aWindowPromptsInstead() throws {
        let display = try VirtualDisplay()
        let terminal = try vault.startBesideReader("get a", isRaw: true, environment: ["DISPLAY": display.name])
        let window = try #require(try display.window(unless: { false }))
        #expect(try display.type(vault.passcode, "Return", into: window))
        try terminal.wait(for: "kept")
        try terminal.wait(for: "[status 0 got b'' ]")
        #expect(terminal.end() == 0 && !terminal.shown.contains("Passcode: "), "\(terminal.shown)")
    }
}
