import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Semantics 3.6: updating.
@Suite struct UpdateTests {
    private static func labeled(_ text: String) -> ItemChanges { ItemChanges(merging: ["labl": .string(text)]) }

    @Test func nothingThatMatchesIsNotFound() throws {
        let keychain = try Keychain.simulated()
        #expect(try code { try keychain.update(Cast.each(), Self.labeled("new")) } == -25300)
        let id = try keychain.store(Cast.password("x"))
        #expect(try code { try keychain.update(Cast.each(Cast.account("y")), Self.labeled("new")) } == -25300)
        try keychain.delete(.id(id))
        #expect(try code { try keychain.update(ItemQuery(id), Self.labeled("new")) } == -25300)
    }

    @Test func whatIsNotNamedStays() throws {
        let keychain = try Keychain.simulated()
        let item = Cast.password("x", ["labl": .string("old"), "icmt": .string("stays")])
        let id = try keychain.store(item, "old")
        try keychain.update(Cast.each(), Self.labeled("new"))
        #expect(try keychain.secrets(Cast.each()) == ["old"])
        try keychain.update(Cast.each(), secret: .replace(SecureBytes("new")))
        let attributes = try keychain.stored(id).description.attributes
        #expect(attributes["labl"] == .string("new") && attributes["icmt"] == .string("stays"))
        #expect(attributes["acct"] == .string("x") && attributes["svce"] == .string(""))
        #expect(try keychain.secrets(Cast.each()) == ["new"])
        try keychain.update(Cast.each(), secret: .remove)
        #expect(try keychain.secrets(Cast.each()) == ["nothing"])
        #expect(try keychain.accounts(Cast.passwords(["labl": .string("old")])) == [])
        // All attributes are replaced. Missing attributes of the key become empty.
        try keychain.update(Cast.each(), ItemChanges(attributes: ["desc": .string("only")]))
        let anew = try keychain.stored(id).description.attributes
        #expect(anew == ["desc": .string("only"), "acct": .string(""), "svce": .string("")])
        #expect(try keychain.find(Cast.each(["acct": .string("")])).map(\.id) == [id])
    }

    /// If one of several items cannot be changed, none is.
    @Test func severalAreChangedTogetherOrNotAtAll() throws {
        let keychain = try Keychain.simulated()
        for account in ["a", "b", "c"] { try keychain.store(Cast.password(account), account) }
        let before = try keychain.find(Cast.passwords()).map(\.stored)
        // All of them would get the same key.
        var changes = Self.labeled("new")
        changes.merging["acct"] = .string("same")
        #expect(try code { try keychain.update(Cast.each(), changes, secret: .replace(SecureBytes("new"))) } == -25299)
        // Only the last of them would collide with another item.
        try keychain.store(NewItem.password(account: "c", service: "s"), "in the way")
        changes = ItemChanges(merging: ["svce": .string("s"), "labl": .string("new")])
        #expect(try code { try keychain.update(Cast.each(["svce": .data([])]), changes) } == -25299)
        let after = try keychain.find(Cast.passwords(["svce": .data([])])).map(\.stored)
        #expect(Set(after) == Set(before))
        #expect(try keychain.secrets(Cast.passwords()) == ["a", "b", "c", "in the way"])
        #expect(try keychain.accounts(Cast.passwords(["labl": .string("new")])) == [])
        // Without the colliding item, all of them change.
        try keychain.delete(Cast.each(["svce": .string("s")]))
        #expect(try keychain.update(Cast.each(), changes).count == 3)
        #expect(try keychain.accounts(Cast.passwords(["svce": .string("s")])) == ["a", "b", "c"])
    }

    /// An item that is locked, or whose owner is away, prevents any change.
    @Test func whoCannotOpenOneOfThemChangesNone() throws {
        let user = Remembering(NoUser())
        let keychain = try Keychain.simulated(Cast.device(), user: user)
        for account in ["a", "c"] { try keychain.store(Cast.password(account, [:], AccessControl(.always))) }
        try keychain.store(Cast.password("b", [:], try Cast.control(.biometryAny)))
        #expect(try code { try keychain.update(Cast.each(), Self.labeled("new")) } == -128)
        #expect(try code { try keychain.update(Cast.each(), Self.labeled("new"), interaction: .fail) } == -25308)
        #expect(user.kinds == [.biometry])
        try keychain.lock()
        #expect(try rule { try keychain.update(Cast.each(), Self.labeled("new")) } == "class.locked")
        #expect(user.kinds == [.biometry])
        try keychain.reopen()
        keychain.user = Cast.owner
        #expect(try keychain.accounts(Cast.passwords(["labl": .string("new")])) == [])
        #expect(try keychain.update(Cast.each(), Self.labeled("new")).count == 3)
        #expect(try keychain.accounts(Cast.passwords(["labl": .string("new")])) == ["a", "b", "c"])
    }

