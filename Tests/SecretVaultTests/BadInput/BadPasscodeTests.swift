import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Passcodes that are wrong or invalid.
@Suite struct BadPasscodeTests {
    @Test func wrongOnesAreCountedAndDelayed() throws {
        let closed = try ClosedVault()
        do {
            let vault = try Vault.open(at: closed.path)
            for attempt in 1...4 {
                #expect(try Array(vault.enter(passcode: Cast.bytes("wrong \(attempt)"))) == [.rejected(.passcode)])
            }
            try vault.enter(passcode: Cast.bytes("wrong 4"))  // the same wrong passcode does not count twice
            #expect(try vault.device.wrongPasscodes.count == 4)
            vault.close()
        }
        // The vault remembers the attempts after the program that made them has closed it.
        let vault = try Vault.open(at: closed.path)
        #expect(try vault.device.wrongPasscodes.count == 4)
        try vault.enter(passcode: Cast.bytes("wrong 5"))
        #expect(try vault.enter(passcode: Cast.bytes("1234")).refusal == .passcodeDelayed)
        #expect(try vault.reading("mail") == "class.before-first-unlock")
        try vault.apply(.timePassed(.minutes(1)))
        #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
        #expect(try vault.device.wrongPasscodes.isEmpty)
        #expect(try vault.reading("mail") == "s3cret")
    }

    @Test(arguments: [[], Array(repeating: UInt8(ascii: "1"), count: 512), [49, 0, 50], [0]] as [[UInt8]])
    func thoseThatAreNoneAreRefusedEverywhere(_ bytes: [UInt8]) throws {
        let bad = try SecureBytes(copying: bytes.span.bytes)
        let expected = VaultError.passcodeLength(bytes.count)
        #expect(expected.description.contains("1 to 511 bytes and no zero byte"))
        let folder = try TemporaryFolder()
        #expect(
            try refusal { try Vault.create(at: folder.path("vault"), .simulated(), passcode: bad.copy()) } == expected)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        let vault = try Cast.vault()
        #expect(try refusal { try vault.enter(passcode: bad.copy()) } == expected)
        #expect(try refusal { try vault.changePasscode(from: Cast.bytes("1234"), to: bad) } == expected)
        #expect(try refusal { try vault.removePasscode(bad) } == expected)
        #expect(try refusal { try vault.rekey(bad) } == expected)
        #expect(try refusal { try Cast.vault(passcode: nil).setPasscode(bad) } == expected)
        #expect(try vault.device.wrongPasscodes.isEmpty)
    }

    @Test func theLongestOneWorks() throws {
        let longest = String(repeating: "p", count: 511)
        let vault = try Cast.vault(passcode: longest)
        #expect(try vault.enter(passcode: Cast.bytes(longest)).authenticated(.passcode))
    }

    @Test func aRealVaultInsistsOnItsRules() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        var cheap = VaultOptions.real()
        cheap.cost = .interactive
        #expect(
            try refusal { try Vault.create(at: path, cheap, passcode: Cast.bytes("1234")) } == .realVault(.cost))
        #expect(try refusal { try Vault.create(at: path, .real()) } == .realVault(.passcode))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }
}
