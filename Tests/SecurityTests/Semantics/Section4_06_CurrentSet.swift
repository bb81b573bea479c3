import AccessPolicy
import ApplePlatform
import Foundation
import KeyKit
import Latchkey
import LatchkeyTesting
import SecretVault
import Security
import Testing

/// Semantics 4.6: an item that is bound to the enrolled set, after the set has changed.
@Suite struct Section4_06_CurrentSet {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    /// A bound item, an event of the device, and the calls that follow.
    private static func bound(
        _ words: String, _ evidence: Fact.Evidence, _ expected: String,
        on device: @escaping @autoclosure @Sendable () -> SimulatedDevice = SimulatedDevice(),
        _ happens: @escaping @Sendable (SimulatedDevice) -> Void, _ play: @escaping @Sendable (Play) -> [String]
    ) -> Fact {
        Fact(words, evidence, expected, on: device()) { calls in
            _ = calls.add(genp("a").guarded(by: .biometryCurrentSet).holding("x"))
            happens(calls.device)
            calls.device.clearRecords()
            return play(calls)
        }
    }

    private static var secureKey: [CFString: Any] {
        key([kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationTag: "k"])
    }
    private static var guardedKey: [CFString: Any] {
        secureKey.guarded(by: [.privateKeyUsage, .biometryCurrentSet])
    }

    /// The generated key that ``use(_:)`` uses.
    private static var newKey: NewItem {
        get throws {
            NewItem(
                .key, ["atag": .string("used")],
                try AccessControl(protection: .whenUnlocked, flags: [.privateKeyUsage, .biometryCurrentSet]))
        }
    }

    /// A key that only the enclave uses, bound to the current set, and an event of the device.
    private static func enclaveKey(
        _ words: String, _ evidence: Fact.Evidence, _ expected: String,
        on device: @escaping @autoclosure @Sendable () -> SimulatedDevice = SimulatedDevice(),
        _ happens: @escaping @Sendable (SimulatedDevice) -> Void, _ play: @escaping @Sendable (Play) -> [String]
    ) -> Fact {
        Fact(words, evidence, expected, on: device()) { calls in
            _ = calls.add(guardedKey)
            _ = try? Keychain.current.generateKey(newKey)
            happens(calls.device)
            calls.device.clearRecords()
            return play(calls)
        }
    }

    /// The status of using the generated key as `action`.
    private static func use(_ action: Action) -> String {
        do throws(KeychainError) {
            let keychain = try Keychain.current
            let found = try keychain.find(ItemQuery(.key, ["atag": .string("used")], wanted: .reference))
            guard let key = found.first else { return "it is not found" }
            _ = try keychain.useKey(
                .id(key.id), to: action, .sign([1], .ecdsa(.x962, .sha256, .message)), in: nil)
            return "0"
        } catch .denied(let denied) {
            return "\(denied.status?.status.rawValue ?? 1)"
        } catch {
            return "\(error)"
        }
    }

    private static let read: @Sendable (Play) -> [String] = { [$0.copy(genp("a").data), $0.prompts] }
    private static let oneMore: @Sendable (SimulatedDevice) -> Void = { $0.enroll("left thumb") }
    private static let nobody: @Sendable (SimulatedDevice) -> Void = { $0.remove("right index") }

