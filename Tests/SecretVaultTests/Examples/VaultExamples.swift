import AccessPolicy
import DeviceModel
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The examples in the documentation of the vault, word for word.
@Suite struct VaultExamples {
    /// The example in the comment on `Vault`.
    @Test func theVaultReturnsASecretOnceItsPolicyIsSatisfied() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")

        let passcode = try SecureBytes("correct horse battery staple")
        let created = try Vault.create(at: path, .real(), passcode: passcode)
        let vault = created.vault

        // Reading this item needs the passcode.
        let mail = ItemDescription(
            .genericPassword, ["acct": .string("me"), "svce": .string("mail")],
            try AccessControl(protection: .whenUnlocked, flags: .devicePasscode), group: "me")
        let caller = Caller("my program", groups: ["me"])
        _ = try vault.add(mail, secret: try SecureBytes("s3cret"), for: caller)

        // Without the passcode, the vault answers with a challenge.
        let context = try vault.makeContext()
        let first = try vault.read(.key(mail.primaryKey), for: caller, in: context)

        // With the passcode in the context, it returns the secret.
        try vault.enter(passcode: passcode, in: context)
        let second = try vault.read(.key(mail.primaryKey), for: caller, in: context)

        expectChallenge(first)
        expect(second, "s3cret")
    }

    /// The examples in the article "Getting started", one after the other.
    @Test func gettingStarted() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")

        let passcode = try SecureBytes("correct horse battery staple")
        let created = try Vault.create(at: path, .real(), passcode: passcode)
        let vault = created.vault

        let words = try created.recoveryKey?.text().string() ?? ""
        #expect(words.count == 69)

        let mail = ItemDescription(
            .genericPassword, ["acct": .string("me"), "svce": .string("mail")],
            try AccessControl(protection: .whenUnlocked, flags: .devicePasscode), group: "me")
        let caller = Caller("my program", groups: ["me"])
        let added = try vault.add(mail, secret: try SecureBytes("s3cret"), for: caller)
        let isAdded = added.isGranted
        #expect(isAdded)

        let context = try vault.makeContext()
        var outcome = ""
        switch try vault.read(.key(mail.primaryKey), for: caller, in: context) {
        case .granted: outcome = "granted"
        case .challenge(let challenge): outcome = "authenticate by \(challenge.ways)"
        case .denied(let denial): outcome = "denied by \(denial.rule.identifier)"
        }
        #expect(outcome.hasPrefix("authenticate by "))

        let effects = try vault.enter(passcode: passcode, in: context)
        let isRight = effects.authenticated(.passcode)
        let answer = try vault.read(.key(mail.primaryKey), for: caller, in: context)
        #expect(isRight)
        expect(answer, "s3cret")

        try vault.lock()
        let isUnlocked = vault.isUnlocked
        #expect(!isUnlocked)

        let report = try vault.verify()
        let isIntact = report.findings.isEmpty
        #expect(isIntact && report.items == 1)

        vault.close()
        let reopened = try Vault.open(at: path)
        try reopened.enter(passcode: passcode)
        #expect(reopened.isUnlocked)
    }

    /// Expects a challenge that the passcode answers.
    private func expectChallenge(_ reply: consuming Reply<SecureBytes?>) {
        switch consume reply {
        case .challenge(let challenge): #expect(challenge.item != nil)
        default: Issue.record("the vault should ask for the passcode")
        }
    }

    /// Expects the vault to have released this secret.
    private func expect(_ reply: consuming Reply<SecureBytes?>, _ text: String) {
        switch consume reply {
        case .granted(let secret):
            let released = secret.text
            #expect(released == text)
        default: Issue.record("the vault should release the secret")
        }
    }
}
