import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 3.3: the defaults.
@Suite struct Section3_03_Defaults {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    /// The first moment of a simulated device, in seconds since the first day of 2001.
    private static let start = 788_918_400.0

    static let facts: [Fact] = [
        Fact("accessible: passwords and keys when unlocked", .code, "0 pdmn='ak'; 0 pdmn='ak'; 0 pdmn='ak'") { play in
            [genp("a"), inet("a"), key()].map { play.add($0.attributes, showing: "pdmn") }
        },
        Fact("accessible: certificates always", .code, "0 pdmn='dk'") { play in
            [play.add(cert().attributes, showing: "pdmn")]
        },
        Fact(
            "accessible: the group com.apple.apsd", .code, "0 pdmn='dku'",
            on: SimulatedDevice(app: App(groups: ["com.apple.apsd"]))
        ) { play in [play.add(genp("a").of("com.apple.apsd").attributes, showing: "pdmn")] },
        Fact(
            "group: the first of the list", .code, "0 agrp='k'; 0 agrp='i'",
            on: SimulatedDevice(app: App(identifier: "i", groups: ["g"], keychainGroups: ["k", "l"]))
        ) { play in
            [
                play.add(genp("a").attributes, showing: "agrp"),
                play.after { $0.app = App(identifier: "i", groups: ["g"]) }.add(genp("a").attributes, showing: "agrp"),
            ]
        },
        Fact("sync: an add without it is local", .code, "0 sync=0; 0 sync=1") { play in
            [
                play.add(genp("a").attributes, showing: "sync"),
                play.add(genp("a").syncing.attributes, showing: "sync"),
            ]
        },
        Fact("sync: a search without it finds local items alone", .code, "0; 0 [acct='local']; -25300; 0; -25300") {
            play in
            _ = play.add(genp("local"))
            return [
                play.add(genp("synced").syncing), play.copy(genp().attributes.all, showing: "acct"),
                play.update(genp("synced"), [kSecAttrLabel: "x"]), play.copy(genp("synced").syncing),
                play.delete(genp("synced")),
            ]
        },
        Fact("sync: a search by reference finds either", .code, "0 v=synced") { play in
            _ = play.add(genp("a").syncing.holding("synced"))
            return [play.copy(item(play.reference(of: genp("a").syncing)).data).replacing("0 ", with: "0 v=")]
        },
        Fact("sync: Any in a query is no filter", .code, "0 [acct='local', acct='synced']; 0; 0; -25300") { play in
            _ = play.add(genp("local"))
            _ = play.add(genp("synced").syncing)
            return [
                play.copy(genp().anySync.attributes.all, showing: "acct"),
                play.update(genp("synced").anySync, [kSecAttrLabel: "x"]), play.delete(genp().anySync),
                play.copy(genp().anySync),
            ]
        },
        Fact("sync: Any in an add is passed over", .code, "0 sync=0") { play in
            [play.add(genp("a").anySync.attributes, showing: "sync")]
        },
        Fact("sync: Any in an update is passed over", .code, "0; 0; -25300; 0; 0") { play in
            _ = (play.add(genp("a").syncing), play.add(genp("b")))
            return [
                play.update(genp("a").syncing, [kSecAttrSynchronizable: kSecAttrSynchronizableAny]),
                play.copy(genp("a").syncing), play.copy(genp("a")),
                play.update(genp("b"), [kSecAttrSynchronizable: kSecAttrSynchronizableAny]), play.copy(genp("b")),
            ]
        },
        Fact("limit: one is found, all are changed, all are taken out", .code, "0 acct='a'; 0; 0; -25300") { play in
            _ = (play.add(genp("a")), play.add(genp("b")))
            return [
                play.copy(genp().attributes, showing: "acct"), play.update(genp(), [kSecAttrLabel: "x"]),
                play.delete(genp(nil, [kSecAttrLabel: "x"])), play.copy(genp()),
            ]
        },
        Fact("interface: whoever is there is asked", .header, "0 x; biometry") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            return [play.copy(genp("a").data), play.prompts]
        },
        Fact("missing: acct and svce are stored as empty", .code, "0 acct='' svce=''; 0; 0") { play in
            [
                play.add(genp().attributes, showing: "acct", "svce"), play.copy(genp("")),
                play.copy(genp().with([kSecAttrService: Data()])),
            ]
        },
        Fact(
            "missing: what an internet password is known by is stored as empty or zero", .code,
            "0 acct='' sdmn='' srvr='' atyp='' path='' ptcl=0 port=0; 0"
        ) { play in
            [
                play.add(inet().attributes, showing: "acct", "sdmn", "srvr", "atyp", "path", "ptcl", "port"),
                play.copy(inet("", [kSecAttrServer: "", kSecAttrPort: 0])),
            ]
        },
        Fact("missing: numbers and dates of keys are zero", .code, "0 kcls=0 crtr=0 type=0 bsiz=0 sdat=0.0 edat=0.0") {
            play in
            [play.add(key().attributes, showing: "kcls", "crtr", "type", "bsiz", "sdat", "edat")]
        },
        Fact("missing: the type of a certificate is zero", .code, "0 ctyp=0") { play in
            [play.add(cert().attributes, showing: "ctyp")]
        },
        Fact("missing: other attributes are absent", .code, "0 labl=nil gena=nil desc=nil invi=nil") { play in
            [play.add(genp("a").attributes, showing: "labl", "gena", "desc", "invi")]
        },
        Fact(
            "dates: an add is dated now, whatever it says", .code,
            "0 cdat=\(start) mdat=\(start); 0 cdat=\(start + 60) mdat=\(start + 60)"
        ) { play in
            let old = Date(timeIntervalSinceReferenceDate: 5)
            return [
                play.add(genp("a", ["cdat": old, "mdat": old]).attributes, showing: "cdat", "mdat"),
                play.after { $0.advance(by: .seconds(60)) }.add(genp("b").attributes, showing: "cdat", "mdat"),
            ]
        },
        Fact(
            "dates: an update is dated now, and later than the one before while the clock stands", .code,
            "0; 0 cdat=\(start) mdat=\(start + 0.001); 0; 0 cdat=\(start) mdat=\(start + 0.002); 0; 0 cdat=\(start) mdat=\(start + 60)"
        ) { play in
            _ = play.add(genp("a"))
            var said: [String] = []
            for _ in 0..<3 {
                if said.count == 4 { play.device.advance(by: .seconds(60)) }
                said.append(play.update(genp("a"), [kSecAttrLabel: "x"]))
                said.append(play.copy(genp("a").attributes, showing: "cdat", "mdat"))
            }
            return said
        },
        Fact("dates: the first can be changed, the second cannot", .code, "0; 0 cdat=5.0 mdat=\(start + 0.001)") {
            play in
            _ = play.add(genp("a"))
            let old = Date(timeIntervalSinceReferenceDate: 5)
            return [
                play.update(genp("a"), [kSecAttrCreationDate: old, kSecAttrModificationDate: old]),
                play.copy(genp("a").attributes, showing: "cdat", "mdat"),
            ]
        },
        Fact("dates: a restart does not turn the clock back", .ours, "0 cdat=\(start + 60)") { play in
            play.device.advance(by: .seconds(60))
            play.device.reboot()
            return [play.add(genp("a").under(kSecAttrAccessibleAlways).attributes, showing: "cdat")]
        },
    ]
}

extension String {
    func replacing(_ start: String, with other: String) -> String {
        hasPrefix(start) ? other + dropFirst(start.count) : self
    }
}
