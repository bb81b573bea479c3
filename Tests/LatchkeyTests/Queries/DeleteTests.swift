import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Semantics 3.7: deleting.
@Suite struct DeleteTests {
    @Test func nothingThatMatchesIsNotFound() throws {
        let keychain = try Keychain.simulated()
        #expect(try code { try keychain.delete(Cast.each()) } == -25300)
        let id = try keychain.store(Cast.password("x"))
        #expect(try code { try keychain.delete(Cast.each(Cast.account("y"))) } == -25300)
        #expect(try code { try keychain.delete(ItemQuery(id)) } == 0)
        #expect(try code { try keychain.delete(ItemQuery(id)) } == -25300)
    }

    /// A query with only a class matches every local item of it in all of the caller's groups, and nothing else.
    @Test func aClassMeansAllLocalItemsOfTheCallers() throws {
        let keychain = try Keychain.simulated(requester: Cast.twoGroups)
        for account in ["a", "b"] { try keychain.store(Cast.password(account)) }
        var second = Cast.password("a")
        second.group = "second"
        try keychain.store(second)
        try keychain.store(Cast.synchronizable("traveling"))
        try keychain.store(Cast.password("other"), by: Cast.otherGroup)
        let internet = try keychain.store(NewItem(.internetPassword, [:]))
        #expect(try keychain.delete(Cast.each()).count == 3)
        var all = Cast.passwords()
        all.synchronizable = .either
        #expect(try keychain.accounts(all) == ["traveling"])
        #expect(try keychain.accounts(all, by: Cast.otherGroup) == ["other"])
        #expect(try keychain.stored(internet).id == internet)
        var synchronizable = Cast.each()
        synchronizable.synchronizable = .yes
        #expect(try keychain.delete(synchronizable).count == 1)
    }

    /// Deleting needs no authentication and no unlocked device.
    @Test(arguments: [AccessControlFlags.userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode])
    func nobodyIsAsked(_ flags: AccessControlFlags) throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(Cast.device(), user: user)
        let control = try Cast.control(flags, .whenPasscodeSetThisDeviceOnly)
        try keychain.store(Cast.password("a", [:], control))
        try keychain.store(Cast.password("b", [:], control))
        #expect(try keychain.delete(Cast.each(Cast.account("a"))).count == 1)
        try keychain.lock()
        #expect(try keychain.delete(Cast.each(Cast.account("b"))).count == 1)
        try keychain.reopen()
        #expect(try keychain.accounts(Cast.passwords()) == [])
        #expect(user.kinds == [])
    }

    /// An item whose class key was destroyed with the passcode is deleted like any other.
    @Test func whatThePasscodeTookAlongIsDeleted() throws {
        let keychain = try Keychain.simulated()
        let control = try Cast.control(.userPresence, .whenPasscodeSetThisDeviceOnly)
        try keychain.store(Cast.password("x", [:], control))
        try keychain.removePasscode(SecureBytes("1234"))
        #expect(try code { try keychain.delete(Cast.each(Cast.account("x"))) } == 0)
        #expect(try code { try keychain.delete(Cast.each(Cast.account("x"))) } == -25300)
    }

    /// The sealed attributes of a locked item cannot be compared, so it is not taken for the one that is meant.
    @Test(arguments: [false, true])
    func whatCannotBeToldApartIsNotDeleted(_ isRestarted: Bool) throws {
        let keychain = try Keychain.simulated(Cast.device())
        try keychain.store(Cast.password("plain"))
        try keychain.store(Cast.password("seen", ["invi": .number(1)], AccessControl(.always)))
        try keychain.store(Cast.password("hidden", ["invi": .number(1)]))
        if isRestarted { try keychain.simulate(.reboot) } else { try keychain.lock() }
        #expect(try code { try keychain.delete(Cast.each(["invi": .number(1)])) } == -25308)
        // Attributes with a column can be compared.
        #expect(try code { try keychain.delete(Cast.each(["labl": .string("none")])) } == -25300)
        #expect(try code { try keychain.delete(Cast.each(["acct": .string("seen"), "invi": .number(1)])) } == 0)
        try keychain.reopen()
        #expect(try keychain.accounts(Cast.passwords()) == ["hidden", "plain"])
        #expect(try keychain.delete(Cast.each(["invi": .number(1)])).count == 1)
        #expect(try keychain.accounts(Cast.passwords()) == ["plain"])
    }

    /// An invalidated item counts as absent, so it does not prevent deleting the others.
    @Test(arguments: [false, true])
    func whatIsLostKeepsNothingFromBeingDeleted(_ hasNewPasscode: Bool) throws {
        let keychain = try Keychain.simulated()
        let control = AccessControl(.whenPasscodeSetThisDeviceOnly)
        try keychain.store(Cast.password("lost", ["invi": .number(1)], control))
        try keychain.store(Cast.password("x", ["invi": .number(1)]))
        try keychain.removePasscode(SecureBytes("1234"))
        if hasNewPasscode { try keychain.setPasscode(SecureBytes("5678")) }
        #expect(try keychain.accounts(Cast.passwords(["invi": .number(1)])) == ["x"])
        #expect(try keychain.delete(Cast.each(["invi": .number(1)])).count == 1)
        #expect(try keychain.accounts(Cast.passwords()) == [])
    }
}
