import AccessPolicy
import Latchkey
import SecretVault
import SodiumKit
import Testing

/// Semantics 3.1 and 3.4: the requests that make sense, and the conversion of their values.
@Suite struct RequestTests {
    /// An attribute that the class does not have: add, search, update and delete.
    @Test(arguments: [
        (ItemClass.certificate, "atag"), (.genericPassword, "srvr"), (.genericPassword, "port"),
        (.internetPassword, "svce"), (.internetPassword, "gena"), (.key, "acct"), (.certificate, "acct"),
        (.genericPassword, "none"), (.genericPassword, "agrp"), (.genericPassword, "ACCT"), (.identity, "svce"),
    ])
    func anAttributeOfAnotherClassIsNone(_ itemClass: ItemClass, _ name: String) throws {
        let keychain = try Keychain.simulated()
        let attributes: Attributes = [name: .string("x")]
        let id = try keychain.store(NewItem(itemClass, [:]))
        let query = ItemQuery(itemClass, attributes)
        let merging = ItemChanges(merging: attributes)
        let anew = ItemChanges(attributes: attributes)
        #expect(try code { try keychain.store(NewItem(itemClass, attributes)) } == -25303)
        #expect(try code { _ = try keychain.find(query) } == -25303)
        #expect(try code { try keychain.update(query) } == -25303)
        #expect(try code { try keychain.delete(query) } == -25303)
        for changes in [merging, anew] {
            #expect(try code { try keychain.update(ItemQuery(itemClass), changes) } == -25303)
            #expect(try code { try keychain.update(ItemQuery(id), changes) } == -25303)
            #expect(try code { try keychain.update(.id(id), changes) } == -25303)
        }
        #expect(try keychain.find(ItemQuery(itemClass)).map(\.id) == [id])
    }

    struct Conversion: Sendable {
        let itemClass: ItemClass
        let name: String
        let given: AttributeValue
        /// The stored value; nil if the request is refused.
        let stored: AttributeValue?

        init(_ itemClass: ItemClass, _ name: String, _ given: AttributeValue, _ stored: AttributeValue?) {
            (self.itemClass, self.name, self.given, self.stored) = (itemClass, name, given, stored)
        }
    }

    static let conversions = [
        // Numbers accept numbers and texts. A numeric text becomes a number, and any other stays a text.
        Conversion(.genericPassword, "invi", .number(1), .number(1)),
        Conversion(.genericPassword, "invi", .string("1"), .number(1)),
        Conversion(.genericPassword, "type", .string("-17"), .number(-17)),
        Conversion(.genericPassword, "type", .string("note"), .string("note")),
        Conversion(.genericPassword, "crtr", .string(""), .string("")),
        Conversion(.genericPassword, "crtr", .data([1]), nil),
        Conversion(.genericPassword, "crtr", .date(1), nil),
        Conversion(.internetPassword, "port", .string("443"), .number(443)),
        Conversion(.internetPassword, "ptcl", .string("http"), .string("http")),
        // Dates accept dates.
        Conversion(.key, "sdat", .date(7.5), .date(7.5)),
        Conversion(.key, "sdat", .number(7), nil),
        Conversion(.key, "edat", .string("7"), nil),
        Conversion(.genericPassword, "cdat", .number(7), nil),
        // Data accepts data, texts as their bytes, and numbers as theirs, lowest byte first.
        Conversion(.certificate, "issr", .data([1, 2]), .data([1, 2])),
        Conversion(.certificate, "slnr", .string("é"), .data([0xC3, 0xA9])),
        Conversion(.certificate, "subj", .date(1), nil),
        Conversion(.key, "klbl", .number(3), .data([3, 0, 0, 0])),
        // Blobs keep the type of their value.
        Conversion(.genericPassword, "acct", .string("x"), .string("x")),
        Conversion(.genericPassword, "acct", .data([0, 255]), .data([0, 255])),
        Conversion(.genericPassword, "gena", .number(9), .number(9)),
        Conversion(.genericPassword, "labl", .string("9"), .string("9")),
        Conversion(.genericPassword, "labl", .date(9), nil),
        // Strings accept texts and their UTF-8 bytes.
        Conversion(.genericPassword, "vwht", .string("x"), .string("x")),
        Conversion(.genericPassword, "vwht", .data([0x78]), .string("x")),
        Conversion(.genericPassword, "tkid", .data([0xFF]), nil),
        Conversion(.genericPassword, "tkid", .number(1), nil),
    ]

