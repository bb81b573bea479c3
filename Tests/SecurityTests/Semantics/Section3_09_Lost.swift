import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 3.9: rows that can never be opened again count as absent. Sections 4.5 and 4.6 say what invalidates them.
@Suite struct Section3_09_Lost {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    private struct Loss: Sendable {
        let words: String
        let evidence: Fact.Evidence
        let item: @Sendable () -> [CFString: Any]
        let happens: @Sendable (SimulatedDevice) -> Void

        func takesPlace(_ play: Play) {
            _ = play.add(item())
            happens(play.device)
        }
    }

    private static let losses = [
        Loss(
            words: "its passcode was removed", evidence: .test,
            item: { genp("a").under(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly).holding("old") },
            happens: { device in
                device.removePasscode()
                device.setPasscode("5678")
            }),
        Loss(
            words: "its set of enrollments has changed", evidence: .code,
            item: { genp("a").guarded(by: .biometryCurrentSet).holding("old") },
            happens: { $0.enroll("left thumb") }),
    ]

    static let facts: [Fact] = losses.flatMap { loss -> [Fact] in
        let (words, evidence) = (loss.words, loss.evidence)
        return [
            Fact("\(words): a search passes over it", evidence, "-25300; -25300; 0 [b]") { play in
                loss.takesPlace(play)
                _ = play.add(genp("b").holding("b"))
                return [play.copy(genp("a").data), play.copy(genp("a")), play.copy(genp().data.all)]
            },
            Fact("\(words): its reference finds nothing", .code, "-25300") { play in
                _ = play.add(loss.item())
                let reference = play.reference(of: genp("a"))
                loss.happens(play.device)
                return [play.copy(item(reference).data)]
            },
            Fact("\(words): an update does not find it", .code, "-25300; -25300") { play in
                loss.takesPlace(play)
                return [play.update(genp("a"), [kSecAttrLabel: "x"]), play.copy(genp("a"))]
            },
            Fact("\(words): an add replaces it", .code, "0; 0 new") { play in
                loss.takesPlace(play)
                return [play.add(genp("a").holding("new")), play.copy(genp("a").data)]
            },
            Fact("\(words): a delete takes it out", .code, "0; 0") { play in
                loss.takesPlace(play)
                return [play.delete(genp("a")), "\(play.device.world.items.count)"]
            },
            Fact("\(words): it goes once somebody met it", .code, "-25300; 1") { play in
                loss.takesPlace(play)
                let met = play.copy(genp("a"))
                _ = play.add(genp("b"))
                return [met, "\(play.device.world.items.count)"]
            },
        ]
    }
}
