import Foundation
import TestSupport
import Testing

/// Prompts that wait for another terminal, which `latchkey approve` offers.
@Suite(.waitsForProcesses) struct ApproveTests {
    private let vault: VaultAtTerminal

    init() throws {
        vault = try VaultAtTerminal()
        for name in ["a", "b"] { try vault.run("set", name, input: Data("kept \(name)".utf8)) }
    }

    /// Starts a command in a terminal that another program reads, and waits until its prompt does.
    private func startWaiting(_ words: String) throws -> CommandAtTerminal {
        let terminal = try vault.startBesideReader(words, isRaw: true)
        try terminal.wait(for: "run `latchkey approve` in another terminal within 2 minutes.")
        return terminal
    }

    @Test func aCommandGoesOnOnceItsPromptIsAnsweredInAnotherTerminal() throws {
        let terminal = try startWaiting("get a")
        let approving = try vault.start(["approve"])
        try approving.wait(for: "\"latchkey\" wants to read a secret.")
        try approving.answer([("Passcode: ", "wrong\n"), ("attempt 2 of 5.", "")])
        try approving.answer(vault.typingPasscode)
        #expect(approving.end() == 0 && approving.shown.hasSuffix("Approved: the program goes on.\n"))
        for line in [
            "  Secret: a\n", "  Program: /usr/bin/python3", "  Counts for that command, and reading",
            "  Note: In the words of the program: read a\n",
            "  Note: Its access policy asks each time.\n",
        ] {
            #expect(approving.shown.contains(line), "\(approving.shown)")
        }
        try terminal.wait(for: "kept a")
        try terminal.wait(for: "[status 0 got b'' ]")
        #expect(terminal.end() == 0 && !terminal.shown.contains("Passcode: "), "\(terminal.shown)")
        #expect(terminal.shown.components(separatedBy: "latchkey approve").count == 2, "\(terminal.shown)")
    }

    @Test func aDismissalAnswersTheCommandAtOnce() throws {
        let terminal = try startWaiting("get a")
        let approved = try vault.at("approve", asked: [("Passcode: ", "\u{4}")])
        #expect(approved.status == 6, "\(approved)")
        #expect(approved.shown.hasSuffix("latchkey: the prompt was dismissed, and nothing was done\n"), "\(approved)")
        try terminal.wait(for: "[status 6 got b'' ]")
        #expect(terminal.end() == 0 && !terminal.shown.contains("kept"), "\(terminal.shown)")
        let none = try vault.at("approve")
        #expect(none.status == 4 && none.shown.contains("no request waits for an approval"), "\(none)")
    }

    @Test func severalRequestsAreChosenOneAfterTheOther() throws {
        let terminals = try ["a", "b"].map { try startWaiting("get \($0)") }
        let approving = try vault.start(["approve"])
        try approving.answer(
            [("  2  latchkey: read a secret b, for /usr/bin/python3", ""), ("Number", "2\n"), ("Secret: b", "")]
                + vault.typingPasscode)
        try terminals[1].wait(for: "kept b")
        try approving.answer([("  1  latchkey: read a secret a, for", ""), ("Number", "1\n")] + vault.typingPasscode)
        try terminals[0].wait(for: "kept a")
        #expect(approving.end() == 0, "\(approving.shown)")
        for terminal in terminals { #expect(terminal.end() == 0) }
    }

    @Test func aLockEndsWhatWaits() throws {
        let first = try startWaiting("get a")
        let approving = try vault.start(["approve"])
        try approving.answer([("Passcode: ", "half")])
        let second = try startWaiting("get b")
        try vault.run("lock")
        try approving.wait(for: "(The device was locked.)")
        for terminal in [first, second] {
            try terminal.wait(for: "[status 6 got b'' ]")
            #expect(terminal.end() == 0)
        }
        // If it lists the other request before that is over, it waits for a number.
        approving.type("\u{4}")
        _ = approving.end()
        #expect(try vault.at("approve").status == 4)
    }

    @Test func aTerminalThatAnotherProgramReadsApprovesNothing() throws {
        let terminal = try startWaiting("get a")
        let refused = try vault.startBesideReader("approve", isRaw: true)
        try refused.wait(for: "reads this terminal and could get what you type, so nothing was asked")
        try refused.wait(for: "[status 8 got b'' ]")
        #expect(refused.end() == 0 && !refused.shown.contains("Passcode: "), "\(refused.shown)")
        #expect(try vault.at("approve", asked: vault.typingPasscode).status == 0)
        try terminal.wait(for: "kept a")
        #expect(terminal.end() == 0)
    }

    @Test func aCommandWithoutATerminalWaitsIfItsEnvironmentSaysSo() throws {
        let command = try CommandAtTerminal(
            ["-w", Command.binary.path, "get", "a"], program: "/usr/bin/setsid",
            environment: vault.environment.merging(["LATCHKEY_PROMPT": "approve"]) { $1 })
        try command.wait(
            for: "latchkey: To answer the prompt, run `latchkey approve` in another terminal within 2 minutes.")
        #expect(try vault.at("approve", asked: vault.typingPasscode).status == 0)
        try command.wait(for: "kept a")
        #expect(command.end() == 0)
    }

    @Test func aCommandThatEndsTakesItsPromptAlong() throws {
        let terminal = try startWaiting("get a")
        let approving = try vault.start(["approve"])
        try approving.wait(for: "Passcode: ")
        terminal.hangUp()
        #expect(approving.end() == 6, "\(approving.shown)")
    }

    @Test func anUnlockIsApprovedAndTheWordsOfTheProgramStandInANote() throws {
        try vault.run("lock")
        let terminal = try startWaiting("get a")
        let approved = try vault.at("approve", asked: [("wants to unlock the vault.", "")] + vault.typingPasscode)
        #expect(approved.status == 0 && approved.shown.contains("In the words of the program: read a"), "\(approved)")
        try terminal.wait(for: "kept a")
        #expect(terminal.end() == 0)
    }

    @Test func aRequestOfAnotherTerminalIsInTheList() throws {
        let first = try startWaiting("get a")
        let approving = try vault.start(["approve"])
        try approving.answer([("Passcode: ", "")])
        let second = try startWaiting("get b")
        let other = try vault.start(["approve"])
        try other.wait(for: "  1  latchkey: read a secret b, for")
        try other.wait(for: "  -  latchkey: read a secret a, for")
        try other.answer([("(shown at another terminal)", ""), ("Number", "1\n")] + vault.typingPasscode)
        try second.wait(for: "kept b")
        #expect(other.end() == 0 && second.end() == 0, "\(other.shown)")
        approving.type("\u{4}")
        _ = approving.end()
        _ = first.end()
    }
}