    /// kSecReturn* in the query of an update: -50 on iOS, ignored on macOS.
    @Test(arguments: Fidelity.ResultOfUpdate.allCases)
    func aChangeGivesNothingBack(_ settled: Fidelity.ResultOfUpdate) throws {
        let keychain = try Keychain.simulated(Cast.device { $0.resultOfUpdate = settled })
        try keychain.store(Cast.password("x"))
        for wanted in [ItemQuery.Parts.data, .attributes, .reference] {
            var query = Cast.each()
            query.wanted = wanted
            #expect(try code { try keychain.update(query, Self.labeled("new")) } == (settled == .refused ? -50 : 0))
            #expect(try code { try keychain.delete(query) } == 0)  // semantics 3.7: tolerated
            try keychain.store(Cast.password("x"))
        }
    }

    /// A new primary key that belongs to a valid item, and one that belongs to an invalidated item.
    @Test func whatIsInTheWayStaysUnlessItIsLost() throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(Cast.password("x"), "x")
        let lost = try keychain.store(Cast.password("y", [:], try Cast.control(.biometryCurrentSet)), "y")
        let renaming = ItemChanges(merging: Cast.account("y"))
        #expect(try code { try keychain.update(Cast.each(Cast.account("x")), renaming) } == -25299)
        #expect(try keychain.secrets(Cast.each(Cast.account("x"))) == ["x"])
        #expect(try keychain.secrets(Cast.each(Cast.account("y"))) == ["y"])
        #expect(try keychain.enroll("left thumb").refusal == nil)
        #expect(try keychain.update(Cast.each(Cast.account("x")), renaming) == [id])
        #expect(try keychain.secrets(Cast.passwords()) == ["x"])
        #expect(try code { _ = try keychain.find(ItemQuery(lost)) } == -25300)
        #expect(try keychain.accounts(Cast.passwords()) == ["y"])
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changes: ItemChanges
        let expected: @Sendable (ItemDescription) -> Bool
    }

    static let changes: [Change] = [
        Change(testDescription: "kSecAttrAccessible", changes: ItemChanges(control: AccessControl(.afterFirstUnlock))) {
            $0.control == AccessControl(.afterFirstUnlock)
        },
        Change(
            testDescription: "kSecAttrAccessControl",
            changes: ItemChanges(control: try? AccessControl(protection: .whenUnlocked, flags: .userPresence))
        ) {
            $0.control.flags == .userPresence
        },
        Change(testDescription: "kSecAttrAccessGroup", changes: ItemChanges(group: "second")) { $0.group == "second" },
        Change(testDescription: "kSecAttrSynchronizable", changes: ItemChanges(isSynchronizable: true)) {
            $0.isSynchronizable
        },
    ]

    /// The update takes effect, and the reference stays valid. Attributes and class that it does not name stay.
    @Test(arguments: changes)
    func demandGroupAndTravelChange(_ row: Change) throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user, requester: Cast.twoGroups)
        let id = try keychain.store(Cast.password("x", ["labl": .string("x")]), "kept")
        #expect(try keychain.update(Cast.each(), row.changes) == [id])
        let stored = try keychain.stored(id).description
        #expect(row.expected(stored))
        #expect(stored.attributes["labl"] == .string("x") && stored.attributes["acct"] == .string("x"))
        #expect(try keychain.secrets(ItemQuery(id)) == ["kept"])
        let prompts = user.kinds.count
        try keychain.update(ItemQuery(id), Self.labeled("new"))
        #expect(row.expected(try keychain.stored(id).description))
        #expect(user.kinds.count == (stored.control.isProtected ? prompts + 2 : prompts))
    }

    /// Two threads say that an update cannot change the policy.
    @Test func theDemandIsFixedWhereThatIsSettled() throws {
        let keychain = try Keychain.simulated(Cast.device { $0.demandByUpdate = .refused })
        let id = try keychain.store(Cast.password("x"))
        let changes = ItemChanges(control: AccessControl(.afterFirstUnlock))
        #expect(try code { try keychain.update(Cast.each(), changes) } == -50)
        #expect(try code { try keychain.update(.id(id), changes) } == -50)
        #expect(try keychain.stored(id).description.control == AccessControl(.whenUnlocked))
        #expect(try code { try keychain.update(Cast.each(), Self.labeled("new")) } == 0)
    }

    /// An item whose row can never be opened again is not found, and is deleted. The others change.
    @Test func whatIsLostIsPassedOver() throws {
        let keychain = try Keychain.simulated()
        let lost = try keychain.store(Cast.password("lost", [:], try Cast.control(.biometryCurrentSet)))
        try keychain.store(Cast.password("x"))
        #expect(try keychain.enroll("left thumb").refusal == nil)
        #expect(try code { try keychain.update(Cast.each(Cast.account("lost")), Self.labeled("new")) } == -25300)
        #expect(try rule { _ = try keychain.find(ItemQuery(lost)) } == "item.not-found")
        #expect(try keychain.update(Cast.each(), Self.labeled("new")).count == 1)
    }
}
