import Foundation
import LatchkeyTesting
import LocalAuthentication
import Testing

/// Semantics 6.3: the answers of `canEvaluatePolicy`.
@Suite struct PreflightTests {
    /// A device, and the result that each policy would have on it now.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let device: @Sendable () -> SimulatedDevice
        /// The results of policies 1 to 4.
        let numbers: [Int]

        init(_ words: String, _ numbers: [Int], _ device: @escaping @Sendable () -> SimulatedDevice) {
            (testDescription, self.numbers, self.device) = (words, numbers, device)
        }
    }

    private static func happened(
        to device: SimulatedDevice = SimulatedDevice(), _ what: (SimulatedDevice) -> Void
    ) -> SimulatedDevice {
        what(device)
        return device
    }

    static let rows: [Row] = [
        Row("all is well", [0, 0, -11, 0]) { SimulatedDevice() },
        Row("no passcode and nobody enrolled", [-7, -5, -11, -7]) { .simulator() },
        Row("no sensor", [-6, 0, -11, -6]) { SimulatedDevice(biometry: .none) },
        Row("no sensor and no passcode", [-6, -5, -11, -6]) { SimulatedDevice(biometry: .none, passcode: nil) },
        Row("nobody enrolled", [-7, 0, -11, -7]) { SimulatedDevice(enrolled: []) },
        Row("locked out", [-8, 0, -11, -8]) { happened { for _ in 1...5 { $0.unlock(finger: "another") } } },
        Row("Face ID was never asked for", [0, 0, -11, 0]) { .iPhoneWithFaceID(app: App(faceIDPermission: .notAsked)) },
        Row("Face ID was permitted", [0, 0, -11, 0]) { .iPhoneWithFaceID(app: App(faceIDPermission: .given)) },
        Row("Face ID was refused", [-6, 0, -11, -6]) { .iPhoneWithFaceID(app: App(faceIDPermission: .denied)) },
        Row("no passcode, though somebody is enrolled", [-5, -5, -11, -5]) { happened { $0.removePasscode() } },
        Row("Face ID was refused, and nobody is enrolled without a passcode", [-6, -5, -11, -6]) {
            .simulator(app: App(faceIDPermission: .denied))
        },
        Row("Touch ID needs no permission", [0, 0, -11, 0]) { SimulatedDevice(app: App(faceIDPermission: .denied)) },
        Row("Touch ID needs no text", [0, 0, -11, 0]) { SimulatedDevice(app: App(declaresFaceIDUsage: false)) },
        Row("Face ID without a text", [-6, 0, -11, -6]) { .iPhoneWithFaceID(app: App(declaresFaceIDUsage: false)) },
        Row("a companion is ready", [0, 0, 0, 0]) { happened { $0.companion = .ready } },
        Row("a companion is away", [0, 0, -11, 0]) { happened { $0.companion = .away } },
        Row("a companion is locked", [0, 0, -11, 0]) { happened { $0.companion = .locked } },
        Row("nobody enrolled, and a companion is ready", [-7, 0, 0, 0]) {
            happened(to: SimulatedDevice(enrolled: [])) { $0.companion = .ready }
        },
        Row("after a restart and the passcode", [0, 0, -11, 0]) {
            happened {
                $0.reboot()
                $0.unlock(passcode: "1234")
            }
        },
    ]

    @Test(arguments: rows) func theAnswerIsTheFirstObstacle(_ row: Row) {
        let device = row.device()
        device.run {
            let numbers = LAPolicy.allCases.map { LAContext().preflight($0) }
            #expect(numbers == row.numbers, "\(device)")
            #expect(device.prompts.isEmpty && device.permissionAlerts == 0)
        }
    }

    static let facts: [Fact] = [
        Fact("nobody is asked, and nothing changes", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            for _ in 1...20 { #expect(context.preflight() == 0) }
            #expect(device.prompts.isEmpty && read("nothing", in: context) == errSecItemNotFound)
        },
        Fact("the answer changes with the device", on: { SimulatedDevice() }) { device in
            let context = LAContext()
            #expect(context.preflight() == 0)
            device.remove("right index")
            #expect(context.preflight() == -7)
            device.enroll("left thumb")
            #expect(context.preflight() == 0)
            device.removePasscode()
            #expect(context.preflight() == -5)
        },
        Fact("it may be called in the reply", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            let number: Int = await withCheckedContinuation { continuation in
                context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test") { _, _ in
                    continuation.resume(returning: context.preflight())
                }
            }
            #expect(number == 0)
        },
        Fact("it fills biometryType, also under a policy without biometry", on: { .iPhoneWithFaceID() }) { _ in
            let context = LAContext()
            #expect(context.preflight(.deviceOwnerAuthentication) == 0)
            #expect(context.biometryType == .faceID)
        },
        Fact("a device with eyes", on: { SimulatedDevice(biometry: .opticID, enrolled: ["eyes"]) }) { _ in
            let context = LAContext()
            #expect(context.preflight() == 0)
            #expect(context.biometryType == .opticID)
        },
        Fact(
            "it fills biometryType where Face ID was refused",
            on: { .iPhoneWithFaceID(app: App(faceIDPermission: .denied)) }
        ) { _ in
            let context = LAContext()
            #expect(context.preflight() == -6)
            #expect(context.biometryType == .faceID)
        },
        Fact("it fills biometryType where nobody is enrolled", on: { SimulatedDevice(enrolled: []) }) { _ in
            let context = LAContext()
            #expect(context.preflight() == -7)
            #expect(context.biometryType == .touchID)
        },
        Fact("it fills biometryType where a test has planned a failure", on: { SimulatedDevice() }) { device in
            device.fail(next: .canEvaluate, with: .biometryNotEnrolled)
            let context = LAContext()
            #expect(context.preflight() == -7)
            #expect(context.biometryType == .touchID)
        },
        Fact("there is no biometryType without a sensor", on: { SimulatedDevice(biometry: .none) }) { _ in
            let context = LAContext()
            #expect(context.preflight() == -6)
            #expect(context.biometryType == .none)
        },
        Fact("it fills evaluatedPolicyDomainState on success", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            #expect(context.preflight() == 0)
            #expect(context.evaluatedPolicyDomainState?.count == 32)
        },
        Fact("it fills no evaluatedPolicyDomainState under a policy without biometry", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            #expect(context.preflight(.deviceOwnerAuthentication) == 0)
            #expect(context.evaluatedPolicyDomainState == nil)
        },
        Fact("it fills no evaluatedPolicyDomainState where it says no", on: { SimulatedDevice(enrolled: []) }) { _ in
            let context = LAContext()
            #expect(context.preflight() == -7)
            #expect(context.evaluatedPolicyDomainState == nil)
        },
        Fact("it says yes where nobody may be asked", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            context.interactionNotAllowed = true
            #expect(context.preflight() == 0)
        },
        Fact("an invalidated context could not be met", on: { SimulatedDevice() }) { _ in
            let context = LAContext()
            context.invalidate()
            #expect(context.preflight() == -10)
        },
        Fact(
            "Face ID without its text does not end the program before it is used",
            on: { .iPhoneWithFaceID(app: App(declaresFaceIDUsage: false)) }
        ) { _ in
            #expect(LAContext().preflight(.deviceOwnerAuthentication) == 0)
        },
    ]

    @Test(arguments: facts) func canEvaluatePolicyIsAsApplesIs(_ fact: Fact) async throws { try await fact.check() }
}
