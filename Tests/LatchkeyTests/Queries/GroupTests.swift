import AccessPolicy
import Latchkey
import SecretVault
import SodiumKit
import Testing

/// Semantics 3.10, and the rows of 3.4 and 3.5 about access groups.
@Suite struct GroupTests {
    /// A device with an item in `first`, one in `second` and one in `other`, each named after its group.
    private func filled() throws -> (keychain: Keychain, other: ItemIdentifier) {
        let keychain = try Keychain.simulated(requester: Cast.twoGroups)
        try keychain.store(Cast.password("first"))
        var second = Cast.password("second")
        second.group = "second"
        try keychain.store(second)
        return (keychain, try keychain.store(Cast.password("other"), by: Cast.otherGroup))
    }

    @Test func allGroupsOfTheCallerAreSearched() throws {
        let keychain = try filled().keychain
        #expect(try keychain.accounts(Cast.passwords()) == ["first", "second"])
        #expect(try keychain.accounts(Cast.passwords(), by: Cast.otherGroup) == ["other"])
        #expect(try keychain.accounts(Cast.passwords(group: "second")) == ["second"])
        #expect(try keychain.update(Cast.each(), ItemChanges(merging: ["labl": .string("x")])).count == 2)
        #expect(try keychain.accounts(Cast.passwords(["labl": .string("x")]), by: Cast.otherGroup) == [])
    }

    /// An item in another group is not found, unless the query names the group: then the entitlement is missing.
    @Test func anotherGroupIsHiddenUnlessNamed() throws {
        let (keychain, other) = try filled()
        let hidden = [Cast.each(Cast.account("other")), ItemQuery(other)]
        for query in hidden {
            #expect(try code { _ = try keychain.find(query) } == -25300)
            #expect(try code { try keychain.update(query) } == -25300)
            #expect(try code { try keychain.delete(query) } == -25300)
        }
        // The answer is the same if the search would find nothing.
        for account in ["other", "nothing"] {
            let named = Cast.each(Cast.account(account), group: "other")
            #expect(try code { _ = try keychain.find(named) } == -34018)
            #expect(try code { try keychain.update(named) } == -34018)
            #expect(try code { try keychain.delete(named) } == -34018)
        }
        var item = Cast.password("x")
        item.group = "other"
        #expect(try code { try keychain.store(item) } == -34018)
        #expect(try code { try keychain.update(Cast.each(), ItemChanges(group: "other")) } == -34018)
        #expect(try keychain.accounts(Cast.passwords()) == ["first", "second"])
        #expect(try keychain.accounts(Cast.passwords(), by: Cast.otherGroup) == ["other"])
    }

    /// A caller without any group.
    @Test func whoHasNoGroupHasNothing() throws {
        let (keychain, other) = try filled()
        for query in [Cast.each(), Cast.each(group: "first"), ItemQuery(other)] {
            #expect(try code { _ = try keychain.find(query, by: Cast.noGroup) } == -34018)
            #expect(try code { try keychain.update(query, by: Cast.noGroup) } == -34018)
            #expect(try code { try keychain.delete(query, by: Cast.noGroup) } == -34018)
        }
        #expect(try code { try keychain.store(Cast.password("x"), by: Cast.noGroup) } == -34018)
        var item = Cast.password("x")
        item.group = "first"
        #expect(try code { try keychain.store(item, by: Cast.noGroup) } == -34018)
    }

    /// com.apple.token: every caller may read it by name. It is no caller's default, and accepts no writes.
    @Test(arguments: [["first"], ["com.apple.token", "first"], ["first", "com.apple.token"]])
    func theGroupOfTokensIsReadOnly(_ groups: [String]) throws {
        let keychain = try Keychain.simulated(requester: Requester("app", groups: groups))
        let id = try keychain.store(Cast.password("x"))
        #expect(try keychain.stored(id).description.group == "first")
        #expect(try keychain.attributes(keychain.reference(.genericPassword, Cast.account("x"))).id == id)
        var item = Cast.password("y")
        item.group = "com.apple.token"
        #expect(try rule { try keychain.store(item) } == "group.token-read-only")
        #expect(try code { try keychain.store(item) } == -34018)
        let named = Cast.each(group: "com.apple.token")
        #expect(try code { _ = try keychain.find(named) } == -25300)
        #expect(try code { try keychain.update(named) } == -34018)
        #expect(try code { try keychain.delete(named) } == -34018)
        #expect(try code { try keychain.update(Cast.each(), ItemChanges(group: "com.apple.token")) } == -34018)
        #expect(try keychain.accounts(Cast.passwords()) == ["x"])
        #expect(try code { _ = try keychain.find(Cast.each(Cast.account("y"))) } == -25300)
    }

