import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// A passcode that a new login password has replaced: how long it goes on opening the vault, and what ends it.
@Suite struct FormerPasscodeTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("vault") }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    /// Creates a vault whose passcode was "old", and is "new" since the login password was changed.
    private func changed() throws -> Vault {
        var options = VaultOptions.simulated()
        options.hasRecoveryKey = true
        let vault = try Vault.create(at: path, options, passcode: Cast.bytes("old")).vault
        try vault.adding(Cast.item("mail"), "s3cret")
        try rekey(vault, "old", "new")
        return vault
    }

    @discardableResult
    private func rekey(_ vault: Vault, _ old: String, _ new: String) throws -> Effects {
        try vault.changePasscode(from: Cast.bytes(old), to: Cast.bytes(new), at: nil, keepingFormer: true) { _ in
            .accepted
        }
    }

    private func opens(_ vault: Vault, _ passcode: String) throws -> Bool {
        try vault.enter(passcode: Cast.bytes(passcode)).authenticated(.passcode)
    }

    private func isKept(_ vault: Vault) throws -> Bool { try vault.formerPasscodeRemains != nil }

    /// Returns true if an erase key of the device file opens this keybag.
    private func opensNow(_ bag: [UInt8]) throws -> Bool {
        let probe = try KeybagProbe(deviceFile: path + "/device")
        return try bag.withUnsafeBytes { try probe.rewritten(keybag: $0) } != nil
    }

    @Test func theOldOneOpensTheVaultUntilTheNewOneHasOnce() throws {
        var vault = try changed()
        #expect(try vault.formerPasscodeRemains == 7 * 86_400_000)
        for _ in 0..<3 {
            #expect(try opens(vault, "old"))
            #expect(try vault.reading("mail") == "s3cret")
            vault.close()
            vault = try Vault.open(at: path)
            #expect(try isKept(vault))
        }
        #expect(try !opens(vault, "other"))
        #expect(try isKept(vault))
        #expect(try opens(vault, "new"))
        #expect(try !isKept(vault))
        #expect(try !opens(vault, "old"))
        vault.close()
        vault = try Vault.open(at: path)
        #expect(try !opens(vault, "old"))
        #expect(try opens(vault, "new"))
        #expect(try vault.verify().findings == [])
    }

    @Test func nothingOfTheOldOneOpensAfterItsEnd() throws {
        let vault = try changed()
        let bag = try #require(try RawDatabase(path + "/vault.db").blobs("SELECT keybag FROM device").first)
        #expect(try opensNow(bag))
        #expect(try opens(vault, "new"))
        #expect(try !opensNow(bag), "its erase key is gone")
    }

    @Test func itEndsAfterSevenDaysThoughTheNewOneWasNeverTyped() throws {
        let vault = try changed()
        try vault.pass(.hours(7 * 24 - 1))
        #expect(try opens(vault, "old"))
        #expect(try vault.formerPasscodeRemains == 3_600_000)
        try vault.pass(.hours(1))
        let bag = try #require(try RawDatabase(path + "/vault.db").blobs("SELECT keybag FROM device").first)
        #expect(try !opens(vault, "old"))
        #expect(try !opensNow(bag))
        #expect(try !isKept(vault))
        #expect(try opens(vault, "new"))
    }

    @Test func askingOrOpeningRemovesAnOldOneThatIsOver() throws {
        var vault = try changed()
        try vault.pass(.hours(7 * 24))
        #expect(try !isKept(vault))
        vault.close()

        vault = try Vault.open(at: path)
        #expect(try opens(vault, "new"))
        try rekey(vault, "new", "newest")
        try vault.pass(.hours(7 * 24))
        try vault.enter(passcode: Cast.bytes("wrong"))  // writes the hour
        vault.close()
        try Vault.open(at: path).close()
    }

    @Test func aWrongOldPasswordChangesNothing() throws {
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("old")).vault
        #expect(try rekey(vault, "wrong", "new").contains(.rejected(.passcode)))
        #expect(try !isKept(vault))
        #expect(try !opens(vault, "new"))
        #expect(try opens(vault, "old"))
        // A new password that the login system refuses changes nothing either.
        let refused = try vault.changePasscode(
            from: Cast.bytes("old"), to: Cast.bytes("new"), at: nil, keepingFormer: true
        ) { _ in .wrong }
        #expect(refused.contains(.rejected(.passcode)))
        #expect(try !isKept(vault) && !opens(vault, "new") && opens(vault, "old"))
    }

    @Test func theSamePasswordAgainKeepsNothing() throws {
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("old")).vault
        try rekey(vault, "old", "old")
        #expect(try !isKept(vault))
        #expect(try opens(vault, "old"))
    }

    /// What else sets or ends a passcode, each from the same vault with a former one.
    @Test(arguments: ["change", "change from old", "again", "again from old", "recover", "rekey", "remove", "erase"])
    func everyOtherChangeEndsIt(change: String) throws {
        var options = VaultOptions.simulated()
        options.hasRecoveryKey = true
        let created = try Vault.create(at: path, options, passcode: Cast.bytes("old"))
        let (vault, recovery) = (created.vault, try #require(created.recoveryKey))
        try rekey(vault, "old", "new")
        var (right, kept): (String?, String?) = ("third", nil)
        switch change {
        case "change": try vault.changePasscode(from: Cast.bytes("new"), to: Cast.bytes("third"))
        case "change from old": try vault.changePasscode(from: Cast.bytes("old"), to: Cast.bytes("third"))
        // Of three passwords, the one that the user typed is kept.
        case "again":
            try rekey(vault, "new", "third")
            kept = "new"
        case "again from old":
            try rekey(vault, "old", "third")
            kept = "old"
        case "recover": try vault.recover(with: recovery, to: Cast.bytes("third"))
        case "rekey":
            _ = try vault.rekey(Cast.bytes("new"))
            right = "new"
        case "remove":
            try vault.removePasscode(Cast.bytes("old"))
            right = nil
        default:
            try vault.apply(.erase)
            right = nil
        }
        #expect(try isKept(vault) == (kept != nil))
        for code in ["old", "new", "third"] where code != right && code != kept {
            #expect(try !opens(vault, code), "\(code)")
        }
        if let kept { #expect(try opens(vault, kept)) }
        if let right { #expect(try opens(vault, right)) }
        #expect(try vault.verify().findings == [])
    }

    /// If PAM accepts the former password, the login password was not changed after all.
    @Test func aVaultGoesBackToTheOldOneThatTheLoginSystemStillAccepts() throws {
        let vault = try changed()
        let bag = try #require(try RawDatabase(path + "/vault.db").blobs("SELECT keybag FROM device").first)
        let effects = try vault.enter(passcode: Cast.bytes("old"), in: nil, at: nil, isJudged: true) { _ in .accepted }
        #expect(effects.authenticated(.passcode))
        #expect(try !isKept(vault))
        #expect(try !opensNow(bag))
        #expect(try !opens(vault, "new"))
        try vault.pass(.hours(24 * 365))
        #expect(try opens(vault, "old"))
        #expect(try vault.verify().findings == [])
    }

    @Test func anOldOneThatTheLoginSystemRefusesOpensNothing() throws {
        let vault = try changed()
        let effects = try vault.enter(passcode: Cast.bytes("old"), in: nil, at: nil, isJudged: true) { _ in .wrong }
        #expect(effects.contains(.rejected(.passcode)))
        #expect(try isKept(vault))
    }

    /// Wrong passcodes count with a former one as without, and the delay holds for both right ones.
    @Test func itTakesNoAttemptAwayAndAddsNone() throws {
        let vault = try changed()
        for number in 1...5 { #expect(try !opens(vault, "wrong \(number)")) }
        #expect(try vault.enter(passcode: Cast.bytes("old")).refusal == .passcodeDelayed)
        #expect(try vault.enter(passcode: Cast.bytes("new")).refusal == .passcodeDelayed)
        try vault.pass(.seconds(61))
        #expect(try opens(vault, "old"))
        #expect(try vault.device.wrongPasscodes.isEmpty)
        #expect(try isKept(vault))
    }

    /// The vault takes it along: the owner may not know yet which of the two passwords counts.
    @Test func aTransferTakesItAlongWithItsTime() throws {
        let vault = try changed()
        try vault.pass(.hours(24))
        let context = try vault.makeContext()
        try vault.enter(passcode: Cast.bytes("old"), in: context)
        let protection = BackupProtection(try Cast.bytes("a phrase"), cost: .test)
        try vault.transfer(to: folder.path("file"), protection, isKept: true, for: Cast.app, in: context)
        for passcode in ["old", "new"] {
            let opened = try Vault.openTransfer(at: folder.path("file"), passphrase: Cast.bytes("a phrase"))
            let received = try Vault.receive(opened, at: folder.path("of \(passcode)")).vault
            #expect(try received.formerPasscodeRemains == 6 * 86_400_000)
            #expect(try opens(received, passcode))
            #expect(try isKept(received) == (passcode == "old"))
        }
    }

    @Test func aBackupHasNothingOfIt() throws {
        let vault = try changed()
        #expect(try opens(vault, "old"))
        _ = try vault.export(to: folder.path("backup"), BackupProtection(try Cast.bytes("phrase"), cost: .test))
        let other = try Vault.create(at: folder.path("other"), .simulated(), passcode: Cast.bytes("own")).vault
        _ = try other.importBackup(from: folder.path("backup"), passphrase: Cast.bytes("phrase"))
        #expect(try !isKept(other))
        #expect(try !opens(other, "old"))
    }

    /// The files of the vault at every step of a change, and of the end that follows, as a crash leaves them.
    @Test func aCrashLeavesAVaultThatTheOldOrTheNewOneOpens() throws {
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("old")).vault
        try vault.adding(Cast.item("mail"), "s3cret")
        let images = Mutex<[(String, stage: Int)]>([])
        let stage = Mutex(0)
        let (path, folder) = (path, folder)
        try vault.observeTransactions { moment in
            let place = images.withLock { images in
                images.append((folder.path("image \(images.count) \(moment)"), stage.withLock { $0 }))
                return images[images.count - 1].0
            }
            try? FaultTests.copy(path, to: place)
        }
        try rekey(vault, "old", "new")
        stage.withLock { $0 = 1 }
        #expect(try opens(vault, "new"))
        stage.withLock { $0 = 2 }
        let all = images.withLock { $0 }
        #expect(all.count >= 10)
        for (image, stage) in all {
            let (first, second) = (folder.path("first"), folder.path("second"))
            for place in [first, second] { try FaultTests.copy(image, to: place) }
            let withOld = try Vault.open(at: first)
            let opensOld = try opens(withOld, "old")
            withOld.close()
            let withNew = try Vault.open(at: second)
            let opensNew = try opens(withNew, "new")
            #expect(opensOld || opensNew, "\(image)")
            if stage == 1 { #expect(opensNew, "\(image): it was acknowledged") }
            if opensNew {
                #expect(try withNew.reading("mail") == "s3cret")
                #expect(try !opens(withNew, "old"), "\(image)")
            }
            #expect(try withNew.verify().findings == [])
            withNew.close()
            for place in [first, second] { try FileManager.default.removeItem(atPath: place) }
        }
    }
}
