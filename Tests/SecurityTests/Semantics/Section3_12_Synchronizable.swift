import Foundation
import LatchkeyTesting
import Security
import Testing

/// Semantics 3.12: synchronizable items, as far as one device shows them.
@Suite struct Section3_12_Synchronizable {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    static let facts: [Fact] = [
        Fact("every accessibility may be synchronizable", .unverified, "0; 0; 0; 0; 0; 0; 0") { play in
            ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"].map { play.add(genp($0).under($0 as CFString).syncing) }
        },
        Fact(
            "the other version: those of this device only may not", .header, "0; 0; 0; -50; -50; -50; -50",
            on: device { $0.boundSynchronizable = .refused }
        ) { play in
            ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"].map { play.add(genp($0).under($0 as CFString).syncing) }
        },
        Fact(
            "the other version: nor become so by an update", .header, "-50; -50; 0; 0",
            on: device { $0.boundSynchronizable = .refused }
        ) { play in
            _ = (play.add(genp("a").under("aku")), play.add(genp("b").syncing))
            return [
                play.update(genp("a"), [kSecAttrSynchronizable: true]),
                play.update(genp("b").syncing, [kSecAttrAccessible: "aku"]), play.copy(genp("a").under("aku")),
                play.copy(genp("b").syncing.under("ak")),
            ]
        },
        Fact("keys may be synchronizable as well", .header, "0 sync=1") { play in
            [play.add(key(["klbl": Data("k".utf8)]).syncing.attributes, showing: "sync")]
        },
        Fact("it is found as what it is", .header, "0 sync=1; -25300; -25300") { play in
            _ = play.add(genp("a").syncing)
            return [
                play.copy(genp("a").anySync.attributes, showing: "sync"), play.copy(genp("a")),
                play.copy(genp("a").local),
            ]
        },
    ]
}
