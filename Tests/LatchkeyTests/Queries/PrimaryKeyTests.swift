import AccessPolicy
import Latchkey
import SecretVault
import SodiumKit
import Testing

/// Semantics 3.2: the attributes that tell items apart.
@Suite struct PrimaryKeyTests {
    struct Class: Sendable, CustomTestStringConvertible {
        let itemClass: ItemClass
        /// Attributes that tell items apart, with two values each.
        let primary: [String: (AttributeValue, AttributeValue)]
        /// Attributes that do not.
        let others: [String: (AttributeValue, AttributeValue)]
        var testDescription: String { itemClass.rawValue }
    }

    private static let texts: (AttributeValue, AttributeValue) = (.string("a"), .string("b"))
    private static let bytes: (AttributeValue, AttributeValue) = (.data([1]), .data([2]))
    private static let numbers: (AttributeValue, AttributeValue) = (.number(1), .number(2))
    private static let dates: (AttributeValue, AttributeValue) = (.date(1), .date(2))

    static let classes = [
        Class(
            itemClass: .genericPassword, primary: ["acct": texts, "svce": texts],
            others: [
                "labl": texts, "gena": bytes, "desc": texts, "icmt": texts, "type": numbers, "crtr": numbers,
                "invi": numbers, "nega": numbers, "scrp": numbers, "cusi": numbers, "alis": texts, "prot": texts,
            ]),
        Class(
            itemClass: .internetPassword,
            primary: [
                "acct": texts, "sdmn": texts, "srvr": texts, "ptcl": numbers, "atyp": texts, "port": numbers,
                "path": texts,
            ],
            others: ["labl": texts, "desc": texts, "icmt": texts, "type": numbers, "crtr": numbers, "invi": numbers]),
        Class(
            itemClass: .certificate, primary: ["ctyp": numbers, "issr": bytes, "slnr": bytes],
            others: ["labl": texts, "cenc": numbers, "subj": bytes, "skid": bytes, "pkhh": bytes]),
        Class(
            itemClass: .key,
            primary: [
                "kcls": numbers, "klbl": bytes, "atag": bytes, "crtr": numbers, "type": numbers, "bsiz": numbers,
                "esiz": numbers, "sdat": dates, "edat": dates,
            ],
            others: ["labl": texts, "perm": numbers, "sens": numbers, "extr": numbers, "sign": numbers]),
    ]

    @Test(arguments: classes)
    func onlyAttributesOfTheKeyTellItemsApart(_ table: Class) throws {
        let keychain = try Keychain.simulated()
        let all = table.primary.merging(table.others) { $1 }
        let base = Attributes(all.mapValues(\.0))
        try keychain.store(NewItem(table.itemClass, base))
        #expect(try code { try keychain.store(NewItem(table.itemClass, base)) } == -25299)
        for (name, values) in all {
            var other = base
            other[name] = values.1
            let expected: Int32 = table.primary[name] == nil ? -25299 : 0
            #expect(try code { try keychain.store(NewItem(table.itemClass, other)) } == expected, "\(name)")
        }
        var query = ItemQuery(table.itemClass)
        query.limit = .all
        #expect(try keychain.find(query).count == 1 + table.primary.count)
    }

    @Test func aNumberIsItsFourBytesInAnAttributeOfBytes() throws {
        let keychain = try Keychain.simulated()
        let number: Attributes = ["acct": .number(0x1_0403_0201)]
        try keychain.store(NewItem(.genericPassword, number))
        let bytes: Attributes = ["acct": .data([1, 2, 3, 4])]
        #expect(try code { try keychain.store(NewItem(.genericPassword, bytes)) } == -25299)
        #expect(try keychain.find(ItemQuery(.genericPassword, bytes)).count == 1)
        #expect(try keychain.find(ItemQuery(.genericPassword, ["acct": .string("\u{1}\u{2}\u{3}\u{4}")])).count == 1)
        // A column of numbers keeps all of their bits.
        try keychain.store(NewItem(.genericPassword, ["acct": .string("other"), "type": .number(1)]))
        let large = ItemQuery(.genericPassword, ["type": .number(1 << 32 | 1)])
        #expect(try code { _ = try keychain.find(large) } == -25300)
    }

