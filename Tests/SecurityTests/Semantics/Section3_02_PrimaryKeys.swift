import Foundation
import LatchkeyTesting
import Security
import Testing

/// Semantics 3.2: the attributes that tell items apart.
@Suite struct Section3_02_PrimaryKeys {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    private static func value(_ name: String, _ first: Bool) -> Any {
        switch name {
        case "sdat", "edat": Date(timeIntervalSinceReferenceDate: first ? 1 : 2)
        case "issr", "slnr", "klbl", "atag", "gena", "subj", "pkhh": Data(first ? [1] : [2])
        case "acct", "svce", "sdmn", "srvr", "atyp", "path", "labl", "desc", "icmt", "vwht", "tkid", "alis", "prot":
            first ? "one" : "two"
        default: first ? 1 : 2
        }
    }

    /// Two items that differ only in this attribute. Both are stored if it belongs to the key; otherwise the second is
    /// a duplicate.
    private static func tellsApart(_ itemClass: String, _ names: String, _ isOfKey: Bool) -> [Fact] {
        names.split(separator: " ").map(String.init).map { name in
            Fact(
                "\(itemClass): \(name) is \(isOfKey ? "" : "not ")of the key", .code, isOfKey ? "0; 0" : "0; -25299"
            ) { play in
                [true, false].map { play.add([kSecClass: itemClass, name as CFString: value(name, $0)]) }
            }
        }
    }

    static let facts: [Fact] =
        tellsApart("genp", "acct svce vwht tkid", true)
        + tellsApart("genp", "labl gena desc icmt type crtr invi nega alis prot", false)
        + tellsApart("inet", "acct sdmn srvr ptcl atyp port path vwht tkid", true)
        + tellsApart("inet", "labl desc icmt type crtr invi nega", false)
        + tellsApart("cert", "ctyp issr slnr", true) + tellsApart("cert", "labl cenc subj pkhh", false)
        + tellsApart("keys", "kcls klbl atag crtr type bsiz esiz sdat edat", true)
        + tellsApart("keys", "labl perm sign", false)
        + [
            Fact(
                "the access group is of the key", .code, "0; 0; -25299", on: SimulatedDevice(app: App(groups: ["g"]))
            ) { play in
                [play.add(genp("a")), play.add(genp("a").of("g")), play.add(genp("a").of("g"))]
            },
            Fact("sync is of the key: the same once local, once synchronizable", .code, "0; 0; -25299; -25299") {
                play in
                [
                    play.add(genp("a")), play.add(genp("a").syncing), play.add(genp("a")),
                    play.add(genp("a").syncing),
                ]
            },
            Fact("the accessibility is not of the key", .code, "0; -25299") { play in
                [play.add(genp("a")), play.add(genp("a").under(kSecAttrAccessibleAlways))]
            },
            Fact("the access control is not of the key", .code, "0; -25299") { play in
                [play.add(genp("a")), play.add(genp("a").guarded(by: .userPresence))]
            },
            Fact("the secret is not of the key", .code, "0; -25299") { play in
                [play.add(genp("a").holding("x")), play.add(genp("a").holding("y"))]
            },
            Fact("what is missing counts as empty", .code, "0; -25299; -25299") { play in
                [
                    play.add(genp()), play.add(genp("").with([kSecAttrService: ""])),
                    play.add(genp().with([kSecAttrAccount: Data()])),
                ]
            },
            Fact("a missing number counts as zero", .code, "0; -25299") { play in
                [play.add(inet("a")), play.add(inet("a", [kSecAttrPort: 0, kSecAttrProtocol: 0]))]
            },
            Fact("classes do not meet", .code, "0; 0") { play in [play.add(genp("a")), play.add(inet("a"))] },
        ]
}
