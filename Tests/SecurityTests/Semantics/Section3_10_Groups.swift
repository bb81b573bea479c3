import Foundation
import LatchkeyTesting
import Security
import Testing

/// Semantics 3.10: access groups.
@Suite struct Section3_10_Groups {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    private static let app = App(identifier: "i", groups: ["g"], keychainGroups: ["k", "l"])
    private static let other = App(identifier: "j", groups: ["g"])

    private static func of(_ app: App) -> SimulatedDevice { SimulatedDevice(app: app) }

    static let facts: [Fact] = [
        Fact(
            "the order of the list: keychain groups, identifier, app groups", .code, "k; i; g",
            on: of(app)
        ) { play in
            [app, App(identifier: "i", groups: ["g"]), App(identifier: "g")].map { app in
                play.device.app = app
                return play.add(genp("of \(app.identifier)\(app.keychainGroups)").attributes, showing: "agrp")
                    .replacing("0 agrp='", with: "").replacing("k'", with: "k").replacing("i'", with: "i")
                    .replacing("g'", with: "g")
            }
        },
        Fact("a search without group: all of them", .code, "0 [agrp='g', agrp='i', agrp='k', agrp='l']", on: of(app)) {
            play in
            for group in ["k", "l", "i", "g"] { _ = play.add(genp("a").of(group)) }
            return [play.copy(genp().attributes.all, showing: "agrp")]
        },
        Fact("a search with a group: that one", .code, "0 [agrp='l']; -25300", on: of(app)) { play in
            for group in ["k", "l"] { _ = play.add(genp("a").of(group)) }
            return [play.copy(genp().of("l").attributes.all, showing: "agrp"), play.copy(genp().of("g"))]
        },
        Fact("an update without group: all of them", .code, "0; 0 [agrp='g', agrp='i']", on: of(app)) { play in
            for group in ["i", "g"] { _ = play.add(genp("a").of(group)) }
            return [
                play.update(genp("a"), [kSecAttrLabel: "x"]),
                play.copy(genp(nil, [kSecAttrLabel: "x"]).attributes.all, showing: "agrp"),
            ]
        },
        Fact("an update with a group: that one", .code, "0; 0 [agrp='g']", on: of(app)) { play in
            for group in ["i", "g"] { _ = play.add(genp("a").of(group)) }
            return [
                play.update(genp("a").of("g"), [kSecAttrLabel: "x"]),
                play.copy(genp(nil, [kSecAttrLabel: "x"]).attributes.all, showing: "agrp"),
            ]
        },
        Fact("a delete with a group: that one", .code, "0; 0 [agrp='i']", on: of(app)) { play in
            for group in ["i", "g"] { _ = play.add(genp("a").of(group)) }
            return [play.delete(genp("a").of("g")), play.copy(genp().attributes.all, showing: "agrp")]
        },
        Fact("the group of tokens: nothing is there for a search that names it", .header, "-25300; 0") { play in
            _ = play.add(genp("a"))
            return [play.copy(genp().of("com.apple.token")), play.copy(genp())]
        },
        Fact("the group of tokens: it is not written to", .header, "-34018; -34018; -34018") { play in
            _ = play.add(genp("a"))
            return [
                play.add(genp("b").of("com.apple.token")),
                play.update(genp().of("com.apple.token"), [kSecAttrLabel: "x"]),
                play.delete(genp().of("com.apple.token")),
            ]
        },
        Fact("the group of tokens is never the first", .header, "-34018; 0 agrp='i'", on: of(App(identifier: "i"))) {
            play in
            [
                play.add(genp("a").of("com.apple.token")), play.add(genp("a").attributes, showing: "agrp"),
            ]
        },
        Fact("naming a group that is another's", .test, "-34018; -34018; -34018; -34018") { play in
            let query = genp("a").of("others")
            return [
                play.add(query), play.copy(query), play.update(query, [kSecAttrLabel: "x"]), play.delete(query),
            ]
        },
        Fact("an item of another's group, unnamed", .test, "-25300; -25300; -25300", on: of(app)) { play in
            _ = play.add(genp("a"))
            play.device.app = other
            return [play.copy(genp("a")), play.update(genp("a"), [kSecAttrLabel: "x"]), play.delete(genp("a"))]
        },
        Fact("an item of another's group, by reference", .test, "-25300; -25300; -25300", on: of(app)) { play in
            _ = play.add(genp("a"))
            let reference = play.reference(of: genp("a"))
            play.device.app = other
            return [
                play.copy(item(reference)), play.update(item(reference), [kSecAttrLabel: "x"]),
                play.delete(item(reference)),
            ]
        },
        Fact("an item of a group that two apps share", .code, "0 x; 0; 0", on: of(app)) { play in
            _ = play.add(genp("a").of("g").holding("x"))
            play.device.app = other
            return [
                play.copy(genp("a").data), play.update(genp("a"), [kSecAttrLabel: "x"]), play.delete(genp("a")),
            ]
        },
        Fact("no entitlement at all", .field, "-34018; -34018; -34018; -34018; -34018") { play in
            _ = play.add(genp("a"))
            let reference = play.reference(of: genp("a"))
            play.device.app = App(isEntitled: false)
            return [
                play.add(genp("b")), play.copy(genp("a")), play.update(genp("a"), [kSecAttrLabel: "x"]),
                play.delete(genp("a")), play.copy(item(reference)),
            ]
        },
        Fact("a group may be written as Data", .code, "0 agrp='i'", on: of(App(identifier: "i"))) { play in
            [
                play.add(
                    genp("a", [kSecAttrAccessGroup: Data("i".utf8)]).attributes, showing: "agrp")
            ]
        },
        Fact("groups are compared by case", .code, "-34018", on: of(App(identifier: "i"))) { play in
            [play.copy(genp("a").of("I"))]
        },
    ]
}
