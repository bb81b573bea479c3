import Foundation
import LatchkeyTesting
import LocalAuthentication

// A separate process for tests of misuse that ends a program, and of messages on standard error, which it joins with
// standard output: `misuse-exerciser <what>`. It prints "outlived" if it does not end before.
//
// - `reason`, `access-control-reason`, `right-reason` prompt without a reason.
// - `usage` uses Face ID without its usage text.
// - `thrown`, `thrown-nested`, `thrown-two` throw out of one device, out of nested devices, and out of two.

struct Thrown: Error {}

func fail(on device: SimulatedDevice) async throws { try device.run { throw Thrown() } }

@main struct MisuseExerciser {
    static func main() async throws {
        dup2(1, 2)
        let what = CommandLine.arguments.last
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
}
