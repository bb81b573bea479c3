import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Semantics 3.5: adding.
@Suite struct AddTests {
    @Test func aDuplicateIsRefusedAndTheFirstStays() throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(Cast.password("x", ["labl": .string("first")]), "first")
        #expect(try code { try keychain.store(Cast.password("x", ["labl": .string("second")]), "second") } == -25299)
        #expect(try keychain.secrets(Cast.each()) == ["first"])
        #expect(try keychain.stored(id).description.attributes["labl"] == .string("first"))
    }

    /// Without kSecValueData, an item has no secret. With empty data, it has an empty one.
    @Test func anItemMayHaveNoSecretOrAnEmptyOne() throws {
        let keychain = try Keychain.simulated()
        try keychain.add(Cast.password("none"))
        try keychain.store(Cast.password("empty"), "")
        var query = Cast.passwords()
        query.wanted = [.data, .attributes]
        let found = try keychain.find(query)
        #expect(found.count == 2)
        for entry in found {
            switch entry.account {
            case "none": #expect(entry.secret == nil)
            default: #expect(entry.secret?.bytes.count == 0)
            }
        }
    }

    /// A locked class is reported before a duplicate. Both are -25308.
    @Test func aLockedClassIsSaidBeforeADuplicate() throws {
        let keychain = try Keychain.simulated(Cast.device())
        try keychain.store(Cast.password("x"))
        try keychain.lock()
        #expect(try rule { try keychain.store(Cast.password("x")) } == "class.locked")
        #expect(try rule { try keychain.store(Cast.password("y")) } == "class.locked")
        #expect(try code { try keychain.store(Cast.password("x")) } == -25308)
        // An open class does not help if the existing item is locked.
        let open = Cast.password("x", [:], AccessControl(.always))
        #expect(try code { try keychain.store(open) } == -25308)
        #expect(try code { try keychain.store(Cast.password("z", [:], AccessControl(.always))) } == 0)
        #expect(try code { try keychain.store(Cast.password("z", [:], AccessControl(.always))) } == -25299)
        try keychain.simulate(.reboot)
        #expect(try code { try keychain.store(Cast.password("a", [:], AccessControl(.afterFirstUnlock))) } == -25308)
        try keychain.reopen()
        #expect(try code { try keychain.store(Cast.password("x")) } == -25299)
        #expect(try keychain.accounts(Cast.passwords()) == ["x", "z"])
    }

    /// An add over a protected item opens that item to see whether it is valid, and then reports a duplicate.
    @Test func aProtectedDuplicateAsksFirst() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user)
        try keychain.store(Cast.password("x", [:], try Cast.control(.biometryAny)), "first")
        #expect(user.kinds == [])  // storing asks for no match
        #expect(try code { try keychain.store(Cast.password("x")) } == -25299)
        #expect(user.kinds == [.biometry])
        #expect(try code { try keychain.store(Cast.password("x"), interaction: .fail) } == -25308)
        let context = try keychain.makeContext()
        try context.evaluate(.biometry)
        #expect(try code { try keychain.store(Cast.password("x"), in: context, interaction: .fail) } == -25299)
        keychain.user = NoUser()
        #expect(try code { try keychain.store(Cast.password("x")) } == -128)
        keychain.user = user
        #expect(try keychain.secrets(Cast.each()) == ["first"])
    }

    /// Fidelity: apps also saw -25299 at once.
    @Test func aProtectedDuplicateAnswersAtOnceWhereThatIsSettled() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(
            Cast.device { $0.duplicate = .answersAtOnce }, user: user)
        try keychain.store(Cast.password("x", [:], try Cast.control(.biometryAny)))
        #expect(try code { try keychain.store(Cast.password("x")) } == -25299)
        #expect(try code { try keychain.store(Cast.password("x"), interaction: .fail) } == -25299)
        #expect(user.kinds == [])
    }

    /// A password with an access control for private keys.
    @Test func aPasswordIsNoPrivateKey() throws {
        let keychain = try Keychain.simulated()
        for flags in [AccessControlFlags.privateKeyUsage, [.privateKeyUsage, .userPresence]] {
            #expect(try code { try keychain.store(Cast.password("x", [:], try Cast.control(flags))) } == -25293)
        }
        #expect(try keychain.accounts(Cast.passwords()) == [])
    }

    /// Semantics 3.4: an access control excludes synchronizable, even with no flags; a plain class does not.
    @Test(arguments: [AccessControlFlags(), .userPresence, .devicePasscode, .applicationPassword])
    func whatIsControlledDoesNotTravel(_ flags: AccessControlFlags) throws {
        let keychain = try Keychain.simulated()
        var item = Cast.synchronizable("x")
        item.control = try Cast.control(flags)
        #expect(try code { try keychain.store(item) } == -50)
        item.isSynchronizable = false
        item.control = AccessControl(.whenUnlocked)
        #expect(try code { try keychain.store(item) } == 0)
        var changes = ItemChanges(isSynchronizable: true)
        changes.control = try Cast.control(flags)
        #expect(try code { try keychain.update(Cast.each(), changes) } == -50)
        let other = Cast.password("y", [:], try Cast.control([]))
        let id = try keychain.store(other)
        #expect(try code { try keychain.update(ItemQuery(id), ItemChanges(isSynchronizable: true)) } == -50)
        #expect(try !keychain.stored(id).description.isSynchronizable)
    }

    /// Semantics 3.12: an item that never leaves this device may ask to sync, and stays. The header forbids it.
    @Test(arguments: Fidelity.BoundSynchronizable.allCases)
    func whatStaysOnThisDeviceMayAskToTravel(_ settled: Fidelity.BoundSynchronizable) throws {
        let keychain = try Keychain.simulated(Cast.device { $0.boundSynchronizable = settled })
        for protection in Accessibility.allCases {
            var item = Cast.synchronizable(protection.rawValue)
            item.control = AccessControl(protection)
            let isRefused = settled == .refused && protection.isThisDeviceOnly
            #expect(try code { try keychain.store(item) } == (isRefused ? -50 : 0), "\(protection)")
        }
    }

    /// Semantics 4.5: akpu without a passcode.
    @Test(arguments: [
        (Fidelity.AddWithoutPasscode.notAvailable, -25291 as Int32), (.authFailed, -25293), (.decode, -26275),
    ])
    func withoutAPasscodeThereIsNoClassThatNeedsOne(_ settled: Fidelity.AddWithoutPasscode, _ expected: Int32) throws {
        let settings = Cast.device { $0.addWithoutPasscode = settled }
        let keychain = try Keychain.simulated(settings, passcode: nil, enrolled: [])
        let item = Cast.password("x", [:], AccessControl(.whenPasscodeSetThisDeviceOnly))
        #expect(try code { try keychain.store(item) } == expected)
        try keychain.store(Cast.password("x"))
        let changes = ItemChanges(control: AccessControl(.whenPasscodeSetThisDeviceOnly))
        #expect(try code { try keychain.update(Cast.each(), changes) } == expected)
        try keychain.setPasscode(SecureBytes("1234"))
        #expect(try code { try keychain.update(Cast.each(), changes) } == 0)
    }

    /// Data over 32 KiB and metadata over 2 KiB are accepted.
    @Test func muchIsStoredAsWell() throws {
        let keychain = try Keychain.simulated()
        let much = String(repeating: "x", count: 40_000)
        try keychain.store(Cast.password("x", ["icmt": .string(much)]), much)
        #expect(try keychain.secrets(Cast.each(["icmt": .string(much)])) == [much])
    }
}
