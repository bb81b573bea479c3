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
            asked: Self.answering(other.recoveryKey) + Self.answering("abc") + Self.answering(other.recoveryKey))
        #expect(wrong.status == 7, "\(wrong)")
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
        let none = try vault.at("recovery-key", "replace")
        #expect(none.status == 2 && none.shown.contains("was created without a recovery key"), "\(none)")
    }
}
