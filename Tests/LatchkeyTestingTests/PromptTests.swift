import LatchkeyTesting
import LocalAuthentication
import Testing

/// Tests of events during a prompt.
@Suite struct PromptTests {
    private func unlock(_ policy: LAPolicy = .deviceOwnerAuthentication) async -> Int {
        do {
            try await LAContext().evaluatePolicy(policy, localizedReason: "to look")
            return 0
        } catch {
            return (error as? LAError)?.errorCode ?? 1
        }
    }

    @Test func aDeviceThatIsLockedUnderAPromptTakesItAway() async {
        let device = SimulatedDevice()
        device.whenAsked = { device, _ in device.lock() }
        let code = await device.run { await unlock() }
        #expect(code == LAError.systemCancel.rawValue, "\(device)")
        #expect(device.prompts.map(\.ending) == [.takenAway])
    }

    @Test func whatIsDoneThenHoldsNoDevice() async {
        weak var former: SimulatedDevice?
        do {
            let device = SimulatedDevice()
            device.whenAsked = { device, _ in device.lock() }
            _ = await device.run { await unlock() }
            former = device
        }
        // A thread releases it some time after its reply.
        for _ in 0..<36_000 where former != nil { try? await Task.sleep(for: .milliseconds(5)) }
        #expect(former == nil)
    }

    @Test func aPersonTypesAnApplicationPassword() throws {
        let device = SimulatedDevice()
        try device.run {
            #expect(throws: TokenStore.Failure.self, "the owner knows none") {
                try TokenStore().save("s3cret", flags: .applicationPassword)
            }
            device.user.applicationPassword = "open sesame"
            try TokenStore().save("s3cret", flags: .applicationPassword)
            #expect(try TokenStore().load() == "s3cret")
            #expect(device.prompts.map(\.factor) == [.applicationPassword, .applicationPassword, .applicationPassword])
            #expect(device.prompts.map(\.ending) == [.dismissed, .answered, .answered])
            device.user.applicationPassword = "another"
            #expect(throws: TokenStore.Failure.self) { try TokenStore().load() }
        }
    }

    @Test func somebodyElseMayTakeTheNextAttempt() async {
        let device = SimulatedDevice()
        device.user = .stranger
        device.whenAsked = { device, prompt in if prompt.attempts == 2 { device.user = .owner(of: device) } }
        let code = await device.run { await unlock(.deviceOwnerAuthenticationWithBiometrics) }
        #expect(code == 0, "\(device)")
        #expect(device.prompts.map(\.attempts) == [2])
    }

    @Test func whoeverPrefersTheFallbackTakesItWhereThereIsOne() async {
        let device = SimulatedDevice()
        device.user = Person(fingers: ["right index"], passcode: "1234", prefersFallback: true)
        let codes = await device.run {
            [await unlock(.deviceOwnerAuthenticationWithBiometrics), await unlock(.deviceOwnerAuthentication)]
        }
        #expect(codes == [LAError.userFallback.rawValue, 0], "\(device)")
        #expect(device.prompts.map(\.factor) == [.biometry, .biometry, .passcode])
        #expect(device.prompts.map(\.ending) == [.fallback, .fallback, .answered])
    }

    @Test func everyEventIsOneLineThatSaysWhatCameOfIt() {
        let device = SimulatedDevice()
        device.lock()
        device.unlock(passcode: "0000")
        device.unlock(finger: "left thumb")
        device.unlock(passcode: "1234")
        device.remove("left thumb")
        let lines = "\(device)".split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.hasPrefix("no call reached this device") }  // that is of other tests
        #expect(
            lines == [
                "lock", "unlock by passcode: wrong passcode", "unlock by left thumb: no match",
                "unlock by passcode", "remove left thumb: refused, this finger or face is not enrolled",
            ])
    }
}
