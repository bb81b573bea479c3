import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 3.7: SecItemDelete.
@Suite struct Section3_07_Delete {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    static let facts: [Fact] = [
        Fact(
            "the other version: a limit is honored", .field, "0; 0 [acct='b', acct='c']; 0; -25300",
            on: device { $0.limitOfDelete = .honored }
        ) { play in
            for account in ["a", "b", "c"] { _ = play.add(genp(account)) }
            return [
                play.delete(genp().with([kSecMatchLimit: kSecMatchLimitOne])),
                play.copy(genp().attributes.all, showing: "acct"), play.delete(genp().all), play.copy(genp()),
            ]
        },
        Fact("nothing matches", .code, "-25300") { play in [play.delete(genp("a"))] },
        Fact("several match: all are taken out", .header, "0; -25300; 0 [acct='c']") { play in
            for account in ["a", "b"] { _ = play.add(genp(account, [kSecAttrService: "s"])) }
            _ = play.add(genp("c"))
            return [
                play.delete(genp(nil, [kSecAttrService: "s"])), play.copy(genp(nil, [kSecAttrService: "s"])),
                play.copy(genp().attributes.all, showing: "acct"),
            ]
        },
        Fact("a match key", .code, "-50; -50; -50; -50; 0") { play in
            _ = play.add(genp("a"))
            return [
                play.delete(genp("a").all), play.delete(genp("a", [kSecMatchLimit: kSecMatchLimitOne])),
                play.delete(genp("a").upTo(2)), play.delete(genp("a", [kSecMatchCaseInsensitive: true])),
                play.copy(genp("a")),
            ]
        },
        Fact("return keys do no harm", .test, "0; 0; 0; 0; -25300") { play in
            for account in ["a", "b", "c", "d"] { _ = play.add(genp(account)) }
            return [
                play.delete(genp("a").data), play.delete(genp("b").attributes), play.delete(genp("c").object),
                play.delete(genp("d").reference), play.copy(genp()),
            ]
        },
        Fact(
            "the class alone: every local item of it, in all of the app's groups", .code,
            "0; -25300; 0; 0; 0 [acct='a']",
            on: SimulatedDevice(app: App(identifier: "i", groups: ["g"]))
        ) { play in
            _ = (play.add(genp("a")), play.add(genp("b").of("g")), play.add(genp("c").syncing), play.add(inet("d")))
            play.device.app = App(identifier: "other")
            _ = play.add(genp("a"))
            play.device.app = App(identifier: "i", groups: ["g"])
            return [
                play.delete(genp()), play.copy(genp()), play.copy(genp("c").syncing), play.copy(inet("d")),
                play.after { $0.app = App(identifier: "other") }.copy(genp().attributes.all, showing: "acct"),
            ]
        },
        Fact("by reference", .code, "0; -25300; -25300") { play in
            _ = (play.add(genp("a")), play.add(genp("b").syncing))
            let reference = play.reference(of: genp("a"))
            return [play.delete(item(reference)), play.delete(item(reference)), play.copy(genp("a"))]
        },
        Fact("by reference, and an attribute", .code, "-50; -50; 0") { play in
            _ = play.add(genp("a"))
            let reference = play.reference(of: genp("a"))
            return [
                play.delete(item(reference).with([kSecAttrAccount: "a"])), play.delete(item(reference).local),
                play.copy(genp("a")),
            ]
        },
        Fact("an item with an access control: nobody is asked", .test, "0; 0; -; -25300") { play in
            _ = (play.add(genp("a").guarded(by: .biometryAny)), play.add(genp("b").guarded(by: .devicePasscode)))
            return [play.delete(genp("a")), play.delete(genp("b").failing), play.prompts, play.copy(genp())]
        },
        Fact("nobody can be asked, and no biometry is there", .test, "0; -25300") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            play.device.remove("right index")
            play.device.user = .absent
            return [play.delete(genp("a")), play.copy(genp("a"))]
        },
        Fact("an item with the password of the application: it is not asked for", .test, "0; -") { play in
            _ = play.add(genp("a").guarded(by: .applicationPassword).within(context(password: "p")))
            return [play.delete(genp("a")), play.prompts]
        },
        Fact("an item of when a passcode was set, without one", .test, "0; -25300") { play in
            _ = play.add(genp("a").guarded(by: .userPresence, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly))
            play.device.removePasscode()
            return [play.delete(genp("a")), play.delete(genp("a"))]
        },
        Fact("a lost item", .code, "0; -25300") { play in
            _ = play.add(genp("a").guarded(by: .biometryCurrentSet))
            play.device.enroll("left thumb")
            return [play.delete(genp("a")), play.delete(genp("a"))]
        },
        Fact("a locked item", .inference, "0; -25300") { play in
            _ = play.add(genp("a"))
            return [play.locked.delete(genp("a")), play.unlocked.copy(genp("a"))]
        },
        Fact("a locked item of which nobody can tell whether it is meant", .ours, "-25308; 0") { play in
            _ = play.add(genp("a", [kSecAttrIsInvisible: true]))
            return [
                play.locked.delete(genp(nil, [kSecAttrIsInvisible: true])), play.unlocked.copy(genp("a")),
            ]
        },
        Fact("a synchronizable item, and its key is free again", .header, "0; -25300; 0") { play in
            _ = play.add(genp("a").syncing)
            return [play.delete(genp("a").syncing), play.copy(genp("a").syncing), play.add(genp("a").syncing)]
        },
        Fact("an attribute of another class", .test, "-25303; 0") { play in
            _ = play.add(genp("a"))
            return [play.delete(genp("a", [kSecAttrServer: "s"])), play.copy(genp("a"))]
        },
        Fact("what was found of an item means it", .test, "0; 0 [acct='b']") { play in
            _ = (play.add(genp("a")), play.add(genp("b")))
            return [
                play.delete(genp().with(play.attributes(of: genp("a")))),
                play.copy(genp().attributes.all, showing: "acct"),
            ]
        },
    ]
}
