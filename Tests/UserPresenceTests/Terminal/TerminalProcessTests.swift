import Foundation
import TestSupport
import Testing

/// Processes with a controlling terminal, and the state in which they leave it.
@Suite struct TerminalProcessTests {
    private let terminal: Terminal
    private let before: Terminal.Settings

    init() throws {
        terminal = try Terminal()
        before = terminal.settings
    }

    /// Returns the line that an asker prints for this typed text.
    private func typed(_ text: String) -> String {
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "typed \(text.utf8.count) \(String(hash, radix: 16))"
    }

    @Test func itIsAskedAtTheTerminalWhereverInputAndOutputLead() throws {
        let asker = try SpawnedAsker("passcode", at: terminal)
        asker.go()  // A byte on standard input is no answer.
        try terminal.wait(for: "Passcode: ")
        terminal.type("1234\n")
        #expect(try asker.line() == typed("1234"))
        #expect(asker.end() == 0)
        #expect(terminal.settings == before)
    }

    @Test func withoutATerminalItIsDismissed() throws {
        let asker = try SpawnedAsker("passcode", at: nil)
        let words = try #require(try asker.line())
        #expect(words.hasPrefix("there is no terminal for the prompt (/dev/tty: No such device or address). "))
        #expect(try asker.line() == "cancel")
        #expect(asker.end() == 0)
    }

