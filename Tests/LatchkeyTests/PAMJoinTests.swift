import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing
import UserPresence

/// Tests of a real vault behind a real PAM stack. PAM can only reject a passcode, and one that it accepts still has to
/// open the keys.
@Suite struct PAMJoinTests {
    /// A real vault whose passcode is the login password of its own stack, opened again and locked.
    private struct Scene {
        let folder: TemporaryFolder
        let stack: PAMStack
        let keychain: Keychain
        let user: Remembering

        init(_ user: any DeviceUser = NoUser()) throws {
            folder = try TemporaryFolder()
            stack = try PAMStack(passcode: "first")
            let authenticator = PAMAuthenticator(service: stack.service, folder: stack.folder, user: stack.user)
            let path = folder.path("vault")
            let made = try Keychain.create(at: path, passcode: SecureBytes("first"), authenticator: authenticator)
                .keychain
            try made.keep("plain", as: "plain")
            try made.keep("guarded", as: "guarded", Cast.control(.devicePasscode))
            made.close()
            self.user = Remembering(user)
            keychain = try Keychain.open(at: path, authenticator: authenticator, user: self.user)
        }

        var wrong: Int { get throws { try keychain.device.wrongPasscodes.count } }

        func unlock(_ passcode: String) throws -> Effects { try keychain.unlock(passcode: SecureBytes(passcode)) }
    }

    @Test func whatBothFindRightUnlocksAndWhatPAMRefusesCounts() throws {
        let scene = try Scene()
        #expect(try scene.keychain.reading("plain") == "class.before-first-unlock")
        #expect(try scene.unlock("wrong").contains(.rejected(.passcode)))
        #expect(try scene.wrong == 1)
        #expect(try scene.unlock("wrong").contains(.rejected(.passcode)))
        #expect(try scene.wrong == 1, "the same wrong one again is no other attempt")
        #expect(try scene.unlock("first").authenticated(.passcode))
        #expect(try scene.wrong == 0)
        #expect(try scene.keychain.reading("plain") == "plain")
        #expect(scene.user.contents.isEmpty)
        scene.keychain.close()
    }

    @Test func whatCannotBeJudgedDoesNotCount() throws {
        let scene = try Scene()
        try scene.stack.write(["auth required /nowhere/pam_missing.so", "account required /nowhere/pam_missing.so"])
        for passcode in ["first", "wrong"] {
            do throws(KeychainError) {
                let effects = try scene.keychain.unlock(passcode: onTheHouse(passcode))
                Issue.record("\(Array(effects))")
            } catch {
                guard case .authenticator = error else { throw error }
            }
        }
        for passcode in ["", String(repeating: "x", count: 512), "a\0b"] {
            #expect(throws: KeychainError.self) { try scene.unlock(passcode) }
        }
        #expect(try scene.wrong == 0)
        #expect(try scene.keychain.device.isLocked)
        try scene.stack.play([])
        #expect(try scene.unlock("first").authenticated(.passcode))
        scene.keychain.close()
    }

    private func onTheHouse(_ text: String) throws(KeychainError) -> SecureBytes {
        do { return try SecureBytes(text) } catch { throw .vault(.memory(error)) }
    }

    @Test func aChangedLoginPasswordIsTakenOverWithTheFormerOne() throws {
        var owner = SimulatedPerson(passcode: "second")
        owner.formerPasscode = "first"
        let scene = try Scene(owner)
        try scene.stack.setPasscode("second")
        #expect(try scene.unlock("first").contains(.rejected(.passcode)), "PAM knows another one by now")
        #expect(try scene.wrong == 1)
        #expect(try scene.unlock("second").authenticated(.passcode))
        #expect(scene.user.kinds == [.formerPasscode])
        #expect(try scene.wrong == 0)
        #expect(try scene.keychain.reading("plain") == "plain")
        // At a prompt, the new passcode authenticates as it should.
        #expect(try scene.keychain.reading("guarded") == "guarded")
        scene.keychain.close()
        let vault = try Vault.open(at: scene.folder.path("vault"))
        #expect(try vault.enter(passcode: SecureBytes("second")).authenticated(.passcode))
        #expect(try vault.enter(passcode: SecureBytes("first")).contains(.rejected(.passcode)))
        vault.close()
    }

    @Test func aWrongFormerOneChangesNothingAndCounts() throws {
        var owner = SimulatedPerson(passcode: "second")
        owner.formerPasscode = "never was"
        let scene = try Scene(owner)
        try scene.stack.setPasscode("second")
        #expect(try scene.unlock("second").contains(.rejected(.passcode)))
        #expect(try scene.wrong == 2, "the new one kept the keys shut, and so did the one that was said to be former")
        #expect(scene.user.kinds == [.formerPasscode], "asked once")
        #expect(try scene.keychain.device.isLocked)
        scene.keychain.user = NoUser()
        #expect(try scene.unlock("second").contains(.rejected(.passcode)))
        try scene.stack.setPasscode("first")
        #expect(try scene.unlock("first").authenticated(.passcode))
        #expect(try scene.keychain.reading("plain") == "plain")
        scene.keychain.close()
    }

