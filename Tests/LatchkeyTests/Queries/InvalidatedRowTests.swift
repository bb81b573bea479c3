import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Semantics 3.9, 4.5 and 4.6: a row that can never be opened again counts as absent.
@Suite struct InvalidatedRowTests {
    enum Loss: CaseIterable, Sendable {
        case enrollment, passcodeRemoved, passcodeSetAnew

        var control: AccessControl {
            get throws {
                switch self {
                case .enrollment: try Cast.control(.biometryCurrentSet)
                case .passcodeRemoved, .passcodeSetAnew: AccessControl(.whenPasscodeSetThisDeviceOnly)
                }
            }
        }

        func happen(to keychain: Keychain) throws {
            switch self {
            case .enrollment: #expect(try keychain.enroll("left thumb").refusal == nil)
            case .passcodeRemoved: try keychain.removePasscode(SecureBytes("1234"))
            case .passcodeSetAnew:
                try keychain.removePasscode(SecureBytes("1234"))
                try keychain.setPasscode(SecureBytes("5678"))
            }
        }
    }

    /// A device on which the item `lost` is invalidated and the item `kept` is not.
    private func after(_ loss: Loss, _ user: any DeviceUser = Cast.owner) throws -> (
        keychain: Keychain, lost: ItemIdentifier
    ) {
        let keychain = try Keychain.simulated(Cast.device(), user: user)
        let lost = try keychain.store(Cast.password("lost", ["labl": .string("x")], loss.control), "lost")
        try keychain.store(Cast.password("kept", ["labl": .string("x")]), "kept")
        try loss.happen(to: keychain)
        return (keychain, lost)
    }

    @Test(arguments: Loss.allCases)
    func aSearchPassesOverItAndItIsGone(_ loss: Loss) throws {
        let user = Remembering(Cast.owner)
        let (keychain, lost) = try after(loss, user)
        for wanted in [[], .data, .attributes, .reference] as [ItemQuery.Parts] {
            var query = Cast.passwords(["labl": .string("x")])
            query.wanted = wanted
            #expect(try keychain.find(query).count == 1)
            query.limit = .one
            #expect(try keychain.find(query).count == 1)
            query.attributes = Cast.account("lost")
            #expect(try code { _ = try keychain.find(query) } == -25300)
            #expect(try code { _ = try keychain.find(query, interaction: .fail) } == -25300)
        }
        // It is no longer invalidated: it is gone.
        #expect(try rule { _ = try keychain.find(ItemQuery(lost)) } == "item.not-found")
        #expect(try rule { try keychain.delete(ItemQuery(lost)) } == "item.not-found")
        #expect(user.kinds == [])
        try keychain.store(Cast.password("lost"), "anew")
        #expect(try keychain.secrets(Cast.passwords()) == ["anew", "kept"])
    }

    @Test(arguments: Loss.allCases)
    func anAddReplacesIt(_ loss: Loss) throws {
        let user = Remembering(Cast.owner)
        let (keychain, lost) = try after(loss, user)
        let anew = try keychain.store(Cast.password("lost"), "anew", interaction: .fail)
        #expect(anew != lost)
        #expect(try keychain.secrets(Cast.passwords()) == ["anew", "kept"])
        #expect(try code { _ = try keychain.find(ItemQuery(lost)) } == -25300)
        #expect(try code { try keychain.store(Cast.password("lost")) } == -25299)
        #expect(user.kinds == [])
    }

    @Test(arguments: Loss.allCases)
    func anUpdatePassesOverItAndADeleteRemovesIt(_ loss: Loss) throws {
        let user = Remembering(Cast.owner)
        let (keychain, lost) = try after(loss, user)
        let changes = ItemChanges(merging: ["desc": .string("new")])
        #expect(try keychain.update(Cast.each(["labl": .string("x")]), changes).count == 1)
        #expect(try code { try keychain.update(Cast.each(Cast.account("lost")), changes) } == -25300)
        #expect(try rule { _ = try keychain.find(ItemQuery(lost)) } == "item.not-found")
        let other = try after(loss, user)
        #expect(try other.keychain.delete(ItemQuery(other.lost)).count == 1)
        #expect(try code { try other.keychain.delete(ItemQuery(other.lost)) } == -25300)
        #expect(try other.keychain.secrets(Cast.passwords()) == ["kept"])
        #expect(user.kinds == [])
    }

    /// Attributes without a column are compared if the item can be opened. An invalidated item matches none.
    @Test(arguments: Loss.allCases)
    func itIsNotInTheWayOfASearch(_ loss: Loss) throws {
        let (keychain, _) = try after(loss)
        try keychain.update(Cast.each(Cast.account("kept")), ItemChanges(merging: ["invi": .number(1)]))
        #expect(try keychain.accounts(Cast.passwords(["invi": .number(1)])) == ["kept"])
        #expect(try keychain.accounts(Cast.passwords(["invi": .number(0)])) == [])
    }

    /// Changing the passcode, unlike removing it, destroys no item.
    @Test func aChangedPasscodeKeepsEverything() throws {
        let keychain = try Keychain.simulated()
        let control = AccessControl(.whenPasscodeSetThisDeviceOnly)
        try keychain.store(Cast.password("x", [:], control), "kept")
        try keychain.changePasscode(from: SecureBytes("1234"), to: SecureBytes("5678"))
        #expect(try keychain.secrets(Cast.each()) == ["kept"])
    }

    /// Semantics 10: the answer to reading an item after its set has changed, with and without biometry on the device.
    @Test(arguments: [
        (Fidelity.ChangedSet.notFoundWhileBiometryExists, -25300 as Int32, -25293 as Int32),
        (.notFound, -25300, -25300), (.authFailed, -25293, -25293),
    ])
    func whatAChangedSetIsTo(_ settled: Fidelity.ChangedSet, _ changed: Int32, _ nobody: Int32) throws {
        for isEmpty in [false, true] {
            let keychain = try Keychain.simulated(Cast.device { $0.changedSet = settled })
            try keychain.store(Cast.password("x", [:], try Cast.control(.biometryCurrentSet)))
            if isEmpty {
                #expect(try keychain.removeEnrolled("right index").refusal == nil)
            } else {
                #expect(try keychain.enroll("left thumb").refusal == nil)
            }
            let expected = isEmpty ? nobody : changed
            let query = Cast.each(Cast.account("x"))
            #expect(try code { _ = try keychain.find(query) } == expected)
            #expect(try code { _ = try keychain.find(query, interaction: .fail) } == expected)
            #expect(try code { try keychain.update(query) } == expected)
            // Whatever the answer is, the item is invalidated and makes room for a new one.
            try keychain.store(Cast.password("x"), "anew")
            #expect(try keychain.secrets(query) == ["anew"])
        }
    }
}
