import AccessPolicy
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The README's example of a vault, word for word. The test of the other examples compares the two.
@Suite struct ReadmeTests {
    @Test func theExampleOfAVaultRuns() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        let passcode = try SecureBytes("correct horse battery staple")
        let created = try Vault.create(at: path, .real(), passcode: passcode)
        let words = try created.recoveryKey!.text()
        let vault = created.vault
        #expect(words.count == 69)

        let mail = ItemDescription(
            .genericPassword, ["acct": .string("me"), "svce": .string("mail")],
            try AccessControl(protection: .whenUnlocked, flags: .devicePasscode), group: "me")
        let caller = Caller("my program", groups: ["me"])
        _ = try vault.add(mail, secret: try SecureBytes("s3cret"), for: caller)

        let context = try vault.makeContext()
        var answer = try vault.read(.key(mail.primaryKey), for: caller, in: context)
        var isGranted = answer.isGranted
        #expect(!isGranted)
        try vault.enter(passcode: passcode, in: context)
        answer = try vault.read(.key(mail.primaryKey), for: caller, in: context)
        isGranted = answer.isGranted
        #expect(isGranted)

        try vault.lock()
        let report = try vault.verify()
        #expect(report.findings == [] && report.items == 1)
    }
}
