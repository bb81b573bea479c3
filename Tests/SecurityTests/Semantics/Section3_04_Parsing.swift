import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 3.4: the dictionaries that are accepted, and the statuses of those that are not. Unless it says otherwise,
/// each row has the statuses of a copy, an add, an update and a delete.
@Suite struct Section3_04_Parsing {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    /// The statuses of the four calls with this dictionary.
    private static func every(
        _ words: String, _ evidence: Fact.Evidence, _ expected: String,
        _ dictionary: @escaping @Sendable () -> [CFString: Any]
    ) -> Fact {
        Fact(words, evidence, expected) { play in
            let query = dictionary()
            return [
                play.copy(query), play.add(query), play.update(query, [kSecAttrLabel: "x"]), play.delete(query),
            ]
        }
    }

    private static let refused = "-50; -50; -50; -50"
    /// The first call finds nothing, the add stores the item, and the others find it.
    private static let unread = "-25300; 0; 0; 0"
    private static let noAttribute = "-25303; -25303; -25303; -25303"

    /// A dictionary with this many keys, of which 128 are allowed.
    private static func many(_ count: Int) -> [CFString: Any] {
        let names = (0..<(count - 1)).map { "x\($0 + 100)" as CFString }
        return genp().with(Dictionary(uniqueKeysWithValues: names.map { ($0, $0 as Any) }))
    }