    static let facts: [Fact] = [
        bound("nothing has changed", .code, "0 x; biometry", { _ in }, read),
        bound("a finger more: not found, and nobody is asked", .code, "-25300; -", oneMore, read),
        bound(
            "a finger less: not found", .code, "-25300; -",
            on: SimulatedDevice(enrolled: ["right index", "left thumb"]),
            { $0.remove("left thumb") }, read),
        bound("a finger more: a new add succeeds", .code, "0; 0 new; biometry", oneMore) { play in
            [
                play.add(genp("a").guarded(by: .biometryCurrentSet).holding("new")), play.copy(genp("a").data),
                play.prompts,
            ]
        },
        bound("a finger more: whoever met it has it taken out", .code, "-25300; 1", oneMore) { play in
            let met = play.copy(genp("a").data)
            _ = play.add(genp("b"))
            return [met, "\(play.device.world.items.count)"]
        },
        bound("a finger more: its existence, without asking", .inference, "-25300", oneMore) {
            [$0.copy(genp("a").failing)]
        },
        bound(
            "a finger more and less again, after somebody met it: it does not come back", .code, "-25300; -25300",
            oneMore
        ) {
            play in
            let met = play.copy(genp("a").data)
            return [met, play.after { $0.remove("left thumb") }.copy(genp("a").data)]
        },
        bound(
            "a finger more and less again, met by nobody: it does not come back either", .unverified, "-25300", oneMore
        ) {
            [$0.after { $0.remove("left thumb") }.copy(genp("a").data)]
        },
        bound("nobody is enrolled any more: there is no biometry to tell", .field, "-25293; -", nobody, read),
        bound(
            "nobody is enrolled, the version of the source: not found", .code, "-25300; -",
            on: device { $0.changedSet = .notFound }, nobody, read),
        bound(
            "a finger more, the version of the field: a failed authentication", .field, "-25293; -",
            on: device { $0.changedSet = .authFailed }, oneMore, read),
        bound(
            "the version of the field: it is lost all the same, and replaced", .field, "-25293; 0; 0 new",
            on: device { $0.changedSet = .authFailed }, oneMore
        ) { play in
            [play.copy(genp("a").data), play.add(genp("a").holding("new")), play.copy(genp("a").data)]
        },
        Fact("with another way to open it: that is left", .code, "0 x; passcode") { play in
            _ = play.add(genp("a").guarded(by: [.biometryCurrentSet, .devicePasscode, .or]).holding("x"))
            play.device.enroll("left thumb")
            play.device.clearRecords()
            return [play.copy(genp("a").data), play.prompts]
        },
        enclaveKey(
            "an enclave key, a finger more: still found, asking nobody", .field,
            "0 kcls=1; 0 reference(keys); 0; -25299; -; 0; -25300", oneMore
        ) { play in
            [
                play.copy(secureKey.attributes, showing: "kcls"), play.copy(secureKey.reference), play.copy(secureKey),
                play.add(guardedKey), play.prompts, play.delete(secureKey), play.copy(secureKey),
            ]
        },
        enclaveKey("an enclave key: its use fails, and it stays", .field, "-50; -50; -50; 0; -", oneMore) { play in
            [use(.sign), use(.agree), use(.decapsulate), play.copy(secureKey), play.prompts]
        },
        enclaveKey("an enclave key: an update of it fails like its use", .ours, "-50; 0", oneMore) { play in
            [play.update(secureKey, [kSecAttrLabel: "x"]), play.copy(secureKey)]
        },
        enclaveKey("an enclave key, and nobody is enrolled any more", .field, "-25293; 0", nobody) { play in
            [use(.sign), play.copy(secureKey)]
        },
        enclaveKey(
            "an enclave key, the version of a failed authentication", .field, "-25293; 0",
            on: device { $0.changedSet = .authFailed }, oneMore
        ) { play in [use(.sign), play.copy(secureKey)] },
        enclaveKey("an enclave key, and nothing has changed", .code, "0; biometry", { _ in }) { play in
            [use(.sign), play.prompts]
        },
        Fact("the sensor was wholly reset: what any biometry opened stays", .field, "0 x; 0 y") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            _ = play.add(genp("b").guarded(by: .userPresence).holding("y"))
            play.device.resetBiometry()
            play.device.enroll("right index")
            return [play.copy(genp("a").data), play.copy(genp("b").data)]
        },
        Fact(
            "the sensor was wholly reset, the other version: what any biometry opened is lost", .inference,
            "-25300; 0 y",
            on: device { $0.sensorReset = .replacesSensor }
        ) { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            _ = play.add(genp("b").guarded(by: .userPresence).holding("y"))
            play.device.resetBiometry()
            play.device.enroll("right index")
            return [play.copy(genp("a").data), play.copy(genp("b").data)]
        },
    ]
}
