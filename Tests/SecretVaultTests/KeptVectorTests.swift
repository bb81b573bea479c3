import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The vaults and backups under `Fixtures/vectors/kept` were written by an earlier version. They open with the contents
/// that they were written with.
@Suite struct KeptVectorTests {
    @Test func noneIsMissingAndNoneIsUnknown() throws {
        let found = try FileManager.default.contentsOfDirectory(atPath: KeptVectors.folder.path)
        #expect(found.filter { !$0.contains(".") }.sorted() == (KeptVectors.all + [KeptKeys.name, "command"]).sorted())
    }

    @Test(arguments: KeptVectors.all) func eachComesToWhatIsExpected(_ name: String) throws {
        let expected = try KeptVectors.expected(name)
        #expect(try KeptVectors.result(name, expected) == expected)
    }

    @Test(arguments: ["everything", "real"]) func theRecoveryKeySetsANewPasscode(_ name: String) throws {
        let vector = try KeptVectors.expected(name)
        let letters = try #require(vector.recoveryKey)
        let bench = try Specimen.Bench()
        try KeptVectors.inUse(try VaultFiles(in: KeptVectors.url(name).path), bench) { vault in
            let key = try #require(try RecoveryKey(Cast.bytes(letters)))
            #expect(try vault.recover(with: key, to: Cast.bytes(KeptVectors.nextPasscode)).refusal == nil)
            #expect(try vault.reading("plain") != "plain secret")  // recovering opens no class
            #expect(try !vault.enter(passcode: Cast.bytes(vector.passcode)).authenticated(.passcode))
            #expect(try vault.enter(passcode: Cast.bytes(KeptVectors.nextPasscode)).authenticated(.passcode))
            #expect(try vault.reading("plain") == "plain secret")
        }
    }
}
