import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

@Suite struct KeychainTests {
    @Test func whatAsksForNothingIsReadWithoutAPrompt() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user)
        try keychain.keep("secret", as: "x")
        #expect(try keychain.reading("x") == "secret")
        #expect(user.contents.isEmpty)
        try keychain.delete(keychain.password(account: "x", service: "service"))
        #expect(try keychain.reading("x") == "item.not-found")
    }

    @Test func theOwnersFingerOpensAndAStrangersDoesNot() throws {
        let keychain = try Keychain.simulated()
        try keychain.keep("secret", as: "x", Cast.control(.biometryAny))
        #expect(try keychain.reading("x") == "secret")
        keychain.user = Cast.stranger
        #expect(try keychain.reading("x") == "sheet.failed")
        keychain.user = NoUser()
        #expect(try keychain.reading("x") == "sheet.cancelled")
        #expect(try keychain.reading("x", interaction: .fail) == "interaction.not-allowed")
    }

    @Test func anotherFingerEndsWhatIsBoundToTheSet() throws {
        let keychain = try Keychain.simulated()
        try keychain.keep("bound", as: "bound", Cast.control(.biometryCurrentSet))
        try keychain.keep("any", as: "any", Cast.control(.biometryAny))
        #expect(try keychain.reading("bound") == "bound")
        #expect(try keychain.enroll("left thumb").refusal == nil)
        #expect(try keychain.enrolledNames.sorted() == ["left thumb", "right index"])
        #expect(try keychain.reading("bound") == "biometry.current-set.changed")
        #expect(try keychain.reading("any") == "any")
        #expect(try keychain.reading("bound") == "item.not-found")
    }

    @Test func aContextIsAskedOnce() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(DeviceSettings(lockGrace: .zero), user: user)
        try keychain.keep("secret", as: "x", Cast.control(.userPresence))
        let context = try keychain.makeContext()
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(user.kinds == [.biometry])
        try keychain.lock()
        #expect(try keychain.reading("x", in: context) == "class.locked")
        #expect(try keychain.unlock(passcode: SecureBytes("1234")).authenticated(.passcode))
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(user.kinds == [.biometry, .biometry])
        try context.invalidate()
        #expect(try keychain.reading("x", in: context) == "context.invalidated")
    }

    @Test func anApplicationPasswordIsChosenAndAskedFor() throws {
        var person = Cast.owner
        person.applicationPassword = "open sesame"
        let user = Remembering(person)
        let keychain = try Keychain.simulated(user: user)
        try keychain.keep("secret", as: "x", Cast.control([.biometryAny, .applicationPassword]))
        #expect(user.kinds == [.newApplicationPassword])
        #expect(try keychain.reading("x") == "secret")
        #expect(user.kinds == [.newApplicationPassword, .biometry, .applicationPassword])
        let context = try keychain.makeContext()
        try context.setApplicationPassword(SecureBytes("open sesame"))
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(user.kinds.count == 4)
        person.applicationPassword = "wrong"
        keychain.user = person
        #expect(try keychain.reading("x") == "sheet.failed")
    }

    @Test func aPolicyIsProvedInAContext() throws {
        let keychain = try Keychain.simulated()
        let context = try keychain.makeContext()
        try context.evaluate(.biometry)
        try keychain.keep("secret", as: "x", Cast.control(.biometryAny))
        keychain.user = NoUser()
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(try context.decision(on: .presence).isGranted)
    }

    @Test func aReusedUnlockCountsBesideAnApplicationPassword() throws {
        let user = Remembering(NoUser())
        let keychain = try Keychain.simulated(user: user)
        let context = try keychain.makeContext()
        try context.setApplicationPassword(SecureBytes("open sesame"))
        try context.setReuse(.minutes(1))
        try keychain.keep("secret", as: "x", Cast.control([.biometryAny, .applicationPassword]), in: context)
        try keychain.lock()
        try keychain.unlockBySensor(showing: "right index")
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(user.contents.isEmpty)
    }

    @Test func anApplicationPasswordIsNotAskedForTwiceWhereSomethingIsInTheWay() throws {
        var person = Cast.owner
        person.applicationPassword = "open sesame"
        let user = Remembering(person)
        let keychain = try Keychain.simulated(user: user)
        try keychain.keep("secret", as: "x", Cast.control(.applicationPassword))
        let context = try keychain.makeContext()
        try context.setApplicationPassword(SecureBytes("another"))
        #expect(throws: KeychainError.self) {
            try keychain.keep("other", as: "x", Cast.control(.applicationPassword), in: context)
        }
        #expect(user.kinds == [.newApplicationPassword, .applicationPassword])
        #expect(try context.evidence.offersApplicationPassword)
    }

    @Test func anAccessControlTakesTheApplicationsOwnPasswordWhereNobodyMayBeAsked() throws {
        let keychain = try Keychain.simulated()
        let context = try keychain.makeContext()
        context.words.forbidsInteraction = true
        #expect(throws: KeychainError.self) { try context.evaluate(Cast.control(.applicationPassword), for: .readData) }
        try context.setApplicationPassword(SecureBytes("open sesame"))
        try context.evaluate(Cast.control(.applicationPassword), for: .readData)
    }

    @Test func anEndedContextFindsNothingOut() throws {
        let keychain = try Keychain.simulated()
        let context = try keychain.makeContext()
        try context.invalidate()
        do throws(KeychainError) {
            _ = try keychain.find(ItemQuery(.genericPassword), in: context)
            Issue.record("an ended context finds something")
        } catch {
            #expect(error.rule == .contextInvalidated)
        }
    }

    @Test func aDeviceWithoutASensorSaysSo() throws {
        let keychain = try Keychain.simulated(DeviceSettings(sensor: .none))
        #expect(try keychain.enroll("right index").refusal == .noSensor)
        #expect(try keychain.resetSensor().refusal == .noSensor)
        #expect(try keychain.simulate(.erase).refusal == nil)
        #expect(try keychain.device.passcode == nil)
    }
}