    @Test(arguments: conversions)
    func aValueBecomesWhatItsAttributeHolds(_ row: Conversion) throws {
        let keychain = try Keychain.simulated()
        let attributes: Attributes = [row.name: row.given]
        guard let expected = row.stored else {
            #expect(try code { try keychain.store(NewItem(row.itemClass, attributes)) } == -50)
            #expect(try code { _ = try keychain.find(ItemQuery(row.itemClass, attributes)) } == -50)
            let id = try keychain.store(NewItem(row.itemClass, [:]))
            #expect(try code { try keychain.update(ItemQuery(id), ItemChanges(merging: attributes)) } == -50)
            #expect(try code { try keychain.update(.id(id), ItemChanges(merging: attributes)) } == -50)
            return
        }
        let id = try keychain.store(NewItem(row.itemClass, attributes))
        #expect(try keychain.stored(id).description.attributes[row.name] == expected)
        // The given value and the stored value both find the item, and both change it.
        #expect(try keychain.find(ItemQuery(row.itemClass, attributes)).map(\.id) == [id])
        #expect(try keychain.find(ItemQuery(row.itemClass, [row.name: expected])).map(\.id) == [id])
        try keychain.delete(ItemQuery(id))
        for change in 0..<3 {
            let id = try keychain.store(NewItem(row.itemClass, [:]))
            switch change {
            case 0: try keychain.update(ItemQuery(id), ItemChanges(merging: attributes))
            case 1: try keychain.update(.id(id), ItemChanges(merging: attributes))
            default: try keychain.update(ItemQuery(id), ItemChanges(attributes: attributes))
            }
            #expect(try keychain.stored(id).description.attributes[row.name] == expected)
            try keychain.delete(.id(id))
        }
    }

    @Test func whatIsNotSaidEnoughIsRefused() throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(Cast.password("x"))
        // There is neither a class nor a reference that implies one.
        var nothing = Cast.each()
        nothing.itemClass = nil
        #expect(try code { _ = try keychain.find(nothing) } == -50)
        #expect(try code { try keychain.update(nothing) } == -50)
        #expect(try code { try keychain.delete(nothing) } == -50)
        // The class and the reference disagree.
        var other = ItemQuery(id)
        other.itemClass = .internetPassword
        #expect(try code { _ = try keychain.find(other) } == -25306)
        #expect(try code { try keychain.update(other) } == -25306)
        #expect(try code { try keychain.delete(other) } == -25306)
        other.itemClass = .genericPassword
        #expect(try code { _ = try keychain.find(other) } == 0)
        // Semantics 3.6, 3.7, 3.11: a reference identifies its item by itself.
        for more in [
            { $0.attributes = Cast.account("x") }, { $0.group = "com.example.app" }, { $0.accessible = .whenUnlocked },
            { $0.synchronizable = .either },
        ] as [(inout ItemQuery) -> Void] {
            var query = ItemQuery(id)
            more(&query)
            #expect(try code { _ = try keychain.find(query) } == -50)
            #expect(try code { try keychain.update(query) } == -50)
            #expect(try code { try keychain.delete(query) } == -50)
        }
        #expect(try keychain.accounts(Cast.passwords()) == ["x"])
    }

    /// `kSecMatchLimit` limits a search. An update or a deletion takes none.
    @Test(arguments: [ItemQuery.Limit.one, .upTo(1), .upTo(2), .all, .upTo(0), .upTo(-1), .upTo(-2)])
    func limits(_ limit: ItemQuery.Limit) throws {
        let keychain = try Keychain.simulated()
        for account in ["a", "b", "c"] { try keychain.store(Cast.password(account)) }
        var query = Cast.each()
        query.limit = limit
        #expect(try code { try keychain.update(query) } == -50)
        #expect(try code { try keychain.delete(query) } == -50)
        switch limit {
        case .one: #expect(try keychain.find(query).count == 1)
        case .all: #expect(try keychain.find(query).count == 3)
        case .upTo(0): #expect(try code { _ = try keychain.find(query) } == -25300)
        case .upTo(-1): #expect(try keychain.find(query).count == 3)
        case .upTo(let count): #expect(try keychain.find(query).count == max(count, 1))
        }
        // A search without matches returns an error, not an empty list.
        query.attributes = Cast.account("d")
        #expect(try code { _ = try keychain.find(query) } == -25300)
    }

    /// kSecUseAuthenticationUISkip in add, update and delete.
    @Test func nothingIsSkippedWhereSomethingChanges() throws {
        let keychain = try Keychain.simulated()
        #expect(try code { try keychain.store(Cast.password("x"), interaction: .skip) } == -50)
        try keychain.store(Cast.password("x"))
        #expect(try code { try keychain.update(Cast.each(), interaction: .skip) } == -50)
        #expect(try code { try keychain.update(Cast.each(Cast.account("y")), interaction: .skip) } == -50)
        #expect(try keychain.accounts(Cast.passwords(), interaction: .skip) == ["x"])
    }

    /// kSecAttrAccessible in a search is a filter.
    @Test func accessibilityFilters() throws {
        let keychain = try Keychain.simulated()
        for protection in Accessibility.allCases {
            try keychain.store(Cast.password(protection.rawValue, [:], AccessControl(protection)))
        }
        try keychain.store(Cast.password("protected", [:], try Cast.control(.userPresence, .whenUnlocked)))
        for protection in Accessibility.allCases {
            var query = Cast.passwords()
            query.accessible = protection
            let expected = protection == .whenUnlocked ? ["ak", "protected"] : [protection.rawValue]
            #expect(try keychain.accounts(query) == expected)
        }
    }
}
