import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 3.8: the results of SecItemCopyMatching.
@Suite struct Section3_08_Results {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    /// Three passwords of one service.
    private static func three(_ play: Play) {
        for account in ["a", "b", "c"] { _ = play.add(genp(account, [kSecAttrService: "s"]).holding(account)) }
    }

    private static let known = "accc acct agrp cdat mdat musr pdmn svce sync tomb"

    static let facts: [Fact] = [
        Fact("no limit, one, and LimitOne: one value", .code, "0 a; 0 a; 0 a") { play in
            three(play)
            return [
                play.copy(genp().data), play.copy(genp().data.upTo(1)),
                play.copy(genp().data.with([kSecMatchLimit: kSecMatchLimitOne])),
            ]
        },
        Fact("LimitAll: a list", .code, "0 [a, b, c]") { play in
            three(play)
            return [play.copy(genp().data.all)]
        },
        Fact("a number from two on: a list of no more", .code, "0 [a, b]; 0 [a, b, c]; 0 [a, b, c]") { play in
            three(play)
            return [2, 3, 99].map { play.copy(genp().data.upTo($0)) }
        },
        Fact("one hit: a list all the same", .code, "0 [a]; 0 [a]; 0 [acct='a']") { play in
            three(play)
            return [
                play.copy(genp("a").data.all), play.copy(genp("a").data.upTo(2)),
                play.copy(genp("a").attributes.all, showing: "acct"),
            ]
        },
        Fact("no hit", .code, "-25300; -25300; -25300; -25300") { play in
            [genp().data, genp().data.all, genp().attributes.upTo(5), genp()].map { play.copy($0) }
        },
        Fact("no return key: the status alone", .code, "0; -25300") { play in
            three(play)
            return [play.copy(genp("a")), play.copy(genp("z"))]
        },
        Fact("no return key, and LimitAll: the status alone", .unverified, "0; -25300") { play in
            three(play)
            return [play.copy(genp().all), play.copy(genp("z").all)]
        },
        Fact("return keys that are false", .code, "0; 0 a") { play in
            three(play)
            let no = genp("a", [kSecReturnData: false, kSecReturnAttributes: false])
            return [play.copy(no).replacing("0 nil", with: "0"), play.copy(no.data)]
        },
        Fact("data", .code, "0 a") { play in
            three(play)
            return [play.copy(genp("a").data)]
        },
        Fact("attributes: without v_Data and class", .code, "0 {\(known)}") { play in
            three(play)
            return [play.copy(genp("a").attributes)]
        },
        Fact(
            "data and attributes: with v_Data and sha1", .code,
            "0 {accc acct agrp cdat mdat musr pdmn sha1 svce sync tomb v_Data}"
        ) {
            play in
            three(play)
            return [play.copy(genp("a").data.attributes)]
        },
        Fact("reference", .code, "0 reference(genp); 0 reference(inet)") { play in
            _ = (play.add(genp("a")), play.add(inet("a")))
            return [play.copy(genp("a").reference), play.copy(inet("a").reference)]
        },
        Fact("reference and data: these two alone", .code, "0 {v_Data v_PersistentRef}") { play in
            three(play)
            return [play.copy(genp("a").reference.data)]
        },
        Fact("reference and attributes", .code, "0 {\(known) v_PersistentRef}") { play in
            three(play)
            return [play.copy(genp("a").reference.attributes)]
        },
        Fact(
            "reference, data and attributes", .code, "0 acct='a' v_Data=a v_PersistentRef=reference(genp) sha1=20 bytes"
        ) {
            play in
            three(play)
            return [
                play.copy(genp("a").reference.data.attributes, showing: "acct", "v_Data", "v_PersistentRef", "sha1")
            ]
        },
        Fact("the object of a password: success with nothing", .test, "0 nil; 0 nil") { play in
            three(play)
            _ = play.add(inet("a"))
            return [play.copy(genp("a").object), play.copy(inet("a").object)]
        },
        Fact(
            "the object of a password and something else: that, and the class", .code,
            "0 {class v_Data}; 0 class='genp' acct='a'"
        ) {
            play in
            three(play)
            return [
                play.copy(genp("a").object.data), play.copy(genp("a").object.attributes, showing: "class", "acct"),
            ]
        },
        Fact(
            "without v_Data, data and attributes: no v_Data", .test,
            "0 {accc acct agrp cdat mdat musr pdmn sha1 svce sync tomb}"
        ) {
            play in
            _ = play.add(genp("a"))
            return [play.copy(genp("a").data.attributes)]
        },
        Fact("without v_Data, data alone: success with nothing", .code, "0 nil") { play in
            _ = play.add(genp("a"))
            return [play.copy(genp("a").data)]
        },
        Fact("without v_Data, data of all: it is left out", .code, "0 [x]; 0 []") { play in
            _ = (play.add(genp("a", [kSecAttrService: "s"])), play.add(genp("b", [kSecAttrService: "s"]).holding("x")))
            _ = play.add(genp("c"))
            return [play.copy(genp(nil, [kSecAttrService: "s"]).data.all), play.copy(genp("c").data.all)]
        },
        Fact("empty v_Data is given back as that", .unverified, "0 ; 0 []; 0 v_Data=") { play in
            _ = play.add(genp("a").holding(""))
            return [
                play.copy(genp("a").data), play.copy(genp("a").data.all),
                play.copy(genp("a").data.attributes, showing: "v_Data"),
            ]
        },
        Fact("an item without access control has one all the same", .code, "0 accc=<SecAccessControlRef: ak>") { play in
            _ = play.add(genp("a"))
            return [play.copy(genp("a").attributes, showing: "accc")]
        },
        Fact(
            "and one with an access control has that", .code,
            "0 accc=<SecAccessControlRef: aku;od(cup(true));odel(true);oe(true)> pdmn='aku'"
        ) {
            play in
            _ = play.add(genp("a").guarded(by: .devicePasscode, "aku"))
            return [play.copy(genp("a").attributes, showing: "accc", "pdmn")]
        },
        Fact("what a row has besides: musr empty, tomb and sync zero", .field, "0 musr= tomb=0 sync=0") { play in
            _ = play.add(genp("a"))
            return [play.copy(genp("a").attributes, showing: "musr", "tomb", "sync")]
        },
        Fact("sha1 comes with data alone", .code, "0 sha1=nil; 0 sha1=20 bytes") { play in
            _ = play.add(genp("a"))
            return [
                play.copy(genp("a").attributes, showing: "sha1"), play.copy(genp("a").data.attributes, showing: "sha1"),
            ]
        },
        Fact("sha1 is another once the item is", .code, "0; true; 0; false") { play in
            _ = play.add(genp("a").holding("x"))
            func fingerprint() -> Any? { (play.given(genp("a").data.attributes) as? [CFString: Any])?["sha1"] }
            let first = fingerprint()
            let isSame = CFEqual(first, fingerprint())
            return [
                play.copy(genp("a")), "\(isSame)", play.update(genp("a"), [kSecValueData: Data("y".utf8)]),
                "\(CFEqual(first, fingerprint()))",
            ]
        },
        Fact("what was found of an item finds it again", .test, "0 a; 0 a; -25300; 0 new") { play in
            three(play)
            let found = play.given(genp("a").data.attributes) as? [CFString: Any] ?? [:]
            let again = genp().with(found)
            let statuses = [play.copy(again.data), play.copy(again.without("sha1").data)]
            _ = play.update(genp("a"), [kSecValueData: Data("new".utf8)])
            return statuses + [play.copy(again.data), play.copy(again.without("sha1", "mdat").data)]
        },
        Fact(
            "what was found of an item is one to be stored, once that is gone", .test,
            "-25299; 0; 0; 0 acct='a' labl='l' v_Data=x"
        ) {
            play in
            _ = play.add(genp("a", [kSecAttrLabel: "l"]).holding("x"))
            let found = genp().with(play.given(genp("a").data.attributes) as? [CFString: Any] ?? [:])
            return [
                play.add(found), play.delete(genp("a")), play.add(found),
                play.copy(genp("a").data.attributes, showing: "acct", "labl", "v_Data"),
            ]
        },
        Fact("data of all passwords", .test, "0 [a, b, c]") { play in
            three(play)
            return [play.copy(genp(nil, [kSecAttrService: "s"]).data.all)]
        },
        Fact(
            "data of all passwords, the other version: refused", .documentation,
            "-50; -50; 0 [acct='a', acct='b', acct='c']; 0 a",
            on: device { $0.dataOfSeveral = .refused }
        ) { play in
            three(play)
            return [
                play.copy(genp().data.all), play.copy(genp().data.attributes.upTo(2)),
                play.copy(genp().attributes.all, showing: "acct"), play.copy(genp().data),
            ]
        },
        Fact("no place for the result", .test, "0; 0; -25300; 0") { play in
            three(play)
            return [
                "\(SecItemCopyMatching(genp("a") as CFDictionary, nil))",
                "\(SecItemCopyMatching(genp("a").data as CFDictionary, nil))",
                "\(SecItemCopyMatching(genp("z").data as CFDictionary, nil))",
                "\(SecItemAdd(genp("d").data as CFDictionary, nil))",
            ]
        },
        Fact("the order is that of storing, which nobody promises", .ours, "c a b; 2") { play in
            for account in ["c", "a", "b"] { _ = play.add(genp(account)) }
            let found = play.given(genp().attributes.all) as? [[CFString: Any]] ?? []
            let some = play.given(genp().attributes.upTo(2)) as? [[CFString: Any]] ?? []
            return [found.compactMap { $0["acct"] as? String }.joined(separator: " "), "\(some.count)"]
        },
        Fact("a locked row fails the whole call", .code, "-25308; -25308; 0 [b]") { play in
            _ = (play.add(genp("a").holding("a")), play.add(genp("b").under("dk").holding("b")))
            return [
                play.locked.copy(genp().data.all), play.copy(genp().attributes.all),
                play.copy(genp().under("dk").data.all),
            ]
        },
        Fact("a locked row: attributes, references and mere existence fail as well", .code, "-25308; -25308; -25308") {
            play in
            _ = play.add(genp("a"))
            return [play.locked.copy(genp("a").attributes), play.copy(genp("a").reference), play.copy(genp("a"))]
        },
        Fact("rows that need somebody: all in one context, asked once", .code, "0 [a, b, c, d]; biometry") { play in
            three(play)
            _ = play.add(genp("d").holding("d"))
            for account in ["a", "b", "c"] {
                _ = play.update(genp(account), [kSecAttrAccessControl: access(.biometryAny)])
            }
            return [play.copy(genp().data.all), play.prompts]
        },
        Fact("rows that need different things: asked for one after another", .code, "0 [a, b]; biometry,passcode") {
            play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("a"))
            _ = play.add(genp("b").guarded(by: .devicePasscode).holding("b"))
            return [play.copy(genp().data.all), play.prompts]
        },
        Fact("one of several that is refused fails the whole call", .code, "-128") { play in
            _ = (play.add(genp("a").holding("a")), play.add(genp("b").guarded(by: .biometryAny)))
            return [play.after { $0.user = .absent }.copy(genp().data.all)]
        },
        Fact("a row of another group is passed over", .code, "0 [acct='mine']") { play in
            _ = play.add(genp("mine"))
            play.device.app = App(identifier: "other")
            _ = play.add(genp("others"))
            play.device.app = App()
            return [play.copy(genp().attributes.all, showing: "acct")]
        },
        Fact("a row that is lost is passed over, and taken out", .code, "0 [b]; 1") { play in
            _ = play.add(genp("a").guarded(by: .biometryCurrentSet).holding("a"))
            _ = play.add(genp("b").holding("b"))
            play.device.enroll("left thumb")
            let found = play.copy(genp().data.all)
            _ = play.update(genp("b"), [kSecAttrLabel: "l"])
            return [found, "\(play.device.world.items.count)"]
        },
        Fact("dates are compared whole", .code, "0; -25300; 0; -25300") { play in
            _ = play.add(genp("a"))
            let found = play.attributes(of: genp("a"))
            return ["cdat", "mdat"].flatMap { name in
                [0, 1].map { later in
                    play.copy(genp("a", [name: (found[name] as? Date ?? Date()).addingTimeInterval(later)]))
                }
            }
        },
    ]
}
