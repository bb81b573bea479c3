import Foundation
import LatchkeyTesting
import Security
import Testing

/// Semantics 3.11: persistent references.
@Suite struct Section3_11_References {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    /// A copy, an update and a delete with this value of `kSecValuePersistentRef`.
    private static func calls(_ play: Play, _ value: Any, _ more: [CFString: Any] = [:]) -> [String] {
        let query = [kSecValuePersistentRef: value].with(more)
        return [play.copy(query), play.update(query, [kSecAttrLabel: "x"]), play.delete(query)]
    }

    static let facts: [Fact] = [
        Fact("twenty bytes: the class in four letters, and sixteen", .code, "20 genp; 20 inet; 20 cert; 20 keys") {
            play in
            [genp("a"), inet("a"), cert(), key()].map { query in
                _ = play.add(query.holding("x"))
                let reference = play.reference(of: query)
                return "\(reference.count) \(String(decoding: reference.prefix(4), as: UTF8.self))"
            }
        },
        Fact("it finds its item, and changes it, and takes it out", .code, "0 x; 0; 0") { play in
            _ = play.add(genp("a").holding("x"))
            let reference = play.reference(of: genp("a"))
            return [play.copy(item(reference).data)] + calls(play, reference).dropFirst()
        },
        Fact("it is of that item alone, and always the same", .code, "true; false") { play in
            _ = (play.add(genp("a")), play.add(genp("b")))
            let references = ["a", "a", "b"].map { play.reference(of: genp($0)) }
            return ["\(references[0] == references[1])", "\(references[0] == references[2])"]
        },
        Fact("the old kind, of twelve bytes, finds nothing", .code, "-25300; -25300; -25300") { play in
            _ = play.add(genp("a"))
            return calls(play, Data("genp".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1]))
        },
        Fact("the old kind, with an attribute", .code, "-50; -50; -50") { play in
            calls(play, Data("genp".utf8) + Data(count: 8), [kSecAttrAccount: "a"])
        },
        Fact("bytes that are none", .code, "-50; -50; -50; -50; -50") { play in
            [
                Data(), Data(count: 19), Data("what".utf8) + Data(count: 16), Data("genp".utf8) + Data(count: 17),
                Data("tkpr".utf8) + Data(count: 20),
            ].map { play.copy(item($0)) }
        },
        Fact("no bytes at all", .code, "-50; -50; -50") { play in calls(play, "genp0123456789abcdef") },
        Fact("bytes that are none of an item", .code, "-25300; -25300; -25300") { play in
            calls(play, Data("genp".utf8) + Data(count: 16))
        },
        Fact("the bytes of an item under the letters of another class", .code, "-25300; -25300; -25300; 0") { play in
            _ = play.add(genp("a"))
            return calls(play, Data("inet".utf8) + play.reference(of: genp("a")).dropFirst(4)) + [play.copy(genp("a"))]
        },
        Fact("with its class", .code, "0; 0; 0") { play in
            _ = play.add(genp("a"))
            return calls(play, play.reference(of: genp("a")), [kSecClass: kSecClassGenericPassword])
        },
        Fact("with an attribute, group, accessibility or sync", .code, "-50; -50; -50; -50; 0; 0") { play in
            _ = play.add(genp("a"))
            let query = item(play.reference(of: genp("a")))
            return [
                query.with([kSecAttrAccount: "a"]), query.of("com.example.app"), query.under("ak"), query.local,
                query.anySync, query.guarded(by: []),
            ].map { play.copy($0) }
        },
        Fact("with what else a row has", .code, "-50; -50; -50") { play in
            _ = play.add(genp("a"))
            let query = item(play.reference(of: genp("a")))
            return ["musr": Data() as Any, "tomb": 0, "sha1": Data(count: 20)].sorted { $0.key < $1.key }.map {
                play.copy(query.with([$0.key: $0.value]))
            }
        },
        Fact("with a limit: a list", .code, "0 [x]") { play in
            _ = play.add(genp("a").holding("x"))
            return [play.copy(item(play.reference(of: genp("a"))).data.all)]
        },
        Fact(
            "it outlives updates of everything", .test, "0; 0; 0; 0; 0; 0 new",
            on: SimulatedDevice(app: App(groups: ["g"]))
        ) {
            play in
            _ = play.add(genp("a").holding("x"))
            let query = item(play.reference(of: genp("a")))
            return [
                [kSecAttrAccount: "b"], [kSecAttrAccessible: "dk"], [kSecAttrAccessGroup: "g"],
                [kSecAttrSynchronizable: true], [kSecValueData: Data("new".utf8)],
            ].map { play.update(query, $0) } + [play.copy(query.data)]
        },
        Fact("it does not outlive its item", .code, "-25300; -25300") { play in
            _ = play.add(genp("a"))
            let query = item(play.reference(of: genp("a")))
            _ = (play.delete(genp("a")), play.copy(query), play.add(genp("a")))
            return [play.copy(query), play.delete(query)]
        },
        Fact("it finds synchronizable items as well", .code, "0 x; 0; 0") { play in
            _ = play.add(genp("a").syncing.holding("x"))
            let reference = play.reference(of: genp("a").syncing)
            return [play.copy(item(reference).data)] + calls(play, reference).dropFirst()
        },
        Fact("it outlives a restart, and a removed app", .header, "0 x") { play in
            _ = play.add(genp("a").under("dk").holding("x"))
            let reference = play.reference(of: genp("a"))
            play.device.reboot()
            play.device.reinstallApp()
            return [play.copy(item(reference).data)]
        },
    ]
}
