import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 3.6: SecItemUpdate.
@Suite struct Section3_06_Update {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    private static func secret(_ text: String) -> [CFString: Any] { [kSecValueData: Data(text.utf8)] }

    static let facts: [Fact] = [
        Fact("nothing matches", .code, "-25300") { play in [play.update(genp("a"), secret("x"))] },
        Fact("the secret is another, the rest stays", .code, "0; 0 acct='a' labl='l' v_Data=new") { play in
            _ = play.add(genp("a", [kSecAttrLabel: "l"]).holding("old"))
            return [
                play.update(genp("a"), secret("new")),
                play.copy(genp("a").data.attributes, showing: "acct", "labl", "v_Data"),
            ]
        },
        Fact("an attribute is another, the secret stays", .code, "0; 0 old; -25300") { play in
            _ = play.add(genp("a", [kSecAttrLabel: "l"]).holding("old"))
            return [
                play.update(genp("a"), [kSecAttrLabel: "m"]), play.copy(genp("a", [kSecAttrLabel: "m"]).data),
                play.copy(genp("a", [kSecAttrLabel: "l"])),
            ]
        },
        Fact("several match: all are changed", .code, "0; 0 [acct='a', acct='b']") { play in
            for account in ["a", "b"] { _ = play.add(genp(account, [kSecAttrService: "s"])) }
            _ = play.add(genp("c"))
            return [
                play.update(genp(nil, [kSecAttrService: "s"]), [kSecAttrLabel: "x"]),
                play.copy(genp(nil, [kSecAttrLabel: "x"]).attributes.all, showing: "acct"),
            ]
        },
        Fact("several match: one that fails undoes all", .code, "-25299; 0 [acct='a', acct='b', acct='c']; -25300") {
            play in
            for account in ["a", "b", "c"] { _ = play.add(genp(account)) }
            return [
                play.update(genp(), [kSecAttrAccount: "d", kSecAttrLabel: "x"]),
                play.copy(genp().attributes.all, showing: "acct"), play.copy(genp(nil, [kSecAttrLabel: "x"])),
            ]
        },
        Fact("several match: one that nobody opens undoes all", .code, "-128; 0 [open]") { play in
            _ = play.add(genp("open", [kSecAttrService: "s"]).holding("open"))
            _ = play.add(genp("shut", [kSecAttrService: "s"]).guarded(by: .biometryAny))
            return [
                play.after { $0.user = .absent }.update(genp(nil, [kSecAttrService: "s"]), secret("new")),
                play.copy(genp().data.all.skipping),
            ]
        },
        Fact("a return key in the query: refused on iOS", .code, "-50; -50; -50; -50; 0") { play in
            _ = play.add(genp("a"))
            return [genp("a").data, genp("a").attributes, genp("a").object, genp("a").reference].map {
                play.update($0, [kSecAttrLabel: "x"])
            } + [play.update(genp("a", [kSecReturnData: false]), [kSecAttrLabel: "x"])]
        },
        Fact(
            "a return key in the query: passed over on a Mac", .test, "0; 0; 0", on: SimulatedDevice.mac()
        ) { play in
            _ = play.add(genp("a"))
            return [genp("a").data, genp("a").attributes, genp("a").reference].map {
                play.update($0, [kSecAttrLabel: "x"])
            }
        },
        Fact("a match key in the query", .code, "-50; -50; -50; -50") { play in
            _ = play.add(genp("a"))
            return [
                genp("a").all, genp("a").upTo(1), genp("a", [kSecMatchLimit: kSecMatchLimitOne]),
                genp("a", [kSecMatchCaseInsensitive: true]),
            ].map { play.update($0, [kSecAttrLabel: "x"]) }
        },
        Fact("a reference and an attribute in the query", .code, "-50; 0") { play in
            _ = play.add(genp("a"))
            let reference = play.reference(of: genp("a"))
            return [
                play.update(item(reference).with([kSecAttrAccount: "a"]), [kSecAttrLabel: "x"]),
                play.update(item(reference).with([kSecClass: kSecClassGenericPassword]), [kSecAttrLabel: "x"]),
            ]
        },
        Fact("changes that are none: class", .test, "-25303; -25303") { play in
            _ = play.add(genp("a"))
            return [
                play.update(genp("a"), [kSecClass: kSecClassGenericPassword]),
                play.update(genp("a"), [kSecClass: "what"].with(secret("x"))),
            ]
        },
        Fact("changes that are none: return keys", .test, "-25303; -25303; -25303; -25303") { play in
            _ = play.add(genp("a"))
            return [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef].map {
                play.update(genp("a"), [$0: true])
            }
        },
        Fact("changes that are none: use keys", .test, "-25303; -25303; -25303") { play in
            _ = play.add(genp("a"))
            return [
                play.update(genp("a"), [kSecUseAuthenticationContext: LAContext()]),
                play.update(genp("a"), [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]),
                play.update(genp("a"), [kSecUseOperationPrompt: "please"]),
            ]
        },
        Fact("changes that are none: match keys", .code, "-25303; -25303") { play in
            _ = play.add(genp("a"))
            return [
                play.update(genp("a"), [kSecMatchLimit: kSecMatchLimitAll]),
                play.update(genp("a"), [kSecMatchCaseInsensitive: true]),
            ]
        },
        Fact("changes that are none: attributes of another class", .code, "-25303; -25303; -50") { play in
            _ = play.add(genp("a"))
            return [
                play.update(genp("a"), [kSecAttrServer: "x"]), play.update(genp("a"), ["what": "x"]),
                play.update(genp("a"), ["account": "x"]),
            ]
        },
        Fact("changes that are none, of what is not there", .code, "-25303; -50; -50") { play in
            [
                play.update(genp("a"), [kSecClass: "genp"]), play.update(genp("a"), [kSecAttrLabel: [1]]),
                play.update(genp("a"), [kSecAttrAccessible: "x"]),
            ]
        },
        Fact("v_Data is nothing, or a text", .test, "-50; -50; 0 old") { play in
            _ = play.add(genp("a").holding("old"))
            return [
                play.update(genp("a"), [kSecValueData: NSNull()]), play.update(genp("a"), [kSecValueData: "new"]),
                play.copy(genp("a").data),
            ]
        },
        Fact("v_Data is empty", .code, "0; 0 ") { play in
            _ = play.add(genp("a").holding("old"))
            return [play.update(genp("a"), secret("")), play.copy(genp("a").data)]
        },
        Fact("v_Data of an item without", .code, "0; 0 new") { play in
            _ = play.add(genp("a"))
            return [play.update(genp("a"), secret("new")), play.copy(genp("a").data)]
        },
        Fact("no changes: the date of the change alone", .inference, "0; 0 labl='l' cdat=true mdat=false v_Data=x") {
            play in
            _ = play.add(genp("a", [kSecAttrLabel: "l"]).holding("x"))
            let before = play.attributes(of: genp("a"))
            let status = play.update(genp("a"), [:])
            let after = play.given(genp("a").data.attributes) as? [CFString: Any] ?? [:]
            let dates = ([kSecAttrCreationDate, kSecAttrModificationDate]).map {
                "\($0)=\(CFEqual(before[$0], after[$0]))"
            }.joined(separator: " ")
            return [status, "0 \(text(of: after, ["labl"])) \(dates) \(text(of: after, ["v_Data"]))"]
        },
        Fact("the new key is another item's", .test, "-25299; 0 a; 0 b") { play in
            _ = (play.add(genp("a").holding("a")), play.add(genp("b").holding("b")))
            return [
                play.update(genp("a"), [kSecAttrAccount: "b"].with(secret("new"))), play.copy(genp("a").data),
                play.copy(genp("b").data),
            ]
        },
        Fact("the new key is a protected item's: it is asked for, then a duplicate", .code, "-25299; biometry") {
            play in
            _ = (play.add(genp("a")), play.add(genp("b").guarded(by: .biometryAny)))
            return [play.update(genp("a"), [kSecAttrAccount: "b"]), play.prompts]
        },
        Fact("the new key is that of an item that was deleted", .code, "0; 0 a") { play in
            _ = (play.add(genp("a").holding("a")), play.add(genp("b").holding("b")), play.delete(genp("b")))
            return [play.update(genp("a"), [kSecAttrAccount: "b"]), play.copy(genp("b").data)]
        },
        Fact("the new key is a lost item's", .code, "0; 0 a") { play in
            _ = (play.add(genp("a").holding("a")), play.add(genp("b").guarded(by: .biometryCurrentSet)))
            play.device.enroll("left thumb")
            return [play.update(genp("a"), [kSecAttrAccount: "b"]), play.copy(genp("b").data)]
        },
        Fact("another accessibility", .code, "0; 0 pdmn='dk' v_Data=x; -25308; 0 x") { play in
            _ = play.add(genp("a").holding("x"))
            _ = play.add(genp("b"))
            return [
                play.update(genp("a"), [kSecAttrAccessible: kSecAttrAccessibleAlways]),
                play.copy(genp("a").data.attributes, showing: "pdmn", "v_Data"), play.locked.copy(genp("b").data),
                play.copy(genp("a").data),
            ]
        },
        Fact("the accessibility that stays where none is said", .field, "0; 0 pdmn='ck'") { play in
            _ = play.add(genp("a").under(kSecAttrAccessibleAfterFirstUnlock))
            return [play.update(genp("a"), secret("x")), play.copy(genp("a").attributes, showing: "pdmn")]
        },
        Fact("an access control where there was none", .code, "0; -; -25308; 0 x; biometry") { play in
            _ = play.add(genp("a").holding("x"))
            return [
                play.update(genp("a"), [kSecAttrAccessControl: access(.biometryAny)]), play.prompts,
                play.copy(genp("a").data.failing), play.copy(genp("a").data), play.prompts,
            ]
        },
        Fact("no access control where there was one", .code, "0; biometry; 0 x; -") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            return [
                play.update(genp("a"), [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]), play.prompts,
                play.copy(genp("a").data), play.prompts,
            ]
        },
        Fact(
            "another demand, the other version: refused", .field, "-50; -50; 0",
            on: device { $0.demandByUpdate = .refused }
        ) { play in
            _ = play.add(genp("a"))
            return [
                play.update(genp("a"), [kSecAttrAccessible: kSecAttrAccessibleAlways]),
                play.update(genp("a"), [kSecAttrAccessControl: access(.biometryAny)]),
                play.update(genp("a"), [kSecAttrLabel: "x"]),
            ]
        },
        Fact(
            "to a group that the app lacks: before anything is looked for, and whatever is there", .test,
            "-34018; -34018; -34018; -34018; -25300", on: SimulatedDevice(app: App(identifier: "i", groups: ["g"]))
        ) { play in
            let others = [kSecAttrAccessGroup: "other"]
            let missing = play.update(genp("a"), others)
            _ = play.add(genp("a"))
            return [
                missing, play.update(genp("a"), others),
                play.update(genp("b"), [kSecAttrAccessGroup: "com.apple.token"]),
                play.update(genp("b").of("other"), [kSecAttrLabel: "x"]),
                play.update(genp("b"), [kSecAttrAccessGroup: "g"]),
            ]
        },
        Fact(
            "another access group", .code, "0; -25300; 0; -34018; -34018",
            on: SimulatedDevice(app: App(identifier: "i", groups: ["g"]))
        ) { play in
            _ = play.add(genp("a"))
            return [
                play.update(genp("a"), [kSecAttrAccessGroup: "g"]), play.copy(genp("a").of("i")),
                play.copy(genp("a").of("g")), play.update(genp("a"), [kSecAttrAccessGroup: "others"]),
                play.update(genp("a"), [kSecAttrAccessGroup: "com.apple.token"]),
            ]
        },
        Fact("another synchronizability", .code, "0; -25300; 0; 0; 0") { play in
            _ = play.add(genp("a"))
            return [
                play.update(genp("a"), [kSecAttrSynchronizable: true]), play.copy(genp("a")),
                play.copy(genp("a").syncing), play.update(genp("a").syncing, [kSecAttrSynchronizable: false]),
                play.copy(genp("a")),
            ]
        },
        Fact("another synchronizability, where there is such an item", .code, "-25299") { play in
            _ = (play.add(genp("a")), play.add(genp("a").syncing))
            return [play.update(genp("a"), [kSecAttrSynchronizable: true])]
        },
        Fact("the key of a synchronizable item is free again", .code, "0; 0") { play in
            _ = play.add(genp("a").syncing)
            return [play.update(genp("a").syncing, [kSecAttrAccount: "b"]), play.add(genp("a").syncing)]
        },
        Fact("a lost item is taken out, and not found", .code, "-25300; 0; 0 new") { play in
            _ = play.add(genp("a").guarded(by: .biometryCurrentSet).holding("x"))
            play.device.enroll("left thumb")
            return [play.update(genp("a"), secret("y")), play.add(genp("a").holding("new")), play.copy(genp("a").data)]
        },
        Fact("a lost item among others is passed over", .code, "0; 0 [new]") { play in
            _ = (play.add(genp("a").guarded(by: .biometryCurrentSet)), play.add(genp("b").holding("x")))
            play.device.enroll("left thumb")
            return [play.update(genp(), secret("new")), play.copy(genp().data.all)]
        },
        Fact("a protected item is asked for, also for its label alone", .code, "0; biometry; -25308; -") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            return [
                play.update(genp("a"), [kSecAttrLabel: "x"]), play.prompts,
                play.update(genp("a").failing, [kSecAttrLabel: "x"]), play.prompts,
            ]
        },
        Fact("a locked item", .test, "-25308; -25308") { play in
            _ = play.add(genp("a"))
            return [play.locked.update(genp("a"), secret("x")), play.update(genp("a"), [kSecAttrLabel: "x"])]
        },
        Fact("the sharing group", .code, "-50") { play in
            _ = play.add(genp("a"))
            return [play.update(genp("a"), ["ggrp": "x"])]
        },
        Fact("the reference is good afterwards", .test, "0; 0 new; 0; 0 b") { play in
            _ = play.add(genp("a").holding("old"))
            let reference = play.reference(of: genp("a"))
            return [
                play.update(genp("a"), secret("new")), play.copy(item(reference).data),
                play.update(item(reference), [kSecAttrAccount: "b", kSecAttrAccessible: "dk"].with(secret("b"))),
                play.copy(item(reference).data),
            ]
        },
        Fact("what was found of an item is what it can be changed to", .ours, "0; 0 labl='l'") { play in
            _ = play.add(genp("a", [kSecAttrLabel: "l"]).holding("x"))
            let found = play.attributes(of: genp("a"))
            return [play.update(genp("a"), found), play.copy(genp("a").attributes, showing: "labl")]
        },
        Fact("sha1 in the query is one of an item as it is", .code, "0; -25300; -25300; 0") { play in
            _ = play.add(genp("a").holding("x"))
            let found = play.given(genp("a").data.attributes) as? [CFString: Any] ?? [:]
            let same = genp("a", ["sha1": found["sha1"] as Any])
            return [
                play.update(same, [kSecAttrLabel: "x"]), play.update(same, [kSecAttrLabel: "y"]), play.delete(same),
                play.copy(genp("a")),
            ]
        },
    ]
}
