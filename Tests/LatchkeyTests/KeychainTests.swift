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
        let holder = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(holder: holder)
        try keychain.keep("secret", as: "x")
        #expect(try keychain.reading("x") == "secret")
        #expect(holder.questions.isEmpty)
        try keychain.delete(keychain.password(account: "x", service: "service"))
        #expect(try keychain.reading("x") == "item.not-found")
    }

    @Test func theOwnersFingerOpensAndAStrangersDoesNot() throws {
        let keychain = try Keychain.simulated()
        try keychain.keep("secret", as: "x", Cast.control(.biometryAny))
        #expect(try keychain.reading("x") == "secret")
        keychain.holder = Cast.stranger
        #expect(try keychain.reading("x") == "sheet.failed")
        keychain.holder = NobodyThere()
        #expect(try keychain.reading("x") == "sheet.cancelled")
        #expect(try keychain.reading("x", interaction: .fail) == "interaction.not-allowed")
    }

    @Test func anotherFingerEndsWhatIsBoundToTheSet() throws {
        let keychain = try Keychain.simulated()
        try keychain.keep("bound", as: "bound", Cast.control(.biometryCurrentSet))
        try keychain.keep("any", as: "any", Cast.control(.biometryAny))
        #expect(try keychain.reading("bound") == "bound")
        #expect(try keychain.enrol("left thumb").refusal == nil)
        #expect(try keychain.enrolledNames.sorted() == ["left thumb", "right index"])
        #expect(try keychain.reading("bound") == "biometry.current-set.changed")
        #expect(try keychain.reading("any") == "any")
        #expect(try keychain.reading("bound") == "item.not-found")
    }

    @Test func aContextIsAskedOnce() throws {
        let holder = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(DeviceSettings(lockGrace: .zero), holder: holder)
        try keychain.keep("secret", as: "x", Cast.control(.userPresence))
        let context = try keychain.makeContext()
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(holder.wishes == [.biometry])
        try keychain.lock()
        #expect(try keychain.reading("x", in: context) == "class.locked")
        #expect(try keychain.unlock(passcode: SecureBytes("1234")).proved(.passcode))
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(holder.wishes == [.biometry, .biometry])
        try context.invalidate()
        #expect(try keychain.reading("x", in: context) == "context.invalidated")
    }

    @Test func anApplicationPasswordIsChosenAndAskedFor() throws {
        var person = Cast.owner
        person.applicationPassword = "open sesame"
        let holder = Remembering(person)
        let keychain = try Keychain.simulated(holder: holder)
        try keychain.keep("secret", as: "x", Cast.control([.biometryAny, .applicationPassword]))
        #expect(holder.wishes == [.newApplicationPassword])
        #expect(try keychain.reading("x") == "secret")
        #expect(holder.wishes == [.newApplicationPassword, .biometry, .applicationPassword])
        let context = try keychain.makeContext()
        try context.setApplicationPassword(SecureBytes("open sesame"))
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(holder.wishes.count == 4)
        person.applicationPassword = "wrong"
        keychain.holder = person
        #expect(try keychain.reading("x") == "sheet.failed")
    }

    @Test func aPolicyIsProvedInAContext() throws {
        let keychain = try Keychain.simulated()
        let context = try keychain.makeContext()
        try context.evaluate(.biometry)
        try keychain.keep("secret", as: "x", Cast.control(.biometryAny))
        keychain.holder = NobodyThere()
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(try context.decision(on: .presence).isGranted)
    }

    @Test func aReusedUnlockCountsBesideAnApplicationPassword() throws {
        let holder = Remembering(NobodyThere())
        let keychain = try Keychain.simulated(holder: holder)
        let context = try keychain.makeContext()
        try context.setApplicationPassword(SecureBytes("open sesame"))
        try context.setReuse(.minutes(1))
        try keychain.keep("secret", as: "x", Cast.control([.biometryAny, .applicationPassword]), in: context)
        try keychain.lock()
        try keychain.unlockBySensor(showing: "right index")
        #expect(try keychain.reading("x", in: context) == "secret")
        #expect(holder.questions.isEmpty)
    }

    @Test func anApplicationPasswordIsNotAskedForTwiceWhereSomethingIsInTheWay() throws {
        var person = Cast.owner
        person.applicationPassword = "open sesame"
        let holder = Remembering(person)
        let keychain = try Keychain.simulated(holder: holder)
        try keychain.keep("secret", as: "x", Cast.control(.applicationPassword))
        let context = try keychain.makeContext()
        try context.setApplicationPassword(SecureBytes("another"))
        #expect(throws: KeychainError.self) {
            try keychain.keep("other", as: "x", Cast.control(.applicationPassword), in: context)
        }
        #expect(holder.wishes == [.newApplicationPassword, .applicationPassword])
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
        #expect(try keychain.enrol("right index").refusal == .noSensor)
        #expect(try keychain.resetSensor().refusal == .noSensor)
        #expect(try keychain.simulate(.erase).refusal == nil)
        #expect(try keychain.device.passcode == nil)
    }
}