    @Test(arguments: classes)
    func aMissingAttributeOfTheKeyIsAnEmptyOne(_ table: Class) throws {
        let keychain = try Keychain.simulated()
        let empty = table.primary.mapValues { values -> AttributeValue in
            switch values.0 {
            case .number: .number(0)
            case .date: .date(0)
            case .string, .data: .data([])
            }
        }
        try keychain.store(NewItem(table.itemClass, [:]))
        #expect(try code { try keychain.store(NewItem(table.itemClass, Attributes(empty))) } == -25299)
        for (name, value) in empty {
            var attributes = Attributes(empty)
            attributes[name] = nil
            #expect(try code { try keychain.store(NewItem(table.itemClass, attributes)) } == -25299, "\(name)")
            if case .data = value {
                attributes[name] = .string("")
                #expect(try code { try keychain.store(NewItem(table.itemClass, attributes)) } == -25299, "\(name)")
            }
        }
    }

    /// Accessibility, access control and the secret belong to no key.
    @Test func whatItDemandsTellsNoItemFromAnother() throws {
        let keychain = try Keychain.simulated()
        try keychain.store(Cast.password("x"))
        for protection in Accessibility.allCases {
            let item = Cast.password("x", [:], AccessControl(protection))
            #expect(try code { try keychain.store(item, "another") } == -25299)
        }
        let protected = Cast.password("x", [:], try Cast.control(.userPresence))
        #expect(try code { try keychain.store(protected) } == -25299)
        #expect(try code { try keychain.add(Cast.password("x")) } == -25299)
    }

    /// `sync`, the group and the class belong to the key.
    @Test func whetherItTravelsAndWhoseItIsTellItemsApart() throws {
        let keychain = try Keychain.simulated(requester: Cast.twoGroups)
        try keychain.store(Cast.password("x"), "local")
        try keychain.store(Cast.synchronizable("x"), "traveling")
        var second = Cast.password("x")
        second.group = "second"
        try keychain.store(second, "second")
        try keychain.store(NewItem(.internetPassword, Cast.account("x")))
        #expect(try code { try keychain.store(Cast.synchronizable("x")) } == -25299)
        #expect(try code { try keychain.store(second) } == -25299)
        var query = Cast.passwords(Cast.account("x"))
        #expect(try keychain.secrets(query) == ["local", "second"])
        query.synchronizable = .either
        #expect(try keychain.secrets(query) == ["local", "second", "traveling"])
    }

    /// Semantics 3.1: a String and a Data with the same bytes are equal. Otherwise every byte counts.
    @Test func theKeyIsComparedByteByByte() throws {
        let keychain = try Keychain.simulated()
        try keychain.store(Cast.password("café"))
        let same = NewItem(.genericPassword, ["acct": .data(Array("café".utf8))])
        #expect(try code { try keychain.store(same) } == -25299)
        for other in ["Café", "cafe\u{301}", "café ", "caf", "CAFÉ"] {
            #expect(try code { try keychain.store(Cast.password(other)) } == 0, "\(other)")
        }
        // A number equals neither, even if its digits are the same.
        try keychain.store(Cast.password("7"))
        #expect(try code { try keychain.store(NewItem(.genericPassword, ["acct": .number(7)])) } == 0)
    }

    /// Semantics 3.4: a number attribute accepts its digits as a text.
    @Test func aNumberIsTheSameHoweverItIsWritten() throws {
        let keychain = try Keychain.simulated()
        let id = try keychain.store(NewItem(.internetPassword, ["port": .string("443")]))
        #expect(try code { try keychain.store(NewItem(.internetPassword, ["port": .number(443)])) } == -25299)
        #expect(try keychain.stored(id).description.attributes["port"] == .number(443))
        // A query for the unique attributes finds the item either way.
        let named = keychain.reference(.internetPassword, ["port": .string("443")])
        #expect(try keychain.attributes(named).id == id)
    }
}
