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

    /// Starts a command below a program in the same job, which sets the terminal to single keys or leaves it, reads it until the
    /// command ends, and then prints what it got.
    private func start(_ words: String, isRaw: Bool, environment: [String: String] = [:]) throws -> CommandAtTerminal {
        let script = """
            import os, select, subprocess, sys, termios, threading, time
            raw = \(isRaw ? "True" : "False")
            before = termios.tcgetattr(0)
            if raw:
                mode = termios.tcgetattr(0)
                mode[3] &= ~(termios.ICANON | termios.ECHO)
                termios.tcsetattr(0, termios.TCSANOW, mode)
            got = []
            def read():
                while True:
                    if raw: select.select([0], [], [])
                    got.append(os.read(0, 1000))
            threading.Thread(target=read, daemon=True).start()
            time.sleep(0.3)
            status = subprocess.run(['\(Command.binary.path)'] + '\(words)'.split(), stdin=subprocess.DEVNULL).returncode
            time.sleep(0.2)
            termios.tcsetattr(0, termios.TCSANOW, before)
            print('[status', status, 'got', b''.join(got), ']', flush=True)
            os._exit(0)
            """
        return try CommandAtTerminal(
            ["-c", script], program: "/usr/bin/python3", environment: vault.environment.merging(environment) { $1 })
    }

    @Test(arguments: [true, false]) func aPasscodeIsNeverAskedForWhereAnotherProgramReads(_ isRaw: Bool) throws {
        for words in ["get a", "edit a --comment c", "passwd", "config --reuse 1h"] {
            let terminal = try start(words, isRaw: isRaw)
            try terminal.wait(for: "reads this terminal and could get what you type, so nothing was asked")
            try terminal.wait(for: "[status 8 got b'' ]")
            #expect(terminal.end() == 0 && !terminal.shown.contains("Passcode: "), "\(terminal.shown)")
            #expect(terminal.shown.contains("latchkey: python3"), "\(terminal.shown)")
        }
        let making = try start("init --own-passcode --vault \(vault.place.path("new"))", isRaw: isRaw)
        try making.wait(for: "reads this terminal")
        #expect(making.end() == 0 && !making.shown.contains("New passcode: "), "\(making.shown)")
        let doctor = try start("doctor", isRaw: isRaw)
        try doctor.wait(for: "reads this terminal, so none appears here")
        #expect(doctor.end() == 0)
    }

    @Test func theSettingTerminalPromptsThereAllTheSame() throws {
        let set = try vault.at("config", "--prompt", "terminal", asked: vault.typingPasscode)
        #expect(set.status == 0 && set.shown.contains("prompt          terminal: also while another"), "\(set)")
        let terminal = try start("get a", isRaw: true)
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
        let terminal = try start("get a", isRaw: true, environment: ["DISPLAY": display.name])
        let window = try #require(try display.window(unless: { false }))
        #expect(try display.type(vault.passcode, "Return", into: window))
        try terminal.wait(for: "kept")
        try terminal.wait(for: "[status 0 got b'' ]")
        #expect(terminal.end() == 0 && !terminal.shown.contains("Passcode: "), "\(terminal.shown)")
    }
}
