import Foundation
import Security
import Testing

/// Semantics 3.1: the attributes of each class, and the values that they take.
@Suite struct Section3_01_Attributes {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    private static let passwords = "acct cusi crtr desc icmt invi nega prot scrp type"
    private static let every = "alis labl vwht tkid"
    private static let numbers = Set(
        "crtr type scrp invi nega cusi ptcl port ctyp cenc kcls perm priv modi bsiz esiz sens asen extr next encr decr drve sign vrfy snrc vyrc wrap unwp"
            .split(separator: " ").map(String.init))

    /// One value for each of these attributes, as it comes back.
    private static func values(_ names: [String]) -> [String: Any] {
        var values: [String: Any] = [:]
        for name in names {
            if numbers.contains(name) {
                values[name] = 7
            } else if ["sdat", "edat"].contains(name) {
                values[name] = Date(timeIntervalSinceReferenceDate: 7)
            } else if ["subj", "issr", "slnr", "skid", "pkhh", "klbl"].contains(name) {
                values[name] = Data("v".utf8)
            } else {
                values[name] = "v"
            }
        }
        return values
    }

    /// All attributes of a class are stored and returned.
    private static func has(_ itemClass: String, _ names: String, _ of: String) -> Fact {
        let names = (names + " " + every).split(separator: " ").map(String.init).sorted()
        let expected = names.map { name in "\(name)=\(text(of: values([name])[name]))" }.joined(separator: " ")
        return Fact("\(itemClass) has \(of)", .code, "0; 0 \(expected)") { play in
            let added = play.add([kSecClass: itemClass].with(values(names) as [CFString: Any]))
            var found: CFTypeRef?
            let query: [CFString: Any] = [kSecClass: itemClass].attributes
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            let given = found as? [String: Any] ?? [:]
            return [added, "\(status) " + names.map { "\($0)=\(text(of: given[$0]))" }.joined(separator: " ")]
        }
    }

    /// A value of an attribute, and the value that comes back; nil if it is refused.
    private static func takes(
        _ words: String, _ evidence: Fact.Evidence, _ base: @escaping @Sendable () -> [CFString: Any], _ name: String,
        _ value: @escaping @Sendable () -> Any, _ back: String?
    ) -> Fact {
        Fact(words, evidence, back.map { "0; 0 \(name)=\($0)" } ?? "-50; -25300") { play in
            let added = play.add(base().with([name as CFString: value()]))
            var found: CFTypeRef?
            let status = SecItemCopyMatching(base().attributes as CFDictionary, &found)
            guard status == 0 else { return [added, "\(status)"] }
            return [added, "\(status) \(name)=\(text(of: (found as? [String: Any])?[name]))"]
        }
    }

    private static let sideBlobs =
        "0 binn=nil; ; ; binn bini bin0 bin1 bin2 bin3; binn bini bin0 bin1 bin2 bin3; x; 0; 0 bini=w"

