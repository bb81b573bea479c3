import AccessPolicy
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// The examples of a keychain in the README, word for word. `DeviceModelTests.ReadmeTests` compares the pages with
/// them.
@Suite struct ReadmeTests {
    @Test func theExampleOfASimulatedDeviceRuns() throws {
        let keychain = try Keychain.simulated(passcode: "1234", enrolled: ["right index"])
        let demand = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
        try keychain.add(.password(account: "me", service: "token", demand), secret: SecureBytes("s3cret"))

        let token = keychain.password(account: "me", service: "token")
        var secret = try keychain.read(token)
        let text = secret.take()?.string()
        #expect(text == "s3cret")
        keychain.user = SimulatedPerson(fingers: ["left little"])
        let first = #expect(throws: KeychainError.self) { secret = try keychain.read(token) }
        #expect(first?.rule == .sheetFailed)
        try keychain.enroll("left thumb")
        keychain.user = SimulatedPerson(fingers: ["right index"])
        let second = #expect(throws: KeychainError.self) { secret = try keychain.read(token) }
        #expect(second?.rule == .biometrySetChanged)
        let isLeft = secret.take()?.string()
        #expect(isLeft == nil)
    }

    @Test func theExampleOfARealVaultRuns() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        let stack = try PAMStack(passcode: "correct horse")
        let authenticator = PAMAuthenticator(service: stack.service, folder: stack.folder, user: stack.user)
        let user = SimulatedPerson(passcode: "correct horse")
        let passcode = try SecureBytes("correct horse")

        let created = try Keychain.create(at: path, passcode: passcode, authenticator: authenticator, user: user)
        let words = try created.recoveryKey!.text()
        #expect(words.count == 69)
        let mail = NewItem.password(
            account: "me", service: "mail", try AccessControl(protection: .whenUnlocked, flags: .devicePasscode))
        try created.keychain.add(mail, secret: SecureBytes("s3cret"))
        created.keychain.close()

        let keychain = try Keychain.open(at: path, authenticator: authenticator, user: user)
        try keychain.unlock(reason: "to read your mail")
        let secret = try keychain.read(keychain.password(account: "me", service: "mail"))
        for entry in try keychain.audit().entries.suffix(3) { print(entry.record.action, entry.record.rules) }
        let text = secret?.text()
        #expect(text == "s3cret")
        keychain.close()
    }
}
