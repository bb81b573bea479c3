import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 3.5: SecItemAdd.
@Suite struct Section3_05_Add {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    static let facts: [Fact] = [
        Fact("a live item under the same key", .test, "0; -25299; 0 first") { play in
            [
                play.add(genp("a").holding("first")), play.add(genp("a").holding("second")), play.copy(genp("a").data),
            ]
        },
        Fact("the key of an item that was deleted", .code, "0; 0; 0; 0 second") { play in
            [
                play.add(genp("a").holding("first")), play.delete(genp("a")), play.add(genp("a").holding("second")),
                play.copy(genp("a").data),
            ]
        },
        Fact("the key of an item that is lost with its passcode", .test, "0; 0 second") { play in
            _ = play.add(genp("a").under(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly).holding("first"))
            play.device.removePasscode()
            return [play.add(genp("a").holding("second")), play.copy(genp("a").data)]
        },
        Fact("the key of an item that is lost with its enrollments", .code, "0; 0 second; -") { play in
            _ = play.add(genp("a").guarded(by: .biometryCurrentSet).holding("first"))
            play.device.enroll("left thumb")
            return [play.add(genp("a").holding("second")), play.copy(genp("a").data), play.prompts]
        },
        Fact("a locked class, before duplicates", .test, "-25308; -25308; 0") { play in
            _ = play.add(genp("a"))
            return [
                play.locked.add(genp("a")), play.add(genp("b")), play.add(genp("c").under(kSecAttrAccessibleAlways)),
            ]
        },
        Fact("over a protected item: asks, then says duplicate", .code, "-25299; biometry") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            return [play.add(genp("a")), play.prompts]
        },
        Fact("over a protected item, dismissed", .code, "-128") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            return [play.after { $0.user = .absent }.add(genp("a"))]
        },
        Fact("over a protected item, with nobody asked", .field, "-25308; -") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            return [play.add(genp("a").failing), play.prompts]
        },
        Fact(
            "over a protected item, the other version: duplicate at once", .field, "-25299; -",
            on: device { $0.duplicate = .answersAtOnce }
        ) { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            return [play.add(genp("a")), play.prompts]
        },
        Fact("a group that is not the app's", .test, "-34018") { play in [play.add(genp("a").of("others"))] },
        Fact("the group of tokens", .code, "-34018") { play in [play.add(genp("a").of("com.apple.token"))] },
        Fact("no v_Data", .test, "0; 0") { play in [play.add(genp("a")), play.copy(genp("a"))] },
        Fact("v_PersistentRef", .code, "-50; -50") { play in
            _ = play.add(genp("a"))
            let reference = play.reference(of: genp("a"))
            return [play.add(genp("b").with(item(reference))), play.add(item(reference))]
        },
        Fact("a match key: success, and nothing is stored", .code, "0; 0; -25300; said") { play in
            let said = [play.add(genp("a").all), play.add(genp("a", [kSecMatchCaseInsensitive: true]))]
            let isSaid = play.device.calls.allSatisfy { $0.explanation.contains("nothing was stored") }
            return said + [play.copy(genp("a")), isSaid ? "said" : "not said"]
        },
        Fact(
            "a match key, the other version: refused", .ours, "-50; -25300",
            on: device { $0.matchOnAdd = .refused }
        ) { play in [play.add(genp("a").all), play.copy(genp("a"))] },
        Fact("a match key, and a fault before it", .code, "-25303; -34018; -25306; -50") { play in
            [
                play.add(genp("a", [kSecAttrServer: "x"]).all), play.add(genp("a").of("others").all),
                play.add(genp("a", [kSecClass: "what"]).all), play.add([kSecAttrAccount: "a"].all),
            ]
        },
        Fact("no return key: nothing is given", .header, "0") { play in [play.add(genp("a").holding("x"))] },
        Fact("returns: data", .header, "0 x; 0 nil; 0 ") { play in
            [
                play.add(genp("a").holding("x").data), play.add(genp("b").data), play.add(genp("c").holding("").data),
            ]
        },
        Fact(
            "returns: attributes", .header,
            "0 {accc acct agrp cdat mdat musr pdmn svce sync tomb}; 0 acct='b' svce='' agrp='com.example.app' pdmn='ak' sync=0"
        ) { play in
            [
                play.add(genp("a").holding("x").attributes),
                play.add(genp("b").attributes, showing: "acct", "svce", "agrp", "pdmn", "sync"),
            ]
        },
        Fact(
            "returns: data and attributes", .header, "0 {accc acct agrp cdat mdat musr pdmn sha1 svce sync tomb v_Data}"
        ) { play in [play.add(genp("a").holding("x").data.attributes)] },
        Fact("returns: a reference", .header, "0 reference(genp); 0 reference(inet)") { play in
            [play.add(genp("a").reference), play.add(inet("a").reference)]
        },
        Fact("returns: a reference and data", .header, "0 {v_Data v_PersistentRef}") { play in
            [play.add(genp("a").holding("x").reference.data)]
        },
        Fact("returns: what a search would give", .header, "same") { play in
            var added: CFTypeRef?
            let asking = genp("a").holding("x").data.attributes.reference
            SecItemAdd(asking as CFDictionary, &added)
            let found = play.given(genp("a").data.attributes.reference)
            guard let added = added as? [CFString: Any], let found = found as? [CFString: Any] else { return ["none"] }
            let isSame = added.count == found.count && added.allSatisfy { CFEqual($0.value, found[$0.key]) }
            return [isSame ? "same" : "\(added) \(found)"]
        },
        Fact("returns: of a protected item, with nobody asked", .header, "0 x; -") { play in
            [play.add(genp("a").guarded(by: .biometryAny).holding("x").data), play.prompts]
        },
        Fact("returns: the object of a password is nothing", .header, "0 nil") { play in
            [play.add(genp("a").holding("x").object)]
        },
        Fact("an access control for private keys", .test, "-25293; -25293") { play in
            [
                play.add(genp("a").guarded(by: .privateKeyUsage)),
                play.add(genp("a").guarded(by: [.privateKeyUsage, .userPresence])),
            ]
        },
        Fact("32 KiB and more", .code, "0; 0 40000") { play in
            [
                play.add(genp("a").holding(String(repeating: "x", count: 40_000))),
                "0 \((play.given(genp("a").data) as? Data)?.count ?? 0)",
            ]
        },
        Fact("2 KiB of attributes and more", .code, "0; 0") { play in
            let long = String(repeating: "x", count: 5000)
            return [play.add(genp(long, [kSecAttrComment: long])), play.copy(genp(long, [kSecAttrComment: long]))]
        },
        Fact("more than the vault takes", .ours, "-25302") { play in
            [play.add(genp("a", [kSecValueData: Data(count: 64 * 1024 * 1024 + 1)]))]
        },
    ]
}
