import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 4.5: how the state of the device affects adding and reading.
@Suite struct Section4_05_Conditions {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    private static func bare(_ change: (inout Fidelity) -> Void = { _ in }) -> SimulatedDevice {
        var fidelity = Fidelity()
        change(&fidelity)
        return SimulatedDevice(passcode: nil, enrolled: [], fidelity: fidelity)
    }

    private static var bound: CFString { kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly }

    /// The status of an add under each of these flags.
    private static func adds(
        _ words: String, _ evidence: Fact.Evidence, _ flags: SecAccessControlCreateFlags..., status: String,
        on device: @escaping @autoclosure @Sendable () -> SimulatedDevice = SimulatedDevice(),
        _ before: @escaping @Sendable (SimulatedDevice) -> Void = { _ in }
    ) -> Fact {
        Fact(words, evidence, flags.map { _ in status }.joined(separator: "; "), on: device()) { play in
            before(play.device)
            return flags.map { play.add(genp("\($0.rawValue)").guarded(by: $0)) }
        }
    }

    static let facts: [Fact] = [
        Fact("akpu without passcode: add", .test, "-25291; -25291", on: bare()) { play in
            [play.add(genp("a").under(bound)), play.add(genp("b").guarded(by: .userPresence, bound))]
        },
        Fact(
            "akpu without passcode, the other version: add", .code, "-25293",
            on: bare { $0.addWithoutPasscode = .authFailed }
        ) { play in [play.add(genp("a").under(bound))] },
        Fact(
            "akpu without passcode, as on iOS 8: add", .field, "-26275", on: bare { $0.addWithoutPasscode = .decode }
        ) { play in [play.add(genp("a").under(bound))] },
        Fact("akpu, passcode removed: it is not there, also once another is set", .test, "-25300; -25300; 0; 0 new") {
            play in
            _ = play.add(genp("a").under(bound).holding("x"))
            play.device.removePasscode()
            let gone = play.copy(genp("a").data)
            play.device.setPasscode("5678")
            return [
                gone, play.copy(genp("a").data), play.add(genp("a").under(bound).holding("new")),
                play.copy(genp("a").data),
            ]
        },
        Fact("akpu, passcode changed: it stays", .inference, "0 x") { play in
            _ = play.add(genp("a").under(bound).holding("x"))
            return [play.after { $0.setPasscode("5678") }.copy(genp("a").data)]
        },
        adds(
            "no passcode: add of what needs one", .inference, .userPresence, .devicePasscode, status: "-25293",
            on: bare()),
        Fact("no passcode: read of what needs one, which stays", .documentation, "-25293; -25293; 0 x") { play in
            _ = play.add(genp("a").guarded(by: .userPresence).holding("x"))
            _ = play.add(genp("b").guarded(by: .devicePasscode).holding("x"))
            play.device.removePasscode()
            let statuses = [play.copy(genp("a").data), play.copy(genp("b").data)]
            return statuses + [play.after { $0.setPasscode("5678") }.copy(genp("b").data)]
        },
        adds(
            "no sensor: add of what needs one", .field, .biometryAny, .biometryCurrentSet, status: "-25293",
            on: SimulatedDevice(biometry: .none)),
        adds(
            "nobody is enrolled: add of what needs biometry", .field, .biometryAny, .biometryCurrentSet,
            status: "-25293"
        ) { $0.remove("right index") },
        adds(
            "Face ID was refused to the app: add of what needs it", .field, .biometryAny, .biometryCurrentSet,
            status: "-25293",
            on: SimulatedDevice(biometry: .faceID, enrolled: ["me"], app: App(faceIDPermission: .denied))),
        adds("no companion: add of what needs one", .header, .companion, status: "-25293"),
        adds("nobody is enrolled: presence needs no biometry", .header, .userPresence, status: "0") {
            $0.remove("right index")
        },
        Fact("no sensor or nobody enrolled: read of what takes any biometry", .field, "-25293; -128; 0 x; passcode") {
            play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            _ = play.add(genp("b").guarded(by: .userPresence).holding("x"))
            play.device.remove("right index")
            let status = play.copy(genp("a").data)
            let dismissed = play.after { $0.user = .absent }.copy(genp("b").data)
            play.device.clearRecords()
            return [status, dismissed, play.after { $0.user = .owner(of: $0) }.copy(genp("b").data), play.prompts]
        },
        Fact(
            "locked out: biometry alone is not read, presence by the passcode, which ends it", .documentation,
            "-25293; 0 x; passcode; 0 x; biometry"
        ) {
            play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            _ = play.add(genp("b").guarded(by: .userPresence).holding("x"))
            for _ in 0..<5 { play.device.unlock(finger: "a stranger's finger") }
            play.device.clearRecords()
            return [
                play.copy(genp("a").data), play.copy(genp("b").data), play.prompts, play.copy(genp("a").data),
                play.prompts,
            ]
        },
        adds("locked out: add of what needs biometry", .unverified, .biometryAny, .biometryCurrentSet, status: "0") {
            device in
            for _ in 0..<5 { device.unlock(finger: "a stranger's finger") }
        },
        adds(
            "locked out, the other version: add of what needs biometry", .unverified, .biometryAny, .biometryCurrentSet,
            status: "-25293", on: device { $0.addDuringLockout = .refused }
        ) { device in
            for _ in 0..<5 { device.unlock(finger: "a stranger's finger") }
        },
        Fact("a finger more or less: any biometry and presence stay", .documentation, "0 x; 0 y; 0 x; 0 y") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            _ = play.add(genp("b").guarded(by: .userPresence).holding("y"))
            func read() -> [String] { [play.copy(genp("a").data), play.copy(genp("b").data)] }
            play.device.enroll("left thumb")
            let first = read()
            play.device.remove("right index")
            return first + read()
        },
        Fact("a finger more: what is bound to the set is lost, and bound anew", .code, "-25300; 0; 0 new") { play in
            _ = play.add(genp("a").guarded(by: .biometryCurrentSet).holding("x"))
            play.device.enroll("left thumb")
            return [
                play.copy(genp("a").data), play.add(genp("a").guarded(by: .biometryCurrentSet).holding("new")),
                play.copy(genp("a").data),
            ]
        },
    ]
}
