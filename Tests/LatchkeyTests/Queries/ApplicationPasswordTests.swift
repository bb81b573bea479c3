import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Semantics 4.7: application passwords.
@Suite struct ApplicationPasswordTests {
    private static func person(_ password: String?) -> SimulatedPerson {
        SimulatedPerson(fingers: ["right index"], passcode: "1234", applicationPassword: password)
    }

    private func context(_ password: String, on keychain: Keychain) throws -> KeychainContext {
        let context = try keychain.makeContext()
        try context.setApplicationPassword(SecureBytes(password))
        return context
    }

    /// A password that is set in advance needs no prompt. Otherwise an add asks the user to choose one, and a read asks
    /// for it.
    @Test func itIsSetInAdvanceOrAskedFor() throws {
        let user = Remembering(Self.person("open sesame"))
        let keychain = try Keychain.simulated(user: user)
        let control = try Cast.control(.applicationPassword)
        try keychain.store(
            Cast.password("x", [:], control), "x", in: context("open sesame", on: keychain), interaction: .fail)
        #expect(user.kinds == [])
        try keychain.store(Cast.password("y", [:], control), "y")
        #expect(user.kinds == [.newApplicationPassword])
        #expect(try keychain.secrets(Cast.each(Cast.account("x"))) == ["x"])
        #expect(user.kinds == [.newApplicationPassword, .applicationPassword])
        let query = Cast.passwords()
        #expect(
            try keychain.secrets(query, in: context("open sesame", on: keychain), interaction: .fail) == ["x", "y"])
        #expect(user.kinds.count == 2)
    }

    /// Without a credential or with a wrong one. The wrong one is dropped, so that the user can be asked.
    @Test func withoutItOrWithAWrongOneNothingIsRead() throws {
        let keychain = try Keychain.simulated(user: Self.person("open sesame"))
        try keychain.store(Cast.password("x", [:], try Cast.control(.applicationPassword)), "x")
        let query = Cast.each(Cast.account("x"))
        #expect(
            try code {
                try keychain.store(Cast.password("z", [:], try Cast.control(.applicationPassword)), interaction: .fail)
            } == -25308)
        #expect(try code { _ = try keychain.find(query, interaction: .fail) } == -25308)
        #expect(try code { _ = try keychain.find(query, interaction: .skip) } == -25300)
        let wrong = try context("wrong", on: keychain)
        #expect(
            try rule { _ = try keychain.find(query, in: wrong, interaction: .fail) } == "application-password.wrong")
        #expect(
            try code { _ = try keychain.find(query, in: context("wrong", on: keychain), interaction: .fail) } == -25293)
        let again = try context("wrong", on: keychain)
        #expect(try keychain.secrets(query, in: again) == ["x"])
        keychain.user = Self.person("wrong")
        #expect(try code { _ = try keychain.find(query) } == -25293)
        keychain.user = Self.person(nil)
        #expect(try code { _ = try keychain.find(query) } == -128)
        #expect(try code { try keychain.update(query) } == -128)
    }

    /// An update adds, keeps and removes the requirement, with the context of the query.
    @Test func anUpdateAddsKeepsAndRemovesIt() throws {
        let user = Remembering(NoUser())
        let keychain = try Keychain.simulated(user: user)
        let id = try keychain.store(Cast.password("x"), "kept")
        let query = ItemQuery(id)
        let both = ItemChanges(control: try Cast.control([.applicationPassword, .devicePasscode]))
        let alone = ItemChanges(control: try Cast.control(.applicationPassword))
        let plain = ItemChanges(control: AccessControl(.whenUnlocked))
        // Added: the item needs one.
        #expect(try code { try keychain.update(query, alone, interaction: .fail) } == -25308)
        #expect(try code { try keychain.update(query, alone) } == -128)
        #expect(try keychain.update(query, alone, in: context("first", on: keychain)) == [id])
        #expect(try code { _ = try keychain.find(query, interaction: .fail) } == -25308)
        // Kept: the item keeps its password.
        let label = ItemChanges(merging: ["labl": .string("new")])
        #expect(try code { try keychain.update(query, label, interaction: .fail) } == -25308)
        #expect(
            try code { try keychain.update(query, label, in: context("no", on: keychain), interaction: .fail) }
                == -25293)
        #expect(try keychain.update(query, label, in: context("first", on: keychain)) == [id])
        #expect(try keychain.update(query, both, in: context("first", on: keychain)) == [id])
        keychain.user = Self.person(nil)
        #expect(try keychain.secrets(query, in: context("first", on: keychain)) == ["kept"])
        #expect(try keychain.update(query, alone, in: context("first", on: keychain)) == [id])
        // Removed.
        #expect(try keychain.update(query, plain, in: context("first", on: keychain)) == [id])
        keychain.user = NoUser()
        #expect(try keychain.secrets(query) == ["kept"])
        #expect(try keychain.stored(id).description.attributes["labl"] == .string("new"))
    }

    /// Deleting needs no password.
    @Test func aDeleteNeedsNone() throws {
        let user = Remembering(NoUser())
        let keychain = try Keychain.simulated(user: user)
        let control = try Cast.control([.applicationPassword, .biometryAny])
        try keychain.store(Cast.password("x", [:], control), in: context("first", on: keychain))
        #expect(try keychain.delete(Cast.each()).count == 1)
        #expect(user.kinds == [])
    }

    /// Several items with one password, set in advance or typed.
    @Test func severalItemsAreOpenedByOnePassword() throws {
        let user = Remembering(Self.person("open sesame"))
        let keychain = try Keychain.simulated(user: user)
        for account in ["a", "b", "c"] {
            let item = Cast.password(account, [:], try Cast.control(.applicationPassword))
            try keychain.store(item, account, in: context("open sesame", on: keychain))
        }
        let label = ItemChanges(merging: ["labl": .string("new")])
        #expect(try keychain.update(Cast.each(), label, in: context("open sesame", on: keychain)).count == 3)
        #expect(user.kinds == [])
        #expect(try keychain.secrets(Cast.passwords()) == ["a", "b", "c"])
        #expect(user.kinds == [.applicationPassword])
        #expect(try keychain.update(Cast.each(), label).count == 3)
        #expect(user.kinds == [.applicationPassword, .applicationPassword])
        // An item with another password has a prompt of its own.
        let other = Cast.password("d", [:], try Cast.control(.applicationPassword))
        try keychain.store(other, "d", in: context("another", on: keychain))
        #expect(try code { _ = try keychain.find(Cast.passwords()) } == -25293)
        let query = Cast.passwords(["labl": .string("new")])
        #expect(try keychain.secrets(query) == ["a", "b", "c"])
    }

    /// Several items, one of which also needs biometry. The password that was set in advance opens each of them.
    @Test(arguments: [["a", "b"], ["b", "a"]]) func severalItemsAreOpenedByOnePasswordBesideBiometry(
        _ accounts: [String]
    ) throws {
        let user = Remembering(Self.person(nil))
        let keychain = try Keychain.simulated(user: user)
        for account in accounts {
            let control = try Cast.control(
                account == "a" ? .applicationPassword : [.applicationPassword, .biometryAny])
            try keychain.store(Cast.password(account, [:], control), account, in: context("sesame", on: keychain))
        }
        let label = ItemChanges(merging: ["labl": .string("new")])
        #expect(try keychain.update(Cast.each(), label, in: context("sesame", on: keychain)).count == 2)
        #expect(user.kinds == [.biometry])
    }

    struct Preflight: Sendable {
        let flags: AccessControlFlags
        /// The password that the app sets in advance: 1 is right, and zero is none.
        let own: UInt8
        let answer: Decision?
    }

    static let preflights: [Preflight] = [
        .init(flags: .applicationPassword, own: 1, answer: nil),
        .init(flags: .applicationPassword, own: 2, answer: .challenge(Ways([.applicationPassword]))),
        .init(flags: .applicationPassword, own: 0, answer: .challenge(Ways([.applicationPassword]))),
        .init(
            flags: [.applicationPassword, .devicePasscode], own: 1,
            answer: .challenge(Ways([.passcode, .applicationPassword]))),
    ]

    /// A preflight tries the password that the app has set, both in the vault and in the model.
    @Test(arguments: preflights) func aPreflightTriesTheOwnPassword(_ preflight: Preflight) throws {
        let control = try Cast.control(preflight.flags)
        let settings = DeviceSettings()
        let passcode = try #require(Passcode(rawValue: 1))
        var world = World(Device(settings, passcode: passcode, enrolled: []))
        let slot = try world.store(Item(control), applicationPassword: 1)
        let before = world
        let keychain = try Keychain.simulated(settings, user: NoUser())
        let id = try keychain.store(Cast.password("x", [:], control), in: context("password 1", on: keychain))
        let context = try keychain.makeContext()
        if preflight.own != 0 { try context.setApplicationPassword(SecureBytes("password \(preflight.own)")) }

        var call = Call(.readData, slot, by: .absent, interaction: .preflight)
        call.applicationPassword = preflight.own
        let model = world.perform(call)
        let real = try keychain.decision(.readData, .id(id), in: context)
        if let answer = preflight.answer {
            #expect(model.decision == answer)
            #expect(real == answer)
        } else {
            #expect(model.decision.isGranted)
            #expect(real.isGranted)
        }
        #expect(model.prompts.isEmpty)
        #expect(world == before)
        // Without an item, there is nothing to check the password against.
        call.subject = .accessControl(control, .readData)
        let needsMore = preflight.own == 0 || preflight.flags != .applicationPassword
        #expect(world.perform(call).decision.isGranted == !needsMore)
        let fresh = try keychain.makeContext()
        if preflight.own != 0 { try fresh.setApplicationPassword(SecureBytes("password \(preflight.own)")) }
        #expect(try fresh.decision(on: control, for: .readData).isGranted == !needsMore)
    }

    /// An application password is needed on top of the other factors, even if one of several is enough of those.
    @Test func itIsNeededOnTopOfOneOfSeveral() throws {
        let user = Remembering(Self.person("open sesame"))
        let keychain = try Keychain.simulated(user: user)
        let control = try Cast.control([.applicationPassword, .biometryAny, .or, .devicePasscode])
        try keychain.store(Cast.password("x", [:], control), "x", in: context("open sesame", on: keychain))
        #expect(try keychain.secrets(Cast.each()) == ["x"])
        #expect(Set(user.kinds) == [.biometry, .applicationPassword])
        keychain.user = Self.person(nil)
        #expect(try code { _ = try keychain.find(Cast.each()) } == -128)
    }
}