    static let facts: [Fact] = [
        every("an empty dictionary", .code, refused) { [:] },
        every("no class, and no reference", .code, refused) { [kSecAttrAccount: "a"] },
        every("a class that is none", .code, "-25306; -25306; -25306; -25306") { [kSecClass: "what"] },
        every("the class of AppleShare passwords", .code, "-25306; -25306; -25306; -25306") { [kSecClass: "apls"] },
        every("a class that is no text", .code, refused) { [kSecClass: 7] },
        Fact("another class than that of the reference", .code, "-25306; -25306; -25306") { play in
            _ = play.add(genp("a"))
            let query = item(play.reference(of: genp("a"))).with([kSecClass: kSecClassInternetPassword])
            return [play.copy(query), play.update(query, [kSecAttrLabel: "x"]), play.delete(query)]
        },
        every("a key of a shape that none has", .code, refused) { genp("a", ["account": "a"]) },
        every("an empty key", .code, refused) { genp("a", ["": "a"]) },
        every("a key of five letters", .code, refused) { genp("a", ["label": "a"]) },
        every("an unknown match key, which nobody reads", .code, "-25300; 0; -50; -50") { genp("a", ["m_What": true]) },
        every("a key that begins with f, which nobody reads", .code, "-25300; 0; 0; 0") {
            genp("a", ["f_callback": true])
        },
        every("the letter f by itself", .code, refused) { genp("a", ["f": true]) },
        every("an f and three letters more", .code, noAttribute) { genp("a", ["four": true]) },
        every("clip", .test, refused) { genp("a", ["clip": true]) },
        Fact("clip, in what an update says", .test, "-50") { play in
            _ = play.add(genp("a"))
            return [play.update(genp("a"), ["clip": true])]
        },
        every("an unknown use key", .code, refused) { genp("a", ["u_What": true]) },
        every("genp + srvr", .test, noAttribute) { genp("a", [kSecAttrServer: "s"]) },
        every("inet + svce", .code, noAttribute) { inet("a", [kSecAttrService: "s"]) },
        every("cert + atag", .test, noAttribute) { cert(["atag": Data()]) },
        every("keys + acct", .code, noAttribute) { key([kSecAttrAccount: "a"]) },
        every("four letters that no class has", .code, noAttribute) { genp("a", ["what": "x"]) },
        Fact("nleg is passed over", .code, "0; 0; 0; 0") { play in
            let query = genp("a", [kSecUseDataProtectionKeychain: true])
            return [play.add(query), play.copy(query), play.update(query, [kSecAttrLabel: "x"]), play.delete(query)]
        },
        Fact("nleg says nothing, whatever its value", .code, "0; 0") { play in
            [
                play.add(genp("a", [kSecUseDataProtectionKeychain: false])),
                play.copy(genp("a", [kSecUseDataProtectionKeychain: false])),
            ]
        },
        every("a value that is nothing", .code, refused) { genp("a", [kSecAttrLabel: NSNull()]) },
        every("a value that is nothing, in an optional", .code, refused) {
            genp("a", [kSecAttrLabel: String?.none as Any])
        },
        Fact("a value that is something, in an optional", .ours, "0; 0 labl='l'") { play in
            [
                play.add(genp("a", [kSecAttrLabel: String?.some("l") as Any])),
                play.copy(genp("a").attributes, showing: "labl"),
            ]
        },
        every("128 keys are read, and none of them is known", .code, noAttribute) { many(128) },
        every("129 keys are too many", .code, refused) { many(129) },
        every("an attribute that takes no such value", .code, refused) { genp("a", [kSecAttrLabel: [1, 2]]) },
        every("an access group that is no text", .code, refused) { genp("a", [kSecAttrAccessGroup: 7]) },
        every("v_Data is no Data", .test, refused) { genp("a", [kSecValueData: "secret"]) },
        every("r_Data is a number", .code, "-25300; 0 nil; -50; 0") { genp("a", [kSecReturnData: 1]) },
        Fact("a number is a true return key, and zero is not", .code, "0 x; 0 x; 0 nil") { play in
            _ = play.add(genp("a").holding("x"))
            return [1 as Any, NSNumber(value: 7), 0].map { play.copy(genp("a", [kSecReturnData: $0])) }
        },
        every("r_Attributes is a text", .code, refused) { genp("a", [kSecReturnAttributes: "true"]) },
        every("r_Ref is a text", .code, refused) { genp("a", [kSecReturnRef: "true"]) },
        every("r_PersistentRef is zero", .code, "-25300; 0 nil; 0; 0") { genp("a", [kSecReturnPersistentRef: 0]) },
        Fact("r_Data of Core Foundation's booleans", .code, "0; 0 x; 0") { play in
            [
                play.add(genp("a").holding("x")), play.copy(genp("a", [kSecReturnData: kCFBooleanTrue as Any])),
                play.copy(genp("a", [kSecReturnData: kCFBooleanFalse as Any])).replacing("0 nil", with: "0"),
            ]
        },
        every("m_Limit is another text", .code, refused) { genp("a", [kSecMatchLimit: "all"]) },
        every("m_Limit is a Bool", .code, refused) { genp("a", [kSecMatchLimit: true]) },
        every("m_Limit is no whole number", .code, refused) { genp("a", [kSecMatchLimit: 1.5]) },
        Fact(
            "m_Limit is zero: nothing; -1: all; below: one, in a list", .code,
            "-25300; 0 [acct='a', acct='b']; 0 [acct='a']; -50; -50"
        ) { play in
            _ = (play.add(genp("a")), play.add(genp("b")))
            func limited(_ count: Int) -> [CFString: Any] { genp().attributes.upTo(count) }
            return [0, -1, -2].map { play.copy(limited($0), showing: "acct") } + [
                play.update(genp("a").upTo(0), [kSecAttrLabel: "x"]), play.delete(genp("a").upTo(-1)),
            ]
        },
        every("u_AuthUI is no text", .code, unread) { genp("a", [kSecUseAuthenticationUI: true]) },
        every("u_AuthUI is another text", .code, unread) { genp("a", [kSecUseAuthenticationUI: "please"]) },
        every("u_NoAuthUI is no Bool", .code, unread) { genp("a", [kSecUseNoAuthenticationUI: "yes"]) },
        Fact(
            "u_AuthUI that is unknown asks, and an explicit one wins over u_NoAuthUI", .code,
            "0; 0; 0; 0; -25308; -25308; -25308; -25300; 0"
        ) { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            let silent = kSecUseNoAuthenticationUI
            let (allow, fail) = (kSecUseAuthenticationUIAllow, kSecUseAuthenticationUIFail)
            let uses: [[CFString: Any]] = [
                [kSecUseAuthenticationUI: "please"], [kSecUseAuthenticationUI: 7],
                [silent: true, kSecUseAuthenticationUI: allow], [silent: true, kSecUseAuthenticationUI: "please"],
                [silent: true], [silent: kCFBooleanTrue as Any], [silent: false, kSecUseAuthenticationUI: fail],
                [silent: true, kSecUseAuthenticationUI: kSecUseAuthenticationUISkip], [silent: 1],
            ]
            return uses.map { play.copy(genp("a", $0)) }
        },
        every("u_AuthCtx is no context", .code, refused) { genp("a", [kSecUseAuthenticationContext: "me"]) },
        every("u_OpPrompt is no text", .code, unread) { genp("a", [kSecUseOperationPrompt: 7]) },
        every("u_OpPrompt is nothing", .code, refused) { genp("a", [kSecUseOperationPrompt: NSNull()]) },
        every("accc is no access control", .test, refused) { genp("a", [kSecAttrAccessControl: "ak"]) },
        every("accc is a dictionary", .test, refused) { genp("a", [kSecAttrAccessControl: ["od": true]]) },
        every("pdmn is none of the seven", .code, refused) { genp("a", [kSecAttrAccessible: "xx"]) },
        every("pdmn is no text", .code, refused) { genp("a", [kSecAttrAccessible: 7]) },
        every("pdmn until reboot", .code, refused) { genp("a", [kSecAttrAccessible: "f"]) },
        Fact("accc until reboot is made, and cannot be stored", .code, "-50; 0; -50; 0; 0") { play in
            let lasting = genp("a").guarded(by: [], "f")
            return [
                play.add(lasting), play.add(genp("a")),
                play.update(genp("a"), genp().guarded(by: [], "f").without("class")),
                play.copy(lasting), play.delete(lasting),
            ]
        },
        every("accc and pdmn, of the same protection", .code, refused) {
            genp("a").guarded(by: []).under(kSecAttrAccessibleWhenUnlocked)
        },
        every("accc and pdmn, of different protections", .code, refused) {
            genp("a").guarded(by: .userPresence).under(kSecAttrAccessibleAlways)
        },
        Fact("accc and pdmn that are equal, as one finds them in an item", .code, "0; 0; 0") { play in
            _ = play.add(genp("a"))
            let found = play.attributes(of: genp("a"))
            let both = found.filter { [kSecAttrAccessible, kSecAttrAccessControl].contains($0.key) }
            return [
                play.copy(genp("a").with(both)), play.update(genp("a"), both),
                play.add(genp("b").with(both)),
            ]
        },
        Fact("accc + sync, in an add", .test, "-50; -50; 0") { play in
            [
                play.add(genp("a").guarded(by: .userPresence).syncing), play.add(genp("a").guarded(by: []).syncing),
                play.add(genp("a").guarded(by: []).local),
            ]
        },
        Fact("accc + sync, in what an update says", .test, "-50; -50; 0") { play in
            _ = play.add(genp("a"))
            return [SecAccessControlCreateFlags.userPresence, []].map { flags in
                play.update(genp("a"), genp().guarded(by: flags).syncing.without("class"))
            } + [play.copy(genp("a"))]
        },
        Fact("accc + sync, where an update adds the one to the other", .code, "-50; -50; 0; 0") { play in
            _ = (play.add(genp("a").guarded(by: [])), play.add(genp("b").syncing))
            return [
                play.update(genp("a"), [kSecAttrSynchronizable: true]),
                play.update(genp("b").syncing, [kSecAttrAccessControl: access([])]), play.copy(genp("a")),
                play.copy(genp("b").syncing),
            ]
        },
        Fact("UISkip in add, update and delete", .test, "-50; 0; -50; -50; 0") { play in
            [
                play.add(genp("a").skipping), play.add(genp("a")),
                play.update(genp("a").skipping, [kSecAttrLabel: "x"]),
                play.delete(genp("a").skipping), play.copy(genp("a").skipping),
            ]
        },
        Fact("UISkip in update and delete of what is not there", .test, "-50; -50; -25300") { play in
            [
                play.update(genp("a").skipping, [kSecAttrLabel: "x"]), play.delete(genp("a").skipping),
                play.copy(genp("a").skipping),
            ]
        },
        every("u_AuthCtx and u_CredRef", .code, refused) {
            genp("a", ["u_CredRef": Data()]).within(LAContext())
        },
        every("u_ItemList", .code, refused) { genp("a", ["u_ItemList": ["x"]]) },
        Fact("m_Policy and m_Issuers for passwords and keys", .code, "-4; -4; -4; -4; -4; -4") { play in
            [[kSecMatchPolicy: SecPolicyCreateBasicX509()], [kSecMatchIssuers: [Data()]]].flatMap { match in
                [genp(), inet(), key()].map { play.copy($0.with(match)) }
            }
        },
        every("m_Policy that is no policy", .code, refused) { cert([kSecMatchPolicy: "x"]) },
        Fact("m_HostOrSubdomainOfHost for other classes than inet", .code, "-4; -4; -4") { play in
            [genp(), key(), cert()].map { play.copy($0.with([kSecMatchHostOrSubdomainOfHost: "example.com"])) }
        },
        Fact(
            "m_HostOrSubdomainOfHost is a filter for inet, letter by letter and of texts", .code,
            "0 [acct='deep', acct='host', acct='www']; 0 acct='upper'; -25300; -25300; 0 acct='deep'; 0 acct='none'"
        ) { play in
            let servers = [
                "host": "example.com", "www": "www.example.com", "deep": "a.www.example.com", "upper": "Example.COM",
                "other": "badexample.com", "above": "com", "longer": "example.com.org",
            ]
            for (account, server) in servers { _ = play.add(inet(account, [kSecAttrServer: server])) }
            _ = play.add(inet("bytes", [kSecAttrServer: Data("example.com".utf8)]))
            _ = play.add(inet("none"))
            func at(_ host: String) -> [CFString: Any] {
                inet().attributes.with([kSecMatchHostOrSubdomainOfHost: host])
            }
            return [
                play.copy(at("example.com").all, showing: "acct"),
                play.copy(at("Example.COM"), showing: "acct"), play.copy(at("WWW.example.com").all),
                play.copy(at("example.net").all), play.copy(at("a.www.example.com"), showing: "acct"),
                play.copy(at(""), showing: "acct"),
            ]
        },
        Fact("match keys that nobody reads", .code, "0; 0; 0; 0; 0") { play in
            _ = play.add(genp("a"))
            return [
                kSecMatchCaseInsensitive: true, kSecMatchSubjectContains: "x", kSecMatchItemList: ["x"],
                kSecMatchSearchList: ["x"], kSecMatchSubjectStartsWith: "x",
            ].sorted { $0.key < $1.key }.map { play.copy(genp("a", [$0.key: $0.value])) }
        },
        Fact("and case still matters", .code, "-25300") { play in
            _ = play.add(genp("a"))
            return [play.copy(genp("A", [kSecMatchCaseInsensitive: true]))]
        },
        Fact("match keys of certificates, of a wrong type", .code, "-50; -50; -50") { play in
            [kSecMatchValidOnDate, kSecMatchTrustedOnly, kSecMatchEmailAddressIfPresent].map {
                play.copy(genp("a", [$0: 7]))
            }
        },
        Fact("match keys of certificates do not filter passwords", .code, "0; 0; 0") { play in
            _ = play.add(genp("a"))
            return [
                play.copy(genp("a", [kSecMatchValidOnDate: Date()])),
                play.copy(genp("a", [kSecMatchTrustedOnly: true])),
                play.copy(genp("a", [kSecMatchEmailAddressIfPresent: "x"])),
            ]
        },
        Fact("accc in a search is no filter, neither by its flags nor by its class", .code, "0; 0; 0; 0; 0") { play in
            _ = play.add(genp("a"))
            let reference = item(play.reference(of: genp("a")))
            return [
                play.copy(genp("a").guarded(by: .userPresence)), play.copy(genp("a").guarded(by: [], "akpu")),
                play.copy(reference.guarded(by: .biometryAny, "ck")),
                play.update(genp("a").guarded(by: .biometryAny, "dk"), [kSecAttrLabel: "x"]),
                play.delete(genp("a").guarded(by: .userPresence)),
            ]
        },
        Fact("pdmn in a search is one", .code, "0; -25300; -25300; -25300; 0") { play in
            _ = play.add(genp("a"))
            let always = genp("a").under(kSecAttrAccessibleAlways)
            return [
                play.copy(genp("a").under(kSecAttrAccessibleWhenUnlocked)), play.copy(always),
                play.update(always, [kSecAttrLabel: "x"]), play.delete(always), play.copy(genp("a")),
            ]
        },
        Fact("v_Data in a search is no filter", .code, "0 x") { play in
            _ = play.add(genp("a").holding("x"))
            return [play.copy(genp("a").holding("other").data)]
        },
        every("without any access group", .code, "-34018; -34018; -34018; -34018") { genp("a") }
            .on(SimulatedDevice(app: App(isEntitled: false))),
        Fact("a number may be a text of digits", .code, "0; 0") { play in
            [play.add(inet("a", [kSecAttrPort: "443"])), play.copy(inet("a", [kSecAttrPort: 443]))]
        },
        Fact("an empty port", .test, "0; 0") { play in
            [play.add(inet("a", [kSecAttrPort: ""])), play.copy(inet("a", [kSecAttrPort: ""]))]
        },
        Fact("an empty port, on a Mac", .test, "-50; 0; -50; 0", on: .mac()) { play in
            [
                play.add(inet("a", [kSecAttrPort: ""])), play.add(inet("a", [kSecAttrPort: 1])),
                play.update(inet("a"), [kSecAttrPort: ""]), play.add(inet("b", [kSecAttrPort: "443"])),
            ]
        },
        Fact("sync takes true, 1, their text and false", .code, "0 sync=1; 0 sync=1; 0 sync=1; 0 sync=0") { play in
            [("a", true as Any), ("b", 1), ("c", "1"), ("d", false)].map {
                play.add(genp($0.0, [kSecAttrSynchronizable: $0.1]).attributes, showing: "sync")
            }
        },
        every("sync takes no other text", .code, refused) { genp("a", [kSecAttrSynchronizable: "yes"]) },
        Fact("of several faults the first by name is told, every time", .ours, "-25303 -50") { play in
            let wrong = genp("a", [kSecAttrAccessible: 7, "srvr": "x", "zzzz": 1, kSecReturnData: 3])
            let said = [genp("a", ["aaaa": "x", "crtr": Data(), "zzzz": 2]), wrong].map { query in
                Set((0..<20).map { _ in play.copy(Dictionary(uniqueKeysWithValues: query.shuffled())) })
            }
            return [said.map { $0.sorted().joined(separator: " or ") }.joined(separator: " ")]
        },
    ]
}