    @Test func atAPromptAChangedLoginPasswordIsTakenOverToo() throws {
        var owner = SimulatedPerson(passcode: "second")
        owner.formerPasscode = "first"
        let scene = try Scene(owner)
        #expect(try scene.unlock("first").authenticated(.passcode))
        try scene.stack.setPasscode("second")
        let context = try scene.keychain.makeContext()
        #expect(try scene.keychain.reading("guarded", in: context) == "guarded")
        #expect(scene.user.kinds == [.passcode, .formerPasscode])
        #expect(try scene.keychain.reading("guarded", in: context) == "guarded")
        #expect(scene.user.kinds.count == 2)
        scene.keychain.close()
    }

    @Test func theNextPasscodeIsOneThatPAMAccepts() throws {
        let scene = try Scene()
        #expect(try scene.unlock("first").authenticated(.passcode))
        #expect(throws: KeychainError.self) {
            try scene.keychain.changePasscode(from: SecureBytes("first"), to: SecureBytes("second"))
        }
        #expect(try scene.wrong == 1, "what PAM refuses counts")
        try scene.stack.setPasscode("second")
        let effects = try scene.keychain.changePasscode(from: SecureBytes("first"), to: SecureBytes("second"))
        #expect(effects.refusal == nil)
        try scene.keychain.lock()
        #expect(try scene.unlock("second").authenticated(.passcode))
        scene.keychain.close()
    }

    @Test func aVaultIsNotCreatedWithAPasscodeThatPAMRefuses() throws {
        let folder = try TemporaryFolder()
        let stack = try PAMStack(passcode: "first")
        let authenticator = PAMAuthenticator(service: stack.service, folder: stack.folder, user: stack.user)
        #expect(throws: KeychainError.self) {
            try Keychain.create(at: folder.path("vault"), passcode: SecureBytes("second"), authenticator: authenticator)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("vault")))
    }

    @Test func whatPAMSaysReachesTheHolder() throws {
        let scene = try Scene(SimulatedPerson(passcode: "wrong"))
        #expect(try scene.unlock("first").authenticated(.passcode))
        try scene.stack.play(["info=Keep to the rules"])
        #expect(try scene.keychain.reading("guarded") == "sheet.failed")
        #expect(scene.user.contents.map(\.attempt) == [1, 2, 3])
        #expect(scene.user.contents.last?.notes == ["Keep to the rules"])
        scene.keychain.close()
    }

    @Test func whatPAMSaysIsNotShownInTheNextRound() throws {
        let scene = try Scene(SimulatedPerson(passcode: "first", applicationPassword: "open sesame"))
        #expect(try scene.unlock("first").authenticated(.passcode))
        let context = try scene.keychain.makeContext()
        try context.setApplicationPassword(SecureBytes("open sesame"))
        let control = try Cast.control([.devicePasscode, .applicationPassword])
        try scene.keychain.keep("both", as: "both", control, in: context)
        try scene.stack.play(["info=Keep to the rules"])
        let label = ItemChanges(merging: ["labl": .string("new")])
        #expect(try scene.keychain.update(Cast.each(), label).count == 3)
        #expect(scene.user.kinds == [.passcode, .applicationPassword])
        #expect(scene.user.contents.map(\.notes) == [[], []])
        scene.keychain.close()
    }

    @Test func aDeviceLockedWhileTheJudgeThinksStaysLocked() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        try Keychain.create(at: path, passcode: SecureBytes("first")).keychain.close()
        let authenticator = Locking()
        let keychain = try Keychain.open(
            at: path, authenticator: authenticator, user: SimulatedPerson(passcode: "first"))
        #expect(try keychain.unlock(passcode: SecureBytes("first")).authenticated(.passcode))
        try keychain.keep("guarded", as: "guarded", Cast.control(.devicePasscode))
        authenticator.keychain.withLock { $0 = keychain }
        #expect(try keychain.reading("guarded") == "sheet.system-cancelled")
        #expect(try keychain.device.isLocked)
        #expect(try keychain.device.wrongPasscodes.isEmpty, "nobody judged it")
        keychain.close()
    }

    /// An authenticator that accepts everything, and locks the device meanwhile.
    private final class Locking: PasscodeAuthenticator {
        let keychain = Mutex<Keychain?>(nil)

        func authenticate(_ passcode: borrowing SecureBytes) -> PasscodeResult {
            _ = try? keychain.withLock { $0 }?.lock()
            return PasscodeResult(.accepted)
        }
    }
}
