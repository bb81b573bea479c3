import Foundation
import LatchkeyTesting
import LocalAuthentication

// A process of its own for the tests of what ends a program, and of what is told on standard error, which it joins with
// standard output: `misuse-exerciser <what>`. It says "outlived" if it is not ended.
//
// - `reason`, `access-control-reason`, `right-reason` ask without saying what for.
// - `usage` uses Face ID without its text.
// - `stray` calls where no device was chosen.
// - `thrown`, `thrown-nested`, `thrown-two` throw out of a device, out of one twice, and out of two.

struct Thrown: Error {}

func fail(on device: SimulatedDevice) async throws { try device.run { throw Thrown() } }

@main struct MisuseExerciser {
    static func main() async throws {
        dup2(1, 2)
        let what = CommandLine.arguments.last
        if what == "stray" { return stray() }
        let context = LAContext()
        let device = SimulatedDevice(
            biometry: .faceID, enrolled: ["face"], app: App(declaresFaceIDUsage: what != "usage"))
        try await device.run {
            switch what {
            case "reason":
                _ = try? await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "")
            case "access-control-reason":
                guard
                    let access = SecAccessControlCreateWithFlags(
                        nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, nil)
                else { return }
                _ = try? await context.evaluateAccessControl(access, operation: .useItem, localizedReason: "")
            case "right-reason": try? await LARight().authorize(localizedReason: "")
            case "thrown": try? device.run { throw Thrown() }
            case "thrown-nested":
                try? await device.run { try await device.run { try await fail(on: device) } }
            case "thrown-two": try? SimulatedDevice(enrolled: []).run { try device.run { throw Thrown() } }
            default:
                _ = try await context.evaluatePolicy(
                    .deviceOwnerAuthenticationWithBiometrics, localizedReason: "to see it go on or end")
            }
        }
        print("outlived")
    }

    /// What a test does that has made a device and forgets to run anything on it.
    static func stray() {
        let device = SimulatedDevice()
        for _ in 0..<3 { SecItemDelete([kSecClass: kSecClassGenericPassword]) }
        print(device)
        device.run { SecItemDelete([kSecClass: kSecClassGenericPassword]) }
        print(device)
        print("outlived")
    }
}
