import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 1.6: the statuses that a client gets for errors of lower layers.
@Suite struct Section1_06_Translation {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    /// A read of an item with these flags, after an event.
    private static func reading(
        _ words: String, _ expected: String, _ flags: SecAccessControlCreateFlags = .biometryAny,
        on device: @escaping @autoclosure @Sendable () -> SimulatedDevice = SimulatedDevice(),
        _ happens: @escaping @Sendable (SimulatedDevice) -> Void
    ) -> Fact {
        Fact(words, .code, expected, on: device()) { play in
            _ = play.add(genp("a").guarded(by: flags).holding("x"))
            happens(play.device)
            return [play.copy(genp("a").data)]
        }
    }

    static let facts: [Fact] = [
        reading("LocalAuthentication: userCancel", "-128") { $0.user = .absent },
        reading("LocalAuthentication: authenticationFailed", "-25293") { $0.user = .stranger },
        reading("LocalAuthentication: passcodeNotSet", "-25293", .devicePasscode) { $0.removePasscode() },
        reading("LocalAuthentication: biometryNotEnrolled", "-25293") { $0.remove("right index") },
        reading("LocalAuthentication: biometryLockout", "-25293") { device in
            for _ in 0..<5 { device.unlock(finger: "a stranger's finger") }
        },
        reading(
            "LocalAuthentication: biometryNotAvailable", "-25293",
            on: SimulatedDevice(biometry: .faceID, enrolled: ["me"])
        ) { $0.app = App(faceIDPermission: .denied) },
        reading("LocalAuthentication: companionNotAvailable", "-25293", .companion, on: paired()) {
            $0.companion = .away
        },
        Fact("LocalAuthentication: notInteractive", .code, "-25308") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            return [play.copy(genp("a").within(context(silent: true)))]
        },
        Fact("LocalAuthentication: invalidContext", .code, "-25293; -25293; -25293") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            let context = LAContext()
            context.invalidate()
            return [
                play.copy(genp("a").within(context)), play.update(genp("a").within(context), [kSecAttrLabel: "x"]),
                play.add(genp("b").guarded(by: .applicationPassword).within(context)),
            ]
        },
        Fact("SQLite: a constraint", .code, "-25299") { play in
            _ = play.add(genp("a"))
            return [play.add(genp("a"))]
        },
        Fact("AKS: locked for reading and for writing", .code, "-25308; -25308") { play in
            _ = play.add(genp("a"))
            return [play.locked.copy(genp("a")), play.add(genp("b"))]
        },
        Fact("AKS: no class key in the keybag", .code, "-25291", on: SimulatedDevice(passcode: nil)) { play in
            [play.add(genp("a").under("akpu"))]
        },
        Fact("AKS: a blob that can never be opened again", .code, "-25300") { play in
            _ = play.add(genp("a").guarded(by: .biometryCurrentSet))
            return [play.after { $0.enroll("left thumb") }.copy(genp("a"))]
        },
        Fact("AKS: the wrong password, and none, without asking", .code, "-25293; -25308") { play in
            _ = play.add(genp("a").guarded(by: .applicationPassword).within(context(password: "p")))
            let context = context(password: "q", silent: true)
            return [play.copy(genp("a").within(context)), play.copy(genp("a").failing)]
        },
        Fact("what a test plans is the status", .ours, "-36; -61; 0; -34") { play in
            play.device.fail(next: .add, with: errSecIO)
            play.device.fail(next: .update, with: errSecWrPerm)
            play.device.fail(next: .delete, with: errSecDiskFull)
            return [
                play.add(genp("a")), play.update(genp("a"), [:]), play.add(genp("a")), play.delete(genp("a")),
            ]
        },
    ]

    private static func paired() -> SimulatedDevice {
        let device = SimulatedDevice()
        device.companion = .ready
        return device
    }
}
