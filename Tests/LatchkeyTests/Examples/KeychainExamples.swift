import AccessPolicy
import Foundation
import KeyKit
import Latchkey
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// The examples in the documentation of `Latchkey`, line by line.
@Suite struct KeychainExamples {
    @Test func theExampleOfAKeychainRuns() throws {
        let keychain = try Keychain.simulated(passcode: "1234", enrolled: ["right index"])
        let policy = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
        try keychain.add(.password(account: "me", service: "token", policy), secret: SecureBytes("s3cret"))

        let token = keychain.password(account: "me", service: "token")
        let secret = try keychain.read(token)  // The keychain prompts, and the simulated owner shows the finger.
        try keychain.enroll("left thumb")
        let decision = try keychain.decision(.readData, token)  // Denied: the set of enrolled fingers has changed.

        let text = secret?.text()
        #expect(text == "s3cret")
        #expect(decision.denial?.rule == .biometrySetChanged)
    }

    /// The article "Signing with a key that needs a finger".
    @Test func theArticleOnPrivateKeysRuns() throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.path("key"))
        let keychain = try Keychain.simulated()

        let control = try AccessControl(protection: .whenUnlocked, flags: [.privateKeyUsage, .biometryCurrentSet])
        let key = try keychain.generateKey(NewItem(.key, ["labl": .string("login")], control))
        let server = key.publicKey.externalRepresentation

        let challenge: [UInt8] = Array("a challenge of the server".utf8)
        let signing = KeyOperation.sign(challenge, .ecdsa(.x962, .sha256, .message))
        let output = try keychain.perform(signing, with: key)

        let sealedKey = try keychain.generateKey(under: control)
        if case .sealed(let sealed) = sealedKey.place { try Data(sealed.bytes).write(to: file) }

        let found = try keychain.enclaveKey(sealed: Array(try Data(contentsOf: file)))
        let signature = try keychain.perform(signing, with: found)

        let known = try PublicKey(externalRepresentation: server.span.bytes, .ec)
        for (output, key) in [(output.bytes(), known), (signature.bytes(), sealedKey.publicKey)] {
            #expect(
                try key.verify(
                    output.span.bytes, of: challenge.span.bytes, with: .ecdsa(.x962, .sha256, .message)))
        }
        try keychain.enroll("left thumb")
        let error = #expect(throws: KeychainError.self) { _ = try keychain.perform(signing, with: key).bytes() }
        #expect(error?.rule == .keyInvalidated)
    }

    /// The article "Getting started with Latchkey".
    @Test func theGettingStartedArticleRuns() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        let user = SimulatedPerson(passcode: "correct horse battery staple")

        let passcode = try SecureBytes("correct horse battery staple")
        let created = try Keychain.create(at: path, passcode: passcode, user: user)
        let recoveryText = try created.recoveryKey!.text()
        #expect(recoveryText.count == 69)

        let policy = try AccessControl(protection: .whenUnlocked, flags: .devicePasscode)
        try created.keychain.add(.password(account: "me", service: "mail", policy), secret: SecureBytes("s3cret"))
        created.keychain.close()

        let keychain = try Keychain.open(at: path, user: user)
        try keychain.unlock(reason: "open your mail")
        var wording = KeychainContext.Wording()
        wording.reason = "read your mail"
        let context = try keychain.makeContext(wording)
        let mail = keychain.password(account: "me", service: "mail")
        let secret = try keychain.read(mail, in: context)
        let text = secret?.text()
        #expect(text == "s3cret")

        var rule: Rule?
        func print(_ error: KeychainError) { rule = error.rule }
        keychain.user = NoUser()
        do throws(KeychainError) {
            _ = try keychain.read(mail)
        } catch {
            print(error)
        }
        #expect(rule == .sheetCanceled)
        keychain.close()
    }
}

extension KeyOutput {
    /// The bytes of a signature.
    fileprivate consuming func bytes() -> [UInt8] {
        switch consume self {
        case .signature(let bytes): bytes
        case .secret: []
        }
    }
}
