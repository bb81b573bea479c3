import Foundation
import LatchkeyTesting
import Security
import Testing

/// Semantics 5: when an item of each class can be read and written.
@Suite struct Section5_Accessibility {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    private enum Opening: CaseIterable { case whenUnlocked, afterFirstUnlock, always }

    private static let classes: [(name: String, opening: Opening)] = [
        ("akpu", .whenUnlocked), ("aku", .whenUnlocked), ("ak", .whenUnlocked), ("cku", .afterFirstUnlock),
        ("ck", .afterFirstUnlock), ("dku", .always), ("dk", .always),
    ]

    /// A copy, an update and an add of an item of the class, in a state of the device in which the class is open or
    /// locked.
    private static func calls(
        _ words: String, _ evidence: Fact.Evidence, isOpen: (Opening) -> Bool,
        _ happens: @escaping @Sendable (SimulatedDevice) -> Void
    ) -> [Fact] {
        classes.map { name, opening in
            let isOpen = isOpen(opening)
            return Fact(
                "\(name), \(words): \(isOpen ? "open" : "closed")", evidence,
                isOpen ? "0 x; 0; 0; 0" : "-25308; -25308; -25308; -25308"
            ) { play in
                _ = play.add(genp("a").under(name as CFString).holding("x"))
                happens(play.device)
                return [
                    play.copy(genp("a").data),
                    play.copy(genp("a").attributes).replacing("0 {", with: "0; {")
                        .components(separatedBy: ";")[0],
                    play.update(genp("a"), [kSecAttrLabel: "l"]), play.add(genp("b").under(name as CFString)),
                ]
            }
        }
    }

    static let facts: [Fact] =
        calls("unlocked", .code, isOpen: { _ in true }) { _ in }
        + calls("locked", .test, isOpen: { $0 != .whenUnlocked }) { device in
            device.lock()
            device.advance(by: .seconds(11))
        }
        + calls("unlocked again", .code, isOpen: { _ in true }) { device in
            device.lock()
            device.advance(by: .seconds(11))
            device.unlock(passcode: "1234")
        }
        + calls("unlocked again by a finger", .documentation, isOpen: { _ in true }) { device in
            device.lock()
            device.advance(by: .seconds(11))
            device.unlock(finger: "right index")
        }
        + calls("before the first unlock", .test, isOpen: { $0 == .always }) { $0.reboot() }
        + calls("after the first unlock, and locked", .code, isOpen: { $0 != .whenUnlocked }) { device in
            device.reboot()
            device.unlock(passcode: "1234")
            device.lock()
            device.advance(by: .seconds(11))
        }
        + [
            Fact("for ten seconds after a lock it stays open", .documentation, "0 x; 0 x; -25308") { play in
                _ = play.add(genp("a").holding("x"))
                play.device.lock()
                return [
                    play.copy(genp("a").data), play.after { $0.advance(by: .seconds(9)) }.copy(genp("a").data),
                    play.after { $0.advance(by: .seconds(2)) }.copy(genp("a").data),
                ]
            },
            Fact(
                "without a passcode the device is always unlocked", .documentation, "0 x; 0 x; 0 x",
                on: SimulatedDevice(passcode: nil)
            ) { play in
                for name in ["ak", "ck"] { _ = play.add(genp(name).under(name as CFString).holding("x")) }
                return [
                    play.locked.copy(genp("ak").data), play.after { $0.reboot() }.copy(genp("ak").data),
                    play.copy(genp("ck").data),
                ]
            },
            Fact("akpu goes with the passcode, the others stay", .code, "-25300; 0 x; 0 x; 0 x") { play in
                for name in ["akpu", "aku", "cku", "dku"] {
                    _ = play.add(genp(name).under(name as CFString).holding("x"))
                }
                play.device.removePasscode()
                return ["akpu", "aku", "cku", "dku"].map { play.copy(genp($0).data) }
            },
            Fact("an accessibility asks nobody", .field, "0 x; -") { play in
                _ = play.add(genp("a").under("akpu").holding("x"))
                return [play.copy(genp("a").data), play.prompts]
            },
            Fact("an app that is removed leaves its items", .field, "0 x") { play in
                _ = play.add(genp("a").holding("x"))
                return [play.after { $0.reinstallApp() }.copy(genp("a").data)]
            },
            Fact("an erased device has none", .documentation, "-25300; 0") { play in
                _ = (play.add(genp("a").under("dk")), play.add(genp("b")))
                play.device.erase()
                return [play.copy(genp("a")), "\(play.device.world.items.count)"]
            },
        ]
}