    static let facts: [Fact] = [
        has("genp", passwords + " svce gena", "acct svce gena and what passwords have"),
        has("inet", passwords + " sdmn srvr ptcl atyp port path", "the seven of its key and what passwords have"),
        Fact("inet has secret side blobs, which come with the data only", .test, sideBlobs) { play in
            let names = ["binn", "bini", "bin0", "bin1", "bin2", "bin3"]
            let item = inet(
                "a", Dictionary(uniqueKeysWithValues: names.map { ($0 as CFString, Data("v".utf8) as Any) }))
            func shown(_ query: [CFString: Any]) -> String {
                let given = play.given(query)
                guard let all = given as? [String: Any] ?? (given as? [[String: Any]])?.first else {
                    return text(of: given)
                }
                return names.filter { all[$0] as? Data == Data("v".utf8) }.joined(separator: " ")
            }
            let query = inet("a")
            return [
                play.add(item.holding("x").attributes, showing: "binn"), shown(query.attributes),
                shown(query.attributes.all), shown(query.attributes.data), shown(query.attributes.data.all),
                shown(query.data), play.update(query, ["bini": "w"]), play.copy(query.attributes.data, showing: "bini"),
            ]
        },
        has("cert", "ctyp cenc subj issr slnr skid pkhh", "seven of its own"),
        has(
            "keys",
            "kcls perm priv modi klbl atag crtr type bsiz esiz sdat edat sens asen extr next encr decr drve sign vrfy snrc vyrc wrap unwp",
            "25 of its own"),
        Fact("idnt takes attributes of cert and of keys", .code, "-25300; -25300; -25303") { play in
            let query: [CFString: Any] = [kSecClass: kSecClassIdentity]
            return [
                play.copy(query.with(["issr": Data()])), play.copy(query.with(["atag": Data()])),
                play.copy(query.with(["svce": "s"])),
            ]
        },
        Fact("inet has no svce and no gena", .code, "-25303; -25303") { play in
            [play.add(inet("a", ["svce": "s"])), play.add(inet("a", ["gena": Data()]))]
        },
        takes("a number takes a number", .code, { genp("a") }, "crtr", { 7 }, "7"),
        takes("a number takes a Bool", .code, { genp("a") }, "invi", { true }, "1"),
        takes("a number takes digits, as a number", .code, { genp("a") }, "type", { "12" }, "12"),
        takes("a number takes another text, as a text", .code, { genp("a") }, "type", { "abc" }, "'abc'"),
        takes("a number takes no Data", .code, { genp("a") }, "type", { Data("12".utf8) }, nil),
        takes("a date takes a Date", .code, { key() }, "sdat", { Date(timeIntervalSinceReferenceDate: 5) }, "5.0"),
        takes("a date takes no number", .code, { key() }, "sdat", { 5 }, nil),
        takes("a date takes no text", .code, { key() }, "edat", { "2026-01-01" }, nil),
        takes("data take Data", .code, { key() }, "klbl", { Data("d".utf8) }, "d"),
        takes("data take a text, as Data", .code, { key() }, "klbl", { "t" }, "t"),
        takes("data take a number, as its bytes", .code, { key() }, "klbl", { 0x6463_6261 }, "abcd"),
        takes("a blob keeps a text", .code, { genp() }, "acct", { "t" }, "'t'"),
        takes("a blob keeps Data", .code, { genp() }, "acct", { Data("d".utf8) }, "d"),
        takes("a blob keeps a number", .code, { genp() }, "acct", { 42 }, "42"),
        takes("a blob takes no date", .code, { genp() }, "acct", { Date() }, nil),
        takes("a blob takes no Bool", .code, { genp("a") }, "labl", { true }, nil),
        takes("a blob takes no UUID", .code, { genp("a") }, "labl", { UUID() }, nil),
        takes("data take no Bool", .code, { key() }, "klbl", { true }, nil),
        takes("a blob takes no list", .code, { genp() }, "acct", { ["t"] }, nil),
        takes("a text takes a text", .code, { genp("a") }, "vwht", { "v" }, "'v'"),
        takes("a text takes the UTF-8 of one", .code, { genp("a") }, "vwht", { Data("v".utf8) }, "'v'"),
        takes(
            "a text takes a UUID", .code, { genp("a") }, "vwht",
            { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) },
            "'01020304-0506-0708-090A-0B0C0D0E0F10'"),
        takes("a text takes no number", .code, { genp("a") }, "vwht", { 1 }, nil),
        takes("a text takes no bytes that are none", .code, { genp("a") }, "vwht", { Data([0xFF]) }, nil),
        Fact("what is hashed is compared whole, by bytes and by case", .code, "0; 0; -25300; -25300; -25300") { play in
            [play.add(genp("Ab"))] + ["Ab", "ab", "A", "Ab "].map { play.copy(genp($0)) }
        },
        Fact("a text and Data of the same bytes find each other", .inference, "0; 0; 0; 0") { play in
            [
                play.add(genp("t")), play.copy(genp().with([kSecAttrAccount: Data("t".utf8)])),
                play.add(genp().with([kSecAttrAccount: Data("d".utf8)])), play.copy(genp("d")),
            ]
        },
        Fact("and they are duplicates of each other", .inference, "0; -25299") { play in
            [play.add(genp("t")), play.add(genp().with([kSecAttrAccount: Data("t".utf8)]))]
        },
        Fact("what is composed differently is another text", .inference, "0; -25300; 0") { play in
            [
                play.add(genp("caf\u{E9}")), play.copy(genp("cafe\u{301}")), play.add(genp("cafe\u{301}")),
            ]
        },
    ]
}
