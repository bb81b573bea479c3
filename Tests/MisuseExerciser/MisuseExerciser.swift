import LatchkeyTesting
import LocalAuthentication

// A process of its own that does what Apple's system ends a program for: `misuse-exerciser <what>`, which then says why on
// standard error. It says "outlived" if it is not ended.

@main struct MisuseExerciser {
    static func main() async {
        let context = LAContext()
        let device = SimulatedDevice(
            biometry: .faceID, enrolled: ["face"],
            app: App(declaresFaceIDUsage: CommandLine.arguments.last != "usage"))
        await device.run {
            switch CommandLine.arguments.last {
            case "reason":
                _ = try? await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "")
            case "usage":
                _ = try? await context.evaluatePolicy(
                    .deviceOwnerAuthenticationWithBiometrics, localizedReason: "to see it end")
            case "access-control-reason":
                guard let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, nil)
                else { return }
                _ = try? await context.evaluateAccessControl(access, operation: .useItem, localizedReason: "")
            default:
                _ = try? await context.evaluatePolicy(
                    .deviceOwnerAuthenticationWithBiometrics, localizedReason: "to see it go on")
            }
        }
        print("outlived")
    }
}
