import AccessPolicy
import Latchkey
import SecretVault
import SodiumKit
import Testing

/// Semantics 3.3: the defaults.
@Suite struct DefaultsTests {
    @Test(arguments: [
        (ItemClass.genericPassword, "com.example", Accessibility.whenUnlocked),
        (.internetPassword, "com.example", .whenUnlocked), (.key, "com.example", .whenUnlocked),
        (.certificate, "com.example", .always),
        (.genericPassword, "com.apple.apsd", .alwaysThisDeviceOnly),
        (.certificate, "com.apple.apsd", .alwaysThisDeviceOnly),
    ])
    func accessibilityIsByClass(_ itemClass: ItemClass, _ group: String, _ expected: Accessibility) throws {
        let keychain = try Keychain.simulated(requester: Requester("app", groups: [group]))
        let id = try keychain.store(NewItem(itemClass, [:]))
        #expect(try keychain.stored(id).description.control == AccessControl(expected))
    }

    @Test func theGroupIsTheFirstOfTheCallers() throws {
        let keychain = try Keychain.simulated(requester: Cast.twoGroups)
        let id = try keychain.store(Cast.password("x"))
        #expect(try keychain.stored(id).description.group == "first")
        var item = Cast.password("x")
        item.group = "second"
        #expect(try keychain.stored(keychain.store(item)).description.group == "second")
    }

    /// Without `kSecAttrSynchronizable`, an item is local and a search finds local items. With Any, there is no filter.
    @Test func nothingTravelsUnlessSaid() throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(Cast.password("local"))
        let synchronizable = try keychain.store(Cast.synchronizable("traveling"))
        #expect(try !keychain.stored(id).description.isSynchronizable)
        var query = Cast.passwords()
        #expect(try keychain.accounts(query) == ["local"])
        query.synchronizable = .yes
        #expect(try keychain.accounts(query) == ["traveling"])
        query.synchronizable = .either
        #expect(try keychain.accounts(query) == ["local", "traveling"])
        // A reference identifies its item by itself.
        #expect(try keychain.accounts(ItemQuery(synchronizable)) == ["traveling"])
    }

    /// Without `kSecMatchLimit`, a search returns one item, and updates and deletions apply to all.
    @Test func oneIsFoundAndAllAreChanged() throws {
        let keychain = try Keychain.simulated()
        for account in ["a", "b", "c"] { try keychain.store(Cast.password(account)) }
        #expect(try keychain.find(Cast.each()).count == 1)
        #expect(try keychain.update(Cast.each(), ItemChanges(merging: ["labl": .string("new")])).count == 3)
        #expect(try keychain.accounts(Cast.passwords(["labl": .string("new")])) == ["a", "b", "c"])
        #expect(try keychain.delete(Cast.each()).count == 3)
        #expect(try keychain.accounts(Cast.passwords()) == [])
    }

    static let emptyKeys: [(itemClass: ItemClass, attributes: Attributes)] = [
        (.genericPassword, ["acct": .string(""), "svce": .string("")]),
        (
            .internetPassword,
            [
                "acct": .string(""), "sdmn": .string(""), "srvr": .string(""), "atyp": .string(""), "path": .string(""),
                "ptcl": .number(0), "port": .number(0),
            ]
        ),
        (.certificate, ["ctyp": .number(0)]),
        (
            .key,
            [
                "kcls": .number(0), "crtr": .number(0), "type": .number(0), "bsiz": .number(0), "esiz": .number(0),
                "sdat": .date(0), "edat": .date(0),
            ]
        ),
    ]

    @Test(arguments: emptyKeys)
    func whatIsMissingFromTheKeyIsStoredEmpty(_ itemClass: ItemClass, _ expected: Attributes) throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(NewItem(itemClass, [:]))
        // Other missing attributes stay absent.
        #expect(try keychain.stored(id).description.attributes == expected)
        for (name, value) in expected.values {
            #expect(try keychain.find(ItemQuery(itemClass, [name: value])).map(\.id) == [id], "\(name)")
        }
    }

    /// cdat and mdat are the time of the add, whatever the caller sets.
    @Test func anItemIsDatedWhenItIsStored() throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(Cast.password("x", ["cdat": .date(5), "mdat": .date(6)]))
        let stored = try keychain.stored(id)
        #expect(stored.created > 700_000_000)
        #expect(stored.created == stored.modified)
        #expect(stored.description.attributes["cdat"] == nil && stored.description.attributes["mdat"] == nil)
        #expect(try keychain.accounts(Cast.passwords(["cdat": .date(5)])) == [])
        #expect(try keychain.accounts(Cast.passwords(["cdat": .date(stored.created)])) == ["x"])
        #expect(try keychain.accounts(Cast.passwords(["mdat": .date(stored.modified)])) == ["x"])
        #expect(try keychain.accounts(Cast.passwords(["mdat": .date(stored.modified + 1)])) == [])
    }

    /// An update sets mdat to a strictly later time, however fast it is. cdat stays unless the update sets it.
    @Test func aChangeIsLaterThanTheOneBefore() throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(Cast.password("x"))
        var last = try keychain.stored(id)
        let created = last.created
        for _ in 0..<20 {
            try keychain.update(Cast.each())
            let next = try keychain.stored(id)
            #expect(next.modified > last.modified)
            #expect(next.created == created)
            #expect(next.description == last.description)
            last = next
        }
        try keychain.update(Cast.each(), ItemChanges(merging: ["cdat": .date(1234.5), "mdat": .date(1)]))
        let redated = try keychain.stored(id)
        #expect(redated.created == 1234.5)
        #expect(redated.modified > last.modified)
        #expect(redated.description == last.description)
        #expect(try keychain.accounts(Cast.passwords(["cdat": .date(1234.5)])) == ["x"])
        try keychain.update(.id(id), ItemChanges(merging: ["cdat": .date(77)]))
        #expect(try keychain.stored(id).created == 77)
    }
}
