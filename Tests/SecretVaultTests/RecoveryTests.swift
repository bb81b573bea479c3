import AccessPolicy
import DeviceModel
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The recovery key, and the effect of a new salt and root on it.
@Suite struct RecoveryTests {
    private func vault(_ folder: TemporaryFolder) throws -> (Vault, RecoveryKey) {
        var options = VaultOptions.simulated()
        options.hasRecoveryKey = true
        let created = try Vault.create(at: folder.path("vault"), options, passcode: Cast.bytes("1234"))
        try created.vault.adding(Cast.item("mail"), "s3cret")
        return (created.vault, try #require(created.recoveryKey))
    }

    @Test func itIsReadAgainFromItsLettersHoweverTheyAreWritten() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (vault, key) = try vault(folder)
        let text = try key.text().text()
        #expect(text.count == 69)
        for written in [text, text.lowercased(), text.replacing("-", with: ""), text.replacing("-", with: " ") + "\n"] {
            let read = try #require(try RecoveryKey(Cast.bytes(written)))
            #expect(try read.text().text() == text)
        }
        try vault.lock()
        try vault.apply(.timePassed(.seconds(10)))
        let again = try #require(try RecoveryKey(Cast.bytes(text)))
        #expect(try vault.recover(with: again, to: Cast.bytes("5678")).refusal == nil)
        #expect(try vault.reading("mail") == "class.locked")  // The recovery key opens nothing.
        #expect(try !vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
        #expect(try vault.enter(passcode: Cast.bytes("5678")).authenticated(.passcode))
        #expect(try vault.reading("mail") == "s3cret")
    }

    @Test func aLetterTooManyTooFewOrWrongIsNoRecoveryKey() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let text = try vault(folder).1.text().text()
        var wrong = Array(text)
        wrong[0] = wrong[0] == "A" ? "B" : "A"
        for written in [
            String(wrong), String(text.dropLast()), text + "A", "", String(text.map { $0 == "-" ? "-" : "U" }),
        ] {
            let read = try RecoveryKey(Cast.bytes(written))
            #expect(read == nil)
        }
        let other = try vault(try TemporaryFolder(inMemory: true)).1
        let mine = try vault(try TemporaryFolder(inMemory: true)).0
        #expect(throws: VaultError.wrongRecoveryKey) { try mine.recover(with: other, to: Cast.bytes("5678")) }
    }

    /// A vault that was created without a recovery key gets one only if that is asked for.
    @Test func aRekeyMakesTheFirstOne() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let made = try Vault.create(at: folder.path("vault"), .simulated(), passcode: Cast.bytes("1234"))
        #expect(try made.vault.rekey(Cast.bytes("1234")).recovery == nil)
        #expect(try !made.vault.hasRecoveryKey)
        #expect(try made.vault.auditLog().records.allSatisfy { $0.action != "set-recovery-key" })
        let key = try #require(try made.vault.rekey(Cast.bytes("1234"), makesRecoveryKey: true).recovery)
        #expect(try made.vault.isRecoveryKey(key) && made.vault.hasRecoveryKey)
        #expect(try made.vault.auditLog().records.count { $0.action == "set-recovery-key" } == 1)
    }

    @Test func erasingForgetsIt() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (vault, key) = try vault(folder)
        #expect(try vault.apply(.erase).refusal == nil)
        #expect(throws: VaultError.wrongRecoveryKey) { try vault.recover(with: key, to: Cast.bytes("5678")) }
        #expect(try vault.setPasscode(Cast.bytes("1234")).refusal == nil)
        #expect(throws: VaultError.wrongRecoveryKey) { try vault.recover(with: key, to: Cast.bytes("5678")) }
        #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
    }

    @Test func aRekeyReplacesItAndKeepsEverythingElse() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (vault, former) = try vault(folder)
        let wrong = try vault.rekey(Cast.bytes("0000"))
        #expect(!wrong.effects.authenticated(.passcode) && wrong.recovery == nil)
        let present = try #require(try vault.rekey(Cast.bytes("1234"), cost: .interactive).recovery)
        #expect(throws: VaultError.wrongRecoveryKey) { try vault.recover(with: former, to: Cast.bytes("5678")) }
        vault.close()
        let opened = try Vault.open(at: folder.path("vault"))
        #expect(try opened.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
        #expect(try opened.reading("mail") == "s3cret")
        #expect(try opened.recover(with: present, to: Cast.bytes("5678")).refusal == nil)
        #expect(try opened.enter(passcode: Cast.bytes("5678")).authenticated(.passcode))
        #expect(try opened.verify().findings == [])
    }
}