    @Test func boldOnlyWhereItIsWanted() throws {
        for (environment, isBold) in [
            (["TERM": "xterm"], true), (["TERM": "dumb"], false), ([:], false),
            (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "xterm", "NO_COLOR": ""], true),
        ] {
            let asker = try SpawnedAsker([SpawnedAsker.binary, "passcode"], at: terminal, environment: environment)
            let shownBefore = terminal.text.count
            try terminal.wait(for: "Passcode: ")
            #expect(terminal.text.dropFirst(shownBefore).contains("\u{1B}[1m") == isBold, "\(environment)")
            terminal.type("\n")
            #expect(asker.end() == 0)
        }
    }

    /// Ctrl-C and Ctrl-\ come from the terminal, the other signals from elsewhere.
    @Test(arguments: [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGPIPE], ["", "thread"])
    func aSignalEndsItWithTheTerminalAsBefore(_ signal: Int32, _ option: String) throws {
        let asker = try SpawnedAsker("passcode", option, at: terminal)
        try terminal.wait(for: "Passcode: ")
        #expect(!terminal.settings.isEchoed)
        terminal.type("half")
        switch signal {
        case SIGINT: terminal.type("\u{3}")
        case SIGQUIT: terminal.type("\u{1C}")
        default: kill(asker.process, signal)
        }
        #expect(asker.end() == -signal)
        #expect(try asker.line() == nil)
        #expect(terminal.settings == before)
    }

    @Test func theEndOfTheTerminalEndsIt() throws {
        let asker = try SpawnedAsker("passcode", at: terminal)
        try terminal.wait(for: "Passcode: ")
        terminal.hangUp()
        #expect(asker.end() == -SIGHUP)
    }

    @Test(arguments: [SIGINT, SIGTERM], ["", "thread"]) func aProgramThatHandlesASignalGetsItAndThePromptIsDismissed(
        _ signal: Int32, _ option: String
    ) throws {
        let asker = try SpawnedAsker("passcode", "handles", option, at: terminal)
        try terminal.wait(for: "Passcode: ")
        if signal == SIGINT { terminal.type("\u{3}") } else { kill(asker.process, signal) }
        #expect(try asker.line() == (signal == SIGINT ? "Icancel" : "Tcancel"))
        #expect(asker.end() == 0)
        #expect(terminal.settings == before)
    }

    @Test func aProgramThatExitsUnderThePromptLeavesTheTerminalAsBefore() throws {
        let asker = try SpawnedAsker("passcode", "exits", at: terminal)
        try terminal.wait(for: "Passcode: ")
        #expect(!terminal.settings.isEchoed)
        asker.go()
        #expect(asker.end() == 7)
        #expect(terminal.settings == before)
    }

    @Test func aSignalThatIsIgnoredStaysIgnored() throws {
        let asker = try SpawnedAsker(
            ["/bin/sh", "-c", "trap '' INT HUP; exec '\(SpawnedAsker.binary)' passcode"], at: terminal)
        try terminal.wait(for: "Passcode: ")
        terminal.type("\u{3}")
        kill(asker.process, SIGHUP)
        terminal.type("1234\n")
        #expect(try asker.line() == typed("1234"))
        #expect(asker.end() == 0)
        #expect(terminal.settings == before)
    }

    /// A shell with job control, in which the user presses Ctrl-Z.
    @Test(arguments: ["", "thread"]) func itIsAskedAgainAfterControlZ(_ option: String) throws {
        let script = """
            '\(SpawnedAsker.binary)' passcode \(option)
            echo "status $?"
            read go
            fg >/dev/null
            echo "status $?"
            """
        let shell = try SpawnedAsker(["/bin/sh", "-m", "-c", script], at: terminal)
        try terminal.wait(for: "Passcode: ")
        #expect(!terminal.settings.isEchoed)
        terminal.type("half\u{1A}")
        #expect(try shell.line() == "status \(128 + SIGTSTP)")
        #expect(terminal.settings == before)
        shell.go()
        try terminal.wait(for: "wants to open the diary.")
        try terminal.wait(for: "Passcode: ")
        #expect(!terminal.settings.isEchoed)
        terminal.type("1234\n")
        #expect(try shell.line() == typed("1234"))
        #expect(try shell.line() == "status 0")
        #expect(shell.end() == 0)
        #expect(terminal.settings == before)
        #expect(!terminal.text.contains("1234") && !terminal.text.contains("half"))
    }

    @Test(arguments: ["", "thread"]) func inTheBackgroundItWaitsForItsTurn(_ option: String) throws {
        let script = """
            '\(SpawnedAsker.binary)' passcode \(option) &
            echo $!
            read go
            fg >/dev/null
            echo "status $?"
            """
        let shell = try SpawnedAsker(["/bin/sh", "-m", "-c", script], at: terminal)
        let number = try shell.line() ?? ""
        let asker = try #require(pid_t(number))
        try SpawnedAsker.waitUntilStopped(asker)
        #expect(terminal.settings == before)
        terminal.catchUp()
        #expect(!terminal.text.contains("asks"))
        shell.go()
        try terminal.wait(for: "Passcode: ")
        #expect(!terminal.settings.isEchoed)
        terminal.type("1234\n")
        #expect(try shell.line() == typed("1234"))
        #expect(try shell.line() == "status 0")
        #expect(shell.end() == 0)
        #expect(terminal.settings == before)
    }

    /// A process cannot handle SIGSTOP.
    @Test func itIsAskedAgainAfterAStopThatCannotBeCaught() throws {
        let asker = try SpawnedAsker("passcode", at: terminal)
        try terminal.wait(for: "Passcode: ")
        kill(asker.process, SIGSTOP)
        try asker.waitUntilStopped()
        kill(asker.process, SIGCONT)
        try terminal.wait(for: "Passcode: ")
        #expect(!terminal.settings.isEchoed)
        terminal.type("1234\n")
        #expect(try asker.line() == typed("1234"))
        #expect(asker.end() == 0)
        #expect(terminal.settings == before)
    }

    /// This looks into the process, which only the same user may do.
    @Test func nothingOfWhatWasTypedStaysInMemory() throws {
        let asker = try SpawnedAsker("newApplicationPassword", "held", at: terminal)
        let canary = UUID().uuidString
        let other = UUID().uuidString
        let overlong = UUID().uuidString
        try terminal.wait(for: "New application password: ")
        terminal.type(String(repeating: overlong, count: 200) + "\n")
        try terminal.wait(for: "Too long")
        for line in [other, canary, canary, canary] {
            try terminal.wait(for: "New application password: ", "again: ")
            terminal.type(line + "\n")
        }
        #expect(try asker.line() == typed(canary))
        // It is there once while it is held, so the search finds it.
        #expect(try asker.count(of: Array(canary.utf8)) == 1)
        #expect(try asker.count(of: Array(other.utf8)) == 0)
        #expect(try asker.count(of: Array(overlong.utf8)) == 0)
        asker.go()
        #expect(try asker.line() == "let go")
        #expect(try asker.count(of: Array(canary.utf8.prefix(16))) == 0)
        asker.go()
        #expect(asker.end() == 0)
    }
}
