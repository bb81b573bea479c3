import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// Tests of calls with prompts of their own, and of the authentication that comes with them.
@Suite struct AskingTests {
    @Test func eachCallAsksItsOwnHolder() throws {
        let everybodys = Remembering(Cast.stranger)
        let mine = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: everybodys)
        try keychain.keep("secret", as: "x", Cast.control(.biometryAny))
        #expect(try keychain.reading("x") == "sheet.failed")
        #expect(try Keychain.asking(mine) { try keychain.reading("x") } == "secret")
        #expect(mine.kinds == [.biometry])
        #expect(try keychain.reading("x") == "sheet.failed", "it was for one call")
    }

    @Test func manyThreadsEachAskTheirOwn() throws {
        let keychain = try Keychain.simulated()
        try keychain.keep("secret", as: "x", Cast.control(.devicePasscode))
        let threads = (0..<16).map { number in
            Background {
                let isOwner = number % 4 == 0
                let user: any DeviceUser = isOwner ? Cast.owner : NoUser()
                return try (0..<20).map { _ in try Keychain.asking(user) { try keychain.reading("x") } }
                    .allSatisfy { $0 == (isOwner ? "secret" : "sheet.cancelled") }
            }
        }
        for thread in threads { #expect(try thread.value()) }
    }

    @Test func aPasscodeTypedToUnlockCountsForWhatItWasTypedFor() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(DeviceSettings(lockGrace: .zero), user: user)
        try keychain.keep("secret", as: "x", Cast.control(.devicePasscode))
        try keychain.lock()
        let context = try keychain.makeContext()
        try keychain.unlock(reason: "read x", in: context)
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(user.kinds == [.passcode], "once")
        #expect(user.contents.first?.reason == "read x")
        // It counts for nothing else, and not after the next lock.
        #expect(try keychain.reading("x") == "secret")
        #expect(user.kinds == [.passcode, .passcode])
        try keychain.lock()
        try keychain.unlock(passcode: SecureBytes("1234"))
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(user.kinds.count == 3)
    }

    @Test func aWrongPasscodeTypedToUnlockProvesNothing() throws {
        let keychain = try Keychain.simulated(DeviceSettings(lockGrace: .zero), user: Cast.stranger)
        try keychain.keep("secret", as: "x", Cast.control(.devicePasscode))
        try keychain.lock()
        let context = try keychain.makeContext()
        #expect(throws: KeychainError.self) { try keychain.unlock(in: context) }
        try keychain.unlock(passcode: SecureBytes("1234"))
        #expect(try keychain.reading("x", in: context) == "sheet.failed")
    }

    /// A lock while the user types the passcode to unlock the device keeps it locked.
    @Test(arguments: [true, false]) func aLockUnderAPromptToUnlockHolds(_ isLockedBefore: Bool) throws {
        let keychain = try Keychain.simulated(DeviceSettings(lockGrace: .zero))
        try keychain.keep("secret", as: "x", Cast.control(.devicePasscode))
        if isLockedBefore { try keychain.lock() }
        let context = try keychain.makeContext()
        let user = ClosureUser(atOnce: true) { _ in
            _ = try? keychain.lock()
            do { return .typed(try SecureBytes("1234")) } catch { return .cancel }
        }
        do throws(KeychainError) {
            try Keychain.asking(user) { () throws(KeychainError) in try keychain.unlock(in: context) }
            Issue.record("it was unlocked")
        } catch {
            #expect(error.rule == .sheetSystemCanceled)
        }
        #expect(try keychain.device.isLocked)
        try keychain.unlock(passcode: SecureBytes("1234"))
        #expect(try Keychain.asking(NoUser()) { try keychain.reading("x", in: context) } == "sheet.cancelled")
    }

    @Test func aContextOfAnotherKeychainUnlocksNothing() throws {
        let (keychain, other) = (try Keychain.simulated(), try Keychain.simulated())
        let context = try other.makeContext()
        do throws(KeychainError) {
            try keychain.unlock(in: context)
            Issue.record("it was taken")
        } catch {
            guard case .foreignContext = error else { throw error }
        }
    }

    @Test func theListHasWhatIsOpenAndCountsWhatIsLocked() throws {
        let keychain = try Keychain.simulated(DeviceSettings(lockGrace: .zero), user: NoUser())
        try keychain.keep("1", as: "a", Cast.control([], .whenUnlocked))
        try keychain.keep("2", as: "b", Cast.control(.biometryCurrentSet, .whenUnlocked))
        try keychain.keep("3", as: "c", Cast.control([], .afterFirstUnlock))
        func names() throws -> ([String], Int) {
            let query = ItemQuery(.genericPassword, ["svce": .string("service")])
            let (items, locked, damaged) = try keychain.inventory(of: query)
            let names = items.map { item in
                if case .string(let name) = item.description.attributes["acct"] { name } else { "?" }
            }
            #expect(damaged == 0)
            return (names.sorted(), locked)
        }
        #expect(try names() == (["a", "b", "c"], 0), "nobody was asked for a finger")
        try keychain.lock()
        #expect(try names() == (["c"], 2))
    }
}

