import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Tests of an app in the background.
@Suite struct BackgroundTests {
    private func evaluate(_ policy: LAPolicy, in context: LAContext = LAContext()) async -> Int {
        do {
            try await context.evaluatePolicy(policy, localizedReason: "to look")
            return 0
        } catch {
            return (error as? LAError)?.errorCode ?? 1
        }
    }

    private static let policies: [LAPolicy] = [.deviceOwnerAuthentication, .deviceOwnerAuthenticationWithBiometrics]

    /// The flags of an item, and the status of a read in the background.
    @Test(arguments: [
        (SecAccessControlCreateFlags(), errSecSuccess), (.userPresence, errSecInteractionNotAllowed),
        (.biometryCurrentSet, errSecInteractionNotAllowed), (.devicePasscode, errSecInteractionNotAllowed),
    ])
    func aReadThatNeedsAPromptFails(_ flags: SecAccessControlCreateFlags, _ status: OSStatus) throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret", flags: flags)
            device.app.isInBackground = true
            #expect(TokenStore().status() == status, "\(device)")
            #expect(device.prompts.isEmpty)
            device.app.isInBackground = false
            #expect(TokenStore().status() == errSecSuccess, "\(device)")
        }
    }

    @Test(arguments: policies) func anEvaluationFails(_ policy: LAPolicy) async {
        let device = SimulatedDevice(app: App(isInBackground: true))
        await device.run {
            #expect(await evaluate(policy) == LAError.notInteractive.rawValue, "\(device)")
            // The check shows no prompt, so it answers as in the foreground.
            #expect(LAContext().canEvaluatePolicy(policy, error: nil))
            device.app.isInBackground = false
            #expect(await evaluate(policy) == 0)
        }
        #expect(device.prompts.count == 1)
    }

    /// An evaluation that has no other answer is not different in the background.
    @Test func whatCouldNotSucceedAnswersAsInTheForeground() async {
        let device = SimulatedDevice(passcode: nil, app: App(isInBackground: true))
        let code = await device.run { await evaluate(.deviceOwnerAuthentication) }
        #expect(code == LAError.passcodeNotSet.rawValue, "\(device)")
    }

    @Test(arguments: policies) func aPromptEndsWhenTheAppGoesThere(_ policy: LAPolicy) async {
        let device = SimulatedDevice()
        device.whenAsked = { device, _ in device.app.isInBackground = true }
        #expect(await device.run { await evaluate(policy) } == LAError.systemCancel.rawValue, "\(device)")
        #expect(device.prompts.map(\.ending) == [.takenAway])
    }

    /// A lock ends the prompt of a read with the same status.
    @Test func thePromptOfAReadEndsWhenTheAppGoesThere() throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret")
            device.whenAsked = { device, _ in device.app.isInBackground = true }
            #expect(TokenStore().status() == errSecAuthFailed, "\(device)")
            #expect(device.calls.last?.explanation.contains(Rule.sheetSystemCanceled.identifier) == true, "\(device)")
        }
        #expect(device.prompts.map(\.ending) == [.takenAway])
    }

    @Test func aContextThatWasAuthenticatedBeforeGoesOn() async throws {
        let device = SimulatedDevice()
        try await device.run {
            try TokenStore().save("s3cret", flags: .userPresence)
            let context = LAContext()
            #expect(await evaluate(.deviceOwnerAuthentication, in: context) == 0)
            device.app.isInBackground = true
            #expect(try TokenStore().load(in: context) == "s3cret", "\(device)")
        }
        #expect(device.prompts.count == 1)
    }

    @Test func aRightIsNotAuthorizedThere() async {
        let device = SimulatedDevice(app: App(isInBackground: true))
        await device.run {
            await #expect(throws: (any Error).self) { try await LARight().authorize(localizedReason: "to look") }
        }
        #expect(device.prompts.isEmpty, "\(device)")
    }

    /// The app stays the same, with its items and its permission.
    @Test func theAppIsNotInstalledAnew() {
        let device = SimulatedDevice.iPhoneWithFaceID(app: App(faceIDPermission: .denied))
        device.app.isInBackground = true
        #expect(device.app == App(faceIDPermission: .denied, isInBackground: true))
        device.app.isInBackground = false
        #expect("\(device)".contains("the app goes to the background\n    the app comes to the foreground"))
        #expect(!"\(device)".contains("install"))
    }
}