    /// A caller that has only the group of tokens has no group to store in.
    @Test func tokensAloneAreNoPlaceToStore() throws {
        let keychain = try Keychain.simulated(requester: Requester("app", groups: ["com.apple.token"]))
        #expect(try code { try keychain.store(Cast.password("x")) } == -34018)
        #expect(try code { _ = try keychain.find(Cast.each()) } == -25300)
    }

    /// Groups are compared by their bytes, even if their texts look the same.
    @Test func groupsThatLookTheSameAreTwo() throws {
        let keychain = try Keychain.simulated()
        let composed = Requester("composed", groups: ["caf\u{E9}"])
        let decomposed = Requester("decomposed", groups: ["cafe\u{301}"])
        let id = try keychain.store(Cast.password("x"), by: composed)
        #expect(try code { _ = try keychain.find(ItemQuery(id), by: decomposed) } == -25300)
        #expect(try keychain.accounts(Cast.passwords(), by: decomposed) == [])
        #expect(try keychain.accounts(Cast.passwords(), by: composed) == ["x"])
        #expect(try keychain.accounts(ItemQuery(id), by: composed) == ["x"])
    }

    /// The first thirty groups count. The others are treated as another caller's.
    @Test func noMoreThanThirtyGroupsCount() throws {
        let keychain = try Keychain.simulated()
        let many = Requester("many", groups: (0..<31).map { "group \($0)" })
        for number in [0, 29, 30] {
            try keychain.store(Cast.password("\(number)"), by: Requester("one", groups: ["group \(number)"]))
        }
        #expect(try keychain.accounts(Cast.passwords(), by: many) == ["0", "29"])
        #expect(try code { _ = try keychain.find(Cast.each(group: "group 30"), by: many) } == -34018)
        #expect(try keychain.delete(Cast.each(), by: many).count == 2)
        #expect(try keychain.accounts(Cast.passwords(), by: Requester("one", groups: ["group 30"])) == ["30"])
    }
}

/// Semantics 3.11: persistent references.
@Suite struct ReferenceTests {
    @Test func aReferenceSurvivesEveryChange() throws {
        let keychain = try Keychain.simulated(requester: Cast.twoGroups)
        let id = try keychain.store(Cast.password("x"))
        for changes in [
            ItemChanges(merging: Cast.account("y")), ItemChanges(control: AccessControl(.afterFirstUnlock)),
            ItemChanges(group: "second"), ItemChanges(isSynchronizable: true), ItemChanges(),
        ] {
            #expect(try keychain.update(ItemQuery(id), changes, secret: .replace(SecureBytes("new"))) == [id])
            #expect(try keychain.secrets(ItemQuery(id)) == ["new"])
        }
        #expect(try keychain.accounts(ItemQuery(id)) == ["y"])
        try keychain.delete(ItemQuery(id))
        #expect(try code { _ = try keychain.find(ItemQuery(id)) } == -25300)
        // The same item, added again, has another reference.
        #expect(try keychain.store(Cast.password("y")) != id)
        #expect(try code { _ = try keychain.find(ItemQuery(id)) } == -25300)
    }

    /// A reference to a missing row is not found, no matter which app made it up.
    @Test func aReferenceThatIsNobodys() throws {
        let keychain = try Keychain.simulated()
        try keychain.store(Cast.password("x"))
        let id = try #require(ItemIdentifier(bytes: Array(0..<16)))
        #expect(try code { _ = try keychain.find(ItemQuery(id)) } == -25300)
        #expect(try code { try keychain.update(ItemQuery(id)) } == -25300)
        #expect(try code { try keychain.delete(ItemQuery(id)) } == -25300)
    }
}

/// Semantics 3.12: synchronizable items are changed and deleted only by a query that asks for them.
@Suite struct SynchronizableTests {
    @Test func whatTravelsIsMeantOnlyWhereItIsSaid() throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(Cast.synchronizable("x"), "traveling")
        let label = ItemChanges(merging: ["labl": .string("new")])
        #expect(try code { _ = try keychain.find(Cast.each()) } == -25300)
        #expect(try code { try keychain.update(Cast.each(), label) } == -25300)
        #expect(try code { try keychain.delete(Cast.each()) } == -25300)
        try keychain.store(Cast.password("x"), "local")
        for synchronizable in [ItemQuery.Synchronizable.yes, .either] {
            var query = Cast.each(Cast.account("x"))
            query.synchronizable = synchronizable
            #expect(try keychain.update(query, label).count == (synchronizable == .yes ? 1 : 2))
        }
        // A change would give two of them the same key.
        #expect(try code { try keychain.update(ItemQuery(id), ItemChanges(isSynchronizable: false)) } == -25299)
        var all = Cast.each()
        all.synchronizable = .either
        #expect(try keychain.delete(all).count == 2)
    }
}
