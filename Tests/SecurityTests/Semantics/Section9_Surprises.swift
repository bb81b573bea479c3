import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 9: surprises that people report. The numbers are those of the table.
@Suite struct Section9_Surprises {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    static let facts: [Fact] = [
        Fact("1: an add says duplicate, a read says not found", .field, "-25299; -25300; 0; -25300") { play in
            _ = (play.add(genp("a").under("ck")), play.add(genp("b").syncing))
            return [
                play.add(genp("a").under("ak")), play.copy(genp("a").under("ak")), play.copy(genp("a")),
                play.copy(genp("b")),
            ]
        },
        Fact("2: a new accessibility has no effect when saving", .field, "-25299; 0; 0 pdmn='ak'; 0; 0 pdmn='ck'") {
            play in
            _ = play.add(genp("a"))
            let secret: [CFString: Any] = [kSecValueData: Data("y".utf8)]
            return [
                play.add(genp("a").under("ck").with(secret)), play.update(genp("a"), secret),
                play.copy(genp("a").attributes, showing: "pdmn"), play.update(genp("a"), secret.under("ck")),
                play.copy(genp("a").attributes, showing: "pdmn"),
            ]
        },
        Fact("3: items are there again after a reinstallation", .field, "0") { play in
            _ = play.add(genp("a"))
            return [play.after { $0.reinstallApp() }.copy(genp("a"))]
        },
        Fact("4: without entitlement", .field, "-34018") { play in
            [play.after { $0.app = App(isEntitled: false) }.copy(genp("a"))]
        },
        Fact("5: a background read while locked, or before the first unlock", .field, "-25308; -25308; -25300") {
            play in
            _ = (play.add(genp("a")), play.add(genp("b").under("ck")))
            return [
                play.locked.copy(genp("a")), play.after { $0.reboot() }.copy(genp("b")), play.copy(genp("none")),
            ]
        },
        Fact("6: data of all is given", .field, "0 [x]") { play in
            _ = play.add(genp("a").holding("x"))
            return [play.copy(genp().data.all)]
        },
        Fact("7: synchronizable items are not listed and not deleted", .field, "-25300; -25300; 0; 0") { play in
            _ = play.add(genp("a").syncing)
            return [
                play.copy(genp().all), play.delete(genp()), play.copy(genp().anySync.all), play.delete(genp().anySync),
            ]
        },
        Fact("8: a limit in a delete or an update", .field, "-50; -50") { play in
            _ = play.add(genp("a"))
            return [play.delete(genp("a").all), play.update(genp("a").all, [kSecAttrLabel: "x"])]
        },
        Fact("9: saving a protected value asks; deleting it first does not", .field, "0; biometry; 0; 0; -") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            return [
                play.update(genp("a"), [kSecValueData: Data("y".utf8)]), play.prompts, play.delete(genp("a")),
                play.add(genp("a").guarded(by: .biometryAny).holding("y")), play.prompts,
            ]
        },
        Fact("10: whether it is there, without asking", .field, "-25308; -25300; -") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            let silent = context(silent: true)
            return [play.copy(genp("a").within(silent)), play.copy(genp("z").within(silent)), play.prompts]
        },
        Fact("11: Skip hides, Fail reports", .field, "-25300; -25308") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            return [play.copy(genp("a").skipping), play.copy(genp("a").failing)]
        },
        Fact("12: gone after a finger was added, or unreadable once there are none", .field, "-25300; -25293") { play in
            _ = play.add(genp("a").guarded(by: .biometryCurrentSet))
            _ = play.after { $0.enroll("left thumb") }.copy(genp("a"))
            let gone = play.copy(genp("a"))
            _ = play.add(genp("b").guarded(by: .biometryCurrentSet))
            play.device.remove("left thumb")
            play.device.remove("right index")
            return [gone, play.copy(genp("b"))]
        },
        Fact("13: nothing can be saved after Face ID was reset", .field, "-25293", on: .iPhoneWithFaceID()) { play in
            [play.after { $0.resetBiometry() }.add(genp("a").guarded(by: .biometryAny))]
        },
        Fact("14: when a passcode is set: it is not asked for", .field, "0; -") { play in
            _ = play.add(genp("a").under("akpu"))
            return [play.copy(genp("a")), play.prompts]
        },
        Fact("15: everything under when a passcode is set is lost for good", .field, "-25300") { play in
            _ = play.add(genp("a").under("akpu"))
            play.device.removePasscode()
            play.device.setPasscode("1234")
            return [play.copy(genp("a"))]
        },
        Fact("17: after five misses every app's biometry fails", .field, "-25293; -25293") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            for _ in 0..<5 { play.device.unlock(finger: "a stranger's finger") }
            let mine = play.copy(genp("a"))
            play.device.app = App(identifier: "other")
            _ = play.add(genp("b").guarded(by: .biometryAny))
            return [mine, play.copy(genp("b"))]
        },
        Fact("19: asked for every item, unless a context is handed over", .field, "biometry,biometry; biometry") {
            play in
            for account in ["a", "b"] { _ = play.add(genp(account).guarded(by: .biometryAny)) }
            for account in ["a", "b"] { _ = play.copy(genp(account)) }
            let each = play.prompts
            let context = LAContext()
            for account in ["a", "b"] { _ = play.copy(genp(account).within(context)) }
            return [each, play.prompts]
        },
        Fact("20: gena makes nothing unique", .field, "-25299") { play in
            _ = play.add(genp("a", [kSecAttrGeneric: Data("one".utf8)]))
            return [play.add(genp("a", [kSecAttrGeneric: Data("two".utf8)]))]
        },
        Fact("21: access control with sync, or with accessibility", .field, "-50; -50") { play in
            let item = genp("a").guarded(by: .userPresence)
            return [play.add(item.syncing), play.add(item.under("ak"))]
        },
        Fact("22: a class or a return key in the changes", .field, "-25303; -25303") { play in
            _ = play.add(genp("a"))
            return [play.update(genp("a"), genp()), play.update(genp("a"), [kSecReturnData: true])]
        },
        Fact("23: a query without account means all of them", .field, "0; 0 [new, new]") { play in
            for account in ["a", "b"] { _ = play.add(genp(account).holding("old")) }
            return [play.update(genp(), [kSecValueData: Data("new".utf8)]), play.copy(genp().data.all)]
        },
        Fact("27: deleted, and still a duplicate: the delete meant another", .field, "-25300; -25299; 0; 0") { play in
            _ = play.add(genp("a").syncing)
            return [
                play.delete(genp("a")), play.add(genp("a").syncing), play.delete(genp("a").anySync),
                play.add(genp("a").syncing),
            ]
        },
        Fact("28: an app that changed its groups has lost its items", .field, "-25300") { play in
            _ = play.add(genp("a"))
            return [play.after { $0.app = App(identifier: "other.team") }.copy(genp("a"))]
        },
        Fact("29: success, and no data", .field, "0 nil; 0; 0 nil") { play in
            _ = (play.add(genp("a")), play.add(genp("b").holding("x")))
            return [play.copy(genp("a").data), play.copy(genp("b")), play.copy(genp("b").object)]
        },
    ]
}
