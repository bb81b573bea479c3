import Foundation
import TestSupport
import Testing

/// A new passcode that is easy to guess is taken, with a warning.
@Suite(.waitsForProcesses) struct PasscodeWarningTests {
    private static let warning = "latchkey: this passcode is easy to guess: at most "

    @Test func eachCommandThatSetsOneWarns() throws {
        let vault = try VaultAtTerminal(none: ())
        let typed = [(question: "New passcode: ", answer: "7\n"), (question: "Type it again: ", answer: "7\n")]
        let made = try vault.at("init", "--own-passcode", "--default-policy", "presence", asked: typed)
        #expect(made.status == 0 && made.shown.contains(Self.warning + "10 passcodes"), "\(made)")
        let key = try #require(made.shown.firstMatch(of: /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/).map { String($0.0) })
        let next = [(question: "New passcode: ", answer: "qz\n"), (question: "Type it again: ", answer: "qz\n")]
        let changed = try vault.at("passwd", asked: [("Passcode: ", "7\n")] + next)
        #expect(changed.status == 0 && changed.shown.contains(Self.warning + "702 passcodes"), "\(changed)")
        #expect(!changed.shown.contains("qz"))
        let recovered = try vault.at("recover", asked: [("Recovery key: ", key + "\n")] + typed)
        #expect(recovered.status == 0 && recovered.shown.contains(Self.warning + "10 passcodes"), "\(recovered)")
        let long = [
            (question: "New passcode: ", answer: "correct horse\n"),
            (question: "Type it again: ", answer: "correct horse\n"),
        ]
        let strong = try vault.at("passwd", asked: [("Passcode: ", "7\n")] + long)
        #expect(strong.status == 0 && !strong.shown.contains("easy to guess"), "\(strong)")
        let weak = [(question: "New passphrase: ", answer: "me\n"), (question: "again: ", answer: "me\n")]
        let backup = try vault.at(
            "backup", vault.place.path("weak"), asked: [("Passcode: ", "correct horse\n")] + weak)
        #expect(
            backup.shown.contains("this passphrase is easy to guess: at most 702 passphrases"), "\(backup)")
        #expect(backup.status == 0 && backup.shown.contains("copy of the backup"))
    }
}