/// Tests of backups of vaults that keep secrets.
@Suite struct RealBackupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func created(_ name: String) throws -> Keychain {
        try Keychain.create(
            at: folder.path(name), passcode: try SecureBytes("1234"), user: SimulatedPerson(passcode: "1234")
        ).keychain
    }

    @Test func whatThePasscodeMayReadGoesAlongAndTheRestIsNamed() throws {
        let keychain = try created("one")
        try keychain.keep("plain", as: "plain", Cast.control([]))
        try keychain.keep("asked", as: "asked", Cast.control(.devicePasscode))
        try keychain.keep("here", as: "here", Cast.control(.devicePasscode, .whenPasscodeSetThisDeviceOnly))
        let path = folder.path("backup")
        let report = try keychain.backUp(to: path, under: try SecureBytes("phrase"))
        #expect(report.written == 2)
        #expect(report.leftOut.values.map(\.rawValue) == [ExportReport.Reason.neverLeaves.rawValue])
        let other = try created("two")
        let taken = try other.importBackup(at: path, under: try SecureBytes("phrase"))
        #expect(taken.added == 2)
        #expect(try other.reading("asked") == "asked")
        #expect(try keychain.verify().findings.isEmpty)
    }

    @Test func nobodyWithoutThePasscodeMakesOneOrTakesOneIn() throws {
        let keychain = try created("one")
        try keychain.keep("plain", as: "plain", Cast.control([]))
        let made = folder.path("made")
        _ = try keychain.backUp(to: made, under: try SecureBytes("phrase"))
        keychain.user = NoUser()
        #expect(throws: KeychainError.self) {
            try keychain.backUp(to: folder.path("backup"), under: try SecureBytes("phrase"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("backup")))
        let refusal = #expect(throws: KeychainError.self) {
            try keychain.importBackup(at: made, under: try SecureBytes("phrase"))
        }
        #expect(refusal?.rule != nil, "it is the passcode that is missing, and not the backup")
    }

    /// The user is not asked for a passcode if the operation cannot succeed anyway.
    @Test func nobodyIsAskedWhereThereIsNoPlaceForABackupOrNoBackup() throws {
        let keychain = try created("one")
        keychain.user = NoUser()
        let missing = folder.path("missing/backup")
        let fault = VaultError.system(missing, code: ENOENT, text: "No such file or directory")
        #expect(try self.fault { try keychain.backUp(to: missing, under: SecureBytes("phrase")) } == fault)
        #expect(try self.fault { try keychain.importBackup(at: missing, under: SecureBytes("phrase")) } == fault)
        let other = folder.path("other")
        try Data("no backup of anything, however long it is".utf8).write(to: URL(filePath: other))
        #expect(
            try self.fault { try keychain.importBackup(at: other, under: SecureBytes("phrase")) } == .notABackup(other))
        #expect(
            try self.fault { try keychain.backUp(to: other, under: SecureBytes("phrase")) } == .alreadyThere(other))
    }

    /// Returns the vault's reason for refusing a call; nil if the vault did not refuse it.
    private func fault(_ body: () throws -> some Any) throws -> VaultError? {
        do { _ = try body() } catch KeychainError.vault(let fault) { return fault } catch is KeychainError {
            return nil
        }
        Issue.record("the call was not refused")
        return nil
    }
}
