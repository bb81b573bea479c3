import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Semantics 3.8: the results of a search.
@Suite struct FindTests {
    @Test func eachGivesWhatWasWanted() throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(Cast.password("x", ["labl": .string("name")]))
        for wanted in [
            [], .data, .attributes, .reference, [.data, .attributes], [.data, .reference], [.attributes, .reference],
            [.data, .attributes, .reference],
        ] as [ItemQuery.Parts] {
            for query in [ItemQuery(.genericPassword, wanted: wanted), ItemQuery(id, wanted: wanted)] {
                let found = try keychain.find(query)
                #expect(found.map(\.id) == [id])
                #expect(found.map(\.itemClass) == [.genericPassword])
                #expect((found.first?.secret?.bytes.text() == "secret") == wanted.contains(.data))
                #expect((found.first?.secret == nil) == !wanted.contains(.data))
                #expect((found.first?.stored == nil) == !wanted.contains(.attributes))
            }
        }
    }

    /// The returned attributes, with the class, are a query that finds the item again.
    @Test func whatIsKnownOfAnItemFindsIt() throws {
        let keychain = try Keychain.simulated()
        let everything: Attributes = [
            "svce": .data([0, 1, 255]), "labl": .string("é"), "gena": .data([1]), "desc": .string(""),
            "icmt": .number(3),
            "type": .number(-1), "crtr": .number(.max), "invi": .number(1), "nega": .number(0), "scrp": .string("text"),
            "cusi": .number(1), "alis": .data([7]), "prot": .string("p"), "vwht": .string("view"),
        ]
        for account in ["a", "b"] { try keychain.store(Cast.password(account, everything)) }
        for entry in try keychain.find(Cast.passwords()) {
            let stored = try #require(entry.stored)
            var query = ItemQuery(.genericPassword, stored.description.attributes, group: stored.description.group)
            query.attributes["cdat"] = .date(stored.created)
            query.attributes["mdat"] = .date(stored.modified)
            query.accessible = stored.description.control.protection
            query.limit = .all
            #expect(try keychain.find(query).map(\.id) == [entry.id])
        }
    }

    /// Matching is exact, case-sensitive and byte by byte, for attributes with and without a column.
    @Test(arguments: ["acct", "labl", "gena", "icmt", "alis", "prot"])
    func attributesAreComparedByteByByte(_ name: String) throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(NewItem(.genericPassword, [name: .string("Café%_*")]))
        let same: [AttributeValue] = [.string("Café%_*"), .data(Array("Café%_*".utf8))]
        for value in same { #expect(try keychain.find(ItemQuery(.genericPassword, [name: value])).map(\.id) == [id]) }
        for text in ["café%_*", "CAFÉ%_*", "Cafe\u{301}%_*", "Café", "Café%_* ", "%", "*", ""] {
            #expect(try code { _ = try keychain.find(ItemQuery(.genericPassword, [name: .string(text)])) } == -25300)
        }
    }

    /// Attributes without a column are compared as well, without a prompt.
    @Test(arguments: ["invi", "nega", "scrp", "cusi", "type", "crtr"])
    func everyAttributeIsMatched(_ name: String) throws {
        let user = Remembering(NoUser())
        let keychain = try Keychain.simulated(user: user)
        try keychain.store(Cast.password("one", [name: .number(1)]))
        try keychain.store(Cast.password("two", [name: .number(2)], try Cast.control(.biometryAny)))
        try keychain.store(Cast.password("none", [:], try Cast.control(.biometryAny)))
        #expect(try keychain.accounts(Cast.passwords([name: .number(1)])) == ["one"])
        #expect(try keychain.accounts(Cast.passwords([name: .string("1")])) == ["one"])
        #expect(try keychain.accounts(Cast.passwords([name: .number(3)])) == [])
        #expect(try keychain.accounts(Cast.passwords([name: .number(1), "acct": .string("none")])) == [])
        #expect(user.kinds == [])
        #expect(try code { _ = try keychain.find(Cast.passwords([name: .number(2)])) } == -128)
        #expect(user.kinds == [.biometry])
    }

    /// The data of several passwords: the data-protection keychain returns it, the file keychain refuses.
    @Test(arguments: Fidelity.DataOfSeveral.allCases)
    func dataOfSeveral(_ settled: Fidelity.DataOfSeveral) throws {
        let keychain = try Keychain.simulated(Cast.device { $0.dataOfSeveral = settled })
        for account in ["a", "b"] {
            try keychain.store(Cast.password(account), account)
            try keychain.store(NewItem(.internetPassword, Cast.account(account)), account)
            try keychain.store(NewItem(.certificate, ["labl": .string(account), "slnr": .string(account)]), account)
        }
        for itemClass in [ItemClass.genericPassword, .internetPassword, .certificate] {
            var query = ItemQuery(itemClass, wanted: .data)
            #expect(try keychain.find(query).count == 1)
            for limit in [ItemQuery.Limit.all, .upTo(2)] {
                query.limit = limit
                if settled == .given || itemClass == .certificate {
                    #expect(try keychain.secrets(query) == ["a", "b"])
                } else {
                    #expect(try code { _ = try keychain.find(query) } == -50)
                }
            }
            query.wanted = .attributes
            #expect(try keychain.find(query).count == 2)
        }
    }

    /// One item takes one authentication: its secret and its attributes are read in the same context.
    @Test(arguments: [ItemQuery.Parts.data, .attributes, .reference, [], [.data, .attributes]])
    func oneItemIsAskedForOnce(_ wanted: ItemQuery.Parts) throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user)
        let id = try keychain.store(Cast.password("x", [:], try Cast.control(.biometryAny)))
        #expect(try keychain.find(ItemQuery(.genericPassword, wanted: wanted)).count == 1)
        #expect(user.kinds == [.biometry])
        #expect(try keychain.find(ItemQuery(id, wanted: wanted)).count == 1)
        #expect(user.kinds == [.biometry, .biometry])
    }

    /// Several protected items are opened in one context, so each factor is asked for once.
    @Test func severalItemsAreProvedInOneContext() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user)
        for account in ["a", "b", "c"] {
            try keychain.store(Cast.password(account, [:], try Cast.control(.biometryAny)), account)
        }
        try keychain.store(Cast.password("d"), "d")
        var query = Cast.passwords()
        query.wanted = [.data, .attributes]
        #expect(try keychain.find(query).count == 4)
        #expect(user.kinds == [.biometry])
        for account in ["e", "f"] {
            try keychain.store(Cast.password(account, [:], try Cast.control(.devicePasscode)), account)
        }
        #expect(try keychain.secrets(query) == ["a", "b", "c", "d", "e", "f"])
        #expect(user.kinds.count == 3)
        #expect(Set(user.kinds.suffix(2)) == [.biometry, .passcode])
        // Authentication for one call does not count for the next, unless both use the caller's context.
        let context = try keychain.makeContext()
        _ = try keychain.secrets(query, in: context)
        #expect(user.kinds.count == 5)
        _ = try keychain.secrets(query, in: context, interaction: .fail)
        #expect(user.kinds.count == 5)
        // Canceling one of the prompts returns no item.
        keychain.user = SimulatedPerson(fingers: ["right index"])
        #expect(try code { _ = try keychain.find(query) } == -128)
    }

    /// Semantics 4.4: Skip leaves protected items out, and Fail returns -25308 for them.
    @Test func skippingAndFailing() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user)
        try keychain.store(Cast.password("a"))
        try keychain.store(Cast.password("b", [:], try Cast.control(.biometryAny)))
        #expect(try keychain.accounts(Cast.passwords(), interaction: .skip) == ["a"])
        #expect(try code { _ = try keychain.find(Cast.passwords(), interaction: .fail) } == -25308)
        let protected = Cast.each(Cast.account("b"))
        #expect(try code { _ = try keychain.find(protected, interaction: .skip) } == -25300)
        #expect(try code { _ = try keychain.find(protected, interaction: .fail) } == -25308)
        #expect(try code { _ = try keychain.find(Cast.each(Cast.account("c")), interaction: .fail) } == -25300)
        #expect(try code { _ = try keychain.find(Cast.each(Cast.account("a")), interaction: .fail) } == 0)
        // A context that forbids prompts, and one that is authenticated already.
        let context = try keychain.makeContext()
        try context.evaluate(.biometry)
        var words = context.words
        words.forbidsInteraction = true
        context.words = words
        #expect(try code { _ = try keychain.find(protected, in: context) } == 0)
        let other = try keychain.makeContext(words)
        #expect(try code { _ = try keychain.find(protected, in: other) } == -25308)
        #expect(user.kinds == [.biometry])
    }
}
