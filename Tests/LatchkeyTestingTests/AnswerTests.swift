import LatchkeyTesting
import LocalAuthentication
import Security
import Synchronization
import Testing

/// Tests of scripts of answers, and of what the closure of a prompt sees.
@Suite struct AnswerTests {
    private func evaluate(_ policy: LAPolicy = .deviceOwnerAuthentication) async -> Int {
        do {
            try await LAContext().evaluatePolicy(policy, localizedReason: "to look")
            return 0
        } catch {
            return (error as? LAError)?.errorCode ?? 1
        }
    }

    /// A script, the codes of the two policies, and the status of a read.
    struct Row: CustomTestStringConvertible, Sendable {
        let answers: [SimulatedDevice.Answer]
        let biometry: Int
        let owner: Int
        let read: OSStatus

        var testDescription: String { answers.map { "\($0)" }.joined(separator: ", ") }

        init(_ answers: [SimulatedDevice.Answer], _ biometry: Int, _ owner: Int, _ read: OSStatus) {
            self.answers = answers
            self.biometry = biometry
            self.owner = owner
            self.read = read
        }
    }

    static let rows = [
        Row([.right], 0, 0, 0), Row([.wrong, .right], 0, 0, 0), Row([.wrong, .wrong, .right], 0, 0, 0),
        Row([.cancel], -2, -2, -128), Row([.wrong, .cancel], -2, -2, -128), Row([.home], -4, -4, -25293),
        Row([.wrong, .wrong, .home], -4, -4, -25293), Row([.wrong, .fallback, .right], -3, 0, 0),
        // Touch ID offers the fallback after the first miss.
        Row([.fallback], -2, -2, -128),
        Row([.wrong, .wrong, .wrong, .right], -1, 0, 0),
        // Three wrong fingers, then three wrong passcodes.
        Row([.wrong, .wrong, .wrong, .wrong, .wrong, .wrong], -1, -1, -25293),
        Row([.wrong, .fallback, .wrong, .right], -3, 0, 0), Row([.wrong, .fallback, .home], -3, -4, -25293),
    ]

    @Test(arguments: rows) func eachAttemptTakesTheNextAnswer(_ row: Row) async throws {
        func device() -> SimulatedDevice {
            let device = SimulatedDevice()
            device.user = .absent
            return device
        }
        let (biometry, owner, reader) = (device(), device(), device())
        (biometry.answers, owner.answers) = (row.answers, row.answers)
        let code = await biometry.run { await evaluate(.deviceOwnerAuthenticationWithBiometrics) }
        #expect(code == row.biometry, "\(biometry)")
        #expect(await owner.run { await evaluate() } == row.owner, "\(owner)")
        #expect(owner.answers.isEmpty, "\(owner)")
        try reader.run {
            try TokenStore().save("s3cret", flags: .userPresence)
            reader.answers = row.answers
            #expect(TokenStore().status() == row.read, "\(reader)")
            #expect(reader.answers.isEmpty)
        }
    }

    @Test func theUserAnswersWhenTheScriptIsUsedUp() async throws {
        let device = SimulatedDevice()
        device.answers = [.wrong, .cancel]
        let codes = await device.run { [await evaluate(), await evaluate()] }
        #expect(codes == [LAError.userCancel.rawValue, 0], "\(device)")
        #expect(device.prompts.map(\.ending) == [.dismissed, .answered] && device.answers.isEmpty)
    }

    @Test func theHomeGestureTakesThePromptAway() async {
        let device = SimulatedDevice()
        device.answers = [.home]
        #expect(await device.run { await evaluate() } == LAError.systemCancel.rawValue)
        #expect(device.prompts.map(\.ending) == [.takenAway])
    }

    /// Every factor has a right answer; all but the companion have a wrong one.
    @Test func anAnswerFitsTheFactorAskedFor() async throws {
        let device = SimulatedDevice()
        device.user = Person(applicationPassword: "open sesame")
        try device.run {
            device.answers = [.right, .right, .wrong, .right]
            try TokenStore().save("s3cret", flags: .applicationPassword)
            #expect(try TokenStore().load() == "s3cret")
            #expect(try TokenStore().load() == "s3cret")
            #expect(device.prompts.map(\.factor) == [.applicationPassword, .applicationPassword, .applicationPassword])
            #expect(device.prompts.map(\.attempts) == [1, 1, 2])
            device.clearRecords()
            device.answers = [.wrong, .wrong, .right]
            try TokenStore().save("s3cret", as: "coded", flags: .devicePasscode)
            #expect(TokenStore().status("coded") == 0, "\(device)")
            #expect(device.prompts.map(\.factor) == [.passcode] && device.prompts.map(\.attempts) == [3])
        }
        let mac = SimulatedDevice.mac()
        mac.companion = .ready
        mac.answers = [.right]
        #expect(await mac.run { await evaluate(.deviceOwnerAuthenticationWithCompanion) } == 0, "\(mac)")
        mac.answers = [.wrong]
        let code = await mac.run { await evaluate(.deviceOwnerAuthenticationWithCompanion) }
        #expect(code == LAError.userCancel.rawValue, "\(mac)")
    }

    @Test func aNewPasswordHasNoWrongAnswer() throws {
        let device = SimulatedDevice()
        device.user = Person(applicationPassword: "open sesame")
        device.run {
            device.answers = [.wrong]
            let failure = #expect(throws: TokenStore.Failure.self) {
                try TokenStore().save("s3cret", flags: .applicationPassword)
            }
            #expect(failure?.status == errSecUserCanceled, "\(device)")
            #expect(device.prompts.map(\.ending) == [.dismissed] && device.answers.isEmpty)
            #expect(device.world.items.isEmpty)
        }
    }

    /// The question for the permission is no prompt of a script.
    @Test func thePermissionTakesNoAnswer() async {
        let device = SimulatedDevice.iPhoneWithFaceID(app: App(faceIDPermission: .notAsked))
        device.answers = [.cancel]
        #expect(await device.run { await evaluate() } == LAError.userCancel.rawValue, "\(device)")
        #expect(device.permissionAlerts == 1 && device.app.faceIDPermission == .given)
    }

    @Test func aPromptThatIsGoneTakesNoAnswer() async {
        let device = SimulatedDevice()
        device.answers = [.cancel]
        device.whenAsked = { device, _ in device.lock() }
        #expect(await device.run { await evaluate() } == LAError.systemCancel.rawValue)
        #expect(device.answers == [.cancel])
    }

    @Test func theClosureSeesTheNumberOfEachAttempt() async {
        let device = SimulatedDevice()
        let seen = Seen()
        device.whenAsked = { _, prompt in seen.add(prompt) }
        device.answers = [.wrong, .wrong, .wrong, .wrong, .right]
        #expect(await device.run { await evaluate() } == 0)
        #expect(seen.prompts.map(\.factor) == [.biometry, .biometry, .biometry, .passcode, .passcode])
        #expect(seen.prompts.map(\.attempts) == [1, 2, 3, 1, 2])
    }

    private final class Seen: Sendable {
        private let records = Mutex<[PromptRecord]>([])
        var prompts: [PromptRecord] { records.withLock { $0 } }
        func add(_ prompt: PromptRecord) { records.withLock { $0.append(prompt) } }
    }
}
