import Foundation
import TestSupport
import Testing

/// A new recovery key is tried by one of its parts, and a typed one is told from an incomplete one.
@Suite(.waitsForProcesses) struct RecoveryKeyTests {
    private static var key: Regex<Substring> { /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/ }

    /// The note on an incomplete key is not shown beside the mistake that follows.
    @Test func aNoteOnAnIncompleteKeyIsShownOnce() throws {
        let (vault, other) = (try VaultAtTerminal(), try VaultAtTerminal())
        let keys = [String(other.recoveryKey.prefix(9))] + Array(repeating: other.recoveryKey, count: 3)
        let mixed = try vault.at("recovery-key", "check", asked: keys.map { ("Recovery key: ", $0 + "\n") })
        #expect(mixed.status == 7, "\(mixed)")
        #expect(mixed.shown.components(separatedBy: "The recovery key is incomplete").count == 2, "\(mixed)")
    }

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
        let wrong = try vault.start(["recovery-key", "replace"])
        try wrong.answer(vault.typingPasscode)
        try answer(wrong, Array(repeating: { _ in "IIII" }, count: 3))
        #expect(wrong.end() == 0 && wrong.shown.contains("latchkey: check what you wrote down"), "\(wrong.shown)")
    }
}
