import Foundation
import TestSupport
import Testing

/// `latchkey recovery-key`: the key on the paper is tried, and replaced.
@Suite(.waitsForProcesses) struct RecoveryKeyTests {
    private static func answering(_ key: String) -> [(question: String, answer: String)] {
        [("Recovery key: ", key + "\n")]
    }

    @Test func aRecoveryKeyIsCheckedWithoutAnyChange() throws {
        let vault = try VaultAtTerminal()
        #expect(try vault.run("lock").status == 0)
        let right = try vault.at("recovery-key", "check", asked: Self.answering(vault.recoveryKey))
        #expect(right.status == 0 && right.shown.contains("This is the recovery key of the vault."), "\(right)")
        #expect(try vault.run("status", "--json").output.contains("\"state\":\"locked\""), "it unlocks nothing")
        let other = try VaultAtTerminal()
        let wrong = try vault.at(
            "recovery-key", "check",
            asked: Self.answering(other.recoveryKey) + Self.answering("oil") + Self.answering(other.recoveryKey))
        #expect(wrong.status == 7, "\(wrong)")
        // The note on an incomplete key is not shown beside the mistake that follows.
        let part = String(other.recoveryKey.prefix(9))
        let whole = Self.answering(other.recoveryKey)
        let mixed = try vault.at("recovery-key", "check", asked: Self.answering(part) + whole + whole + whole)
        #expect(mixed.status == 7, "\(mixed)")
        #expect(mixed.shown.components(separatedBy: "The recovery key is incomplete").count == 2, "\(mixed)")
        #expect(try vault.run("recovery-key", "check").status == 8)
        #expect(try vault.at("unlock", asked: vault.typingPasscode).status == 0)
    }

    @Test func aNewRecoveryKeyEndsTheFormerOne() throws {
        let vault = try VaultAtTerminal()
        #expect(try vault.run(["set", "a", "--preset", "open"], input: Data("kept".utf8)).status == 0)
        let no = try vault.at(
            "recovery-key", "replace",
            asked: [("Passcode: ", "wrong\n"), ("Passcode: ", "wrong\n"), ("Passcode: ", "wrong\n")])
        #expect(no.status == 7, "\(no)")
        #expect(try vault.at("recovery-key", "check", asked: Self.answering(vault.recoveryKey)).status == 0)
        let replaced = try vault.at("recovery-key", "replace", asked: vault.typingPasscode)
        #expect(replaced.status == 0 && replaced.shown.contains("The former recovery key opens nothing"), "\(replaced)")
        let key = try #require(replaced.shown.firstMatch(of: /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/).map { String($0.0) })
        #expect(key != vault.recoveryKey)
        #expect(try vault.run("get", "a").output == "kept")
        let former = Self.answering(vault.recoveryKey)
        #expect(try vault.at("recovery-key", "check", asked: former + former + former).status == 7)
        let recovered = try vault.at(
            "recover",
            asked: Self.answering(key) + [
                ("New passcode: ", "another horse\n"), ("Type it again: ", "another horse\n"),
            ])
        #expect(recovered.status == 0, "\(recovered)")
        #expect(try vault.run("verify").status == 0)
    }

    @Test func aVaultWithoutOneSaysSo() throws {
        let vault = try VaultAtTerminal(none: ())
        let made = try vault.at(
            "init", "--own-passcode", "--no-recovery", "--default-policy", "open",
            asked: [("New passcode: ", "correct horse\n"), ("Type it again: ", "correct horse\n")])
        #expect(made.status == 0, "\(made)")
        for command in [["recover"], ["recovery-key", "check"]] {
            let terminal = try vault.start(command)
            #expect(terminal.end() == 2 && terminal.shown.contains("has no recovery key: "), "\(terminal.shown)")
        }
        // It gets its first one with the passcode.
        let first = try vault.at("recovery-key", "replace", asked: vault.typingPasscode)
        #expect(first.status == 0 && first.shown.contains("The vault has a recovery key now."), "\(first)")
        let key = try #require(first.shown.firstMatch(of: Self.key).map { String($0.0) })
        #expect(try vault.at("recovery-key", "check", asked: Self.answering(key)).status == 0)
        #expect(try vault.run("verify").status == 0)
    }

    private static var key: Regex<Substring> { /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/ }

    /// Shows a new key at the terminal of a command, and answers the question for a part of it with each of `answers`, of the
    /// right part, in turn.
    private func answer(_ terminal: CommandAtTerminal, _ answers: [(String) -> String]) throws {
        for answer in answers {
            try terminal.wait(for: CommandAtTerminal.partQuestion)
            let asked = try #require(terminal.shown.matches(of: /Type part (\d+) of the recovery key/).last)
            let key = try #require(terminal.shown.firstMatch(of: Self.key).map { String($0.0) })
            let number = try #require(Int(asked.1))
            terminal.type(answer(String(key.split(separator: "-")[number - 1])) + "\n")
        }
    }

    @Test func aNewKeyIsShownToBeWrittenDownByOneOfItsParts() throws {
        let vault = try VaultAtTerminal(none: ())
        let made = try vault.start(["init", "--own-passcode", "--default-policy", "open"])
        try made.answer([("New passcode: ", "correct horse\n"), ("Type it again: ", "correct horse\n")])
        try answer(made, [{ _ in "IIII" }, { $0 + "0" }, { "  " + $0.lowercased() }])
        #expect(made.end() == 0 && made.shown.hasSuffix("That is right.\n"), "\(made.shown)")
        #expect(made.shown.matches(of: /That is not part/).count == 2)
        let replaced = try vault.start(["recovery-key", "replace"])
        try replaced.answer(vault.typingPasscode)
        try answer(replaced, [{ _ in "" }])
        #expect(replaced.end() == 0 && replaced.shown.contains("`latchkey recovery-key check`"), "\(replaced.shown)")
        let wrong = try vault.start(["recovery-key", "replace"])
        try wrong.answer(vault.typingPasscode)
        try answer(wrong, Array(repeating: { _ in "IIII" }, count: 3))
        #expect(wrong.end() == 0 && wrong.shown.contains("latchkey: check what you wrote down"), "\(wrong.shown)")
    }

    /// A script that gives no terminal to the command is not asked.
    @Test func withoutATerminalNoPartIsAskedFor() throws {
        let vault = try VaultAtTerminal()
        let terminal = try CommandAtTerminal(
            ["recovery-key", "replace"], environment: vault.environment, input: .nowhere)
        try terminal.answer(vault.typingPasscode)
        #expect(terminal.end() == 0 && !terminal.shown.contains("Type part"), "\(terminal.shown)")
    }
}
