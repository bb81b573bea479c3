import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// The names that tests of other packages use, exactly as they were fixed.
@Suite struct DesignTests {
    @Test func theExampleIsATest() throws {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234", enrolled: ["right index"])
        try device.run {
            try TokenStore().save("s3cret")
            #expect(try TokenStore().load() == "s3cret")
            device.enroll("left thumb")
            #expect(throws: TokenStore.Failure.self) { try TokenStore().load() }
        }
    }

    @Test func everyNameIsThere() throws {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234", enrolled: ["right index"])
        device.lock()
        device.unlock(passcode: "1234")
        device.unlock(finger: "right index")
        device.reboot()
        device.advance(by: .seconds(30))
        device.unlock(passcode: "1234")
        device.setPasscode("9")
        device.removePasscode()
        #expect(device.passcode == nil)
        device.setPasscode("1234")
        device.enroll("x")
        device.remove("x")
        device.enroll("right index")
        device.user = .stranger
        device.user = Person(fingers: ["right index"], passcode: "1234")
        device.user = .absent
        device.user = .owner(of: device)
        device.app = App(identifier: "com.example.app", groups: ["group.shared"])
        try device.run { try TokenStore().save("s3cret") }
        #expect(device.prompts.isEmpty && device.decisions.allSatisfy { !$0.trace.isEmpty })
        device.fail(next: .read, with: errSecIO)
        device.run { #expect(TokenStore().status() == errSecIO) }
        device.run { #expect(TokenStore().status() == errSecSuccess, "\(device)") }
        #expect(device.prompts.map(\.factor) == [.biometry])
    }

    @Test func theDefaultsAreThoseOfTheDesign() {
        let (plain, spelled) = (
            SimulatedDevice(), SimulatedDevice(biometry: .touchID, passcode: "1234", enrolled: ["right index"])
        )
        for device in [plain, spelled] {
            #expect(device.enrolled == ["right index"] && device.passcode == "1234")
            let world = device.world
            #expect(!world.isLocked && world.hasFirstUnlock && world.hasPasscode && !world.isLockedOut)
            #expect(world.time == .zero && world.items.isEmpty)
            #expect(device.user == .owner(of: device) && device.app == App())
            #expect(device.app.declaresFaceIDUsage && device.app.faceIDPermission == .given)
            #expect(device.misuse == .endsTheProgram && device.companion == .notPaired)
        }
        #expect(Person() == Person(fingers: [], passcode: nil))
    }

    @Test func aPersonRepeatsTheSameAnswer() throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret", flags: .userPresence)
            device.user = .stranger
            #expect(TokenStore().status() == errSecAuthFailed)
            #expect(
                device.prompts.map(\.attempts) == [3, 3] && device.prompts.map(\.factor) == [.biometry, .passcode])
        }
    }

    @Test func onePersonMayLackWhatIsAskedFor() throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret", flags: .userPresence)
            device.user = Person(passcode: "1234")
            #expect(TokenStore().status() == errSecSuccess)
            device.user = Person()
            #expect(TokenStore().status() == errSecUserCanceled)
            // A person with a fallback misses first, because the button only appears then. A person without one
            // dismisses the prompt.
            #expect(device.prompts.map(\.ending) == [.fallback, .answered, .dismissed])
            #expect(device.prompts.map(\.attempts) == [2, 1, 1])
        }
    }

    @Test func thosePresetsAre() {
        #expect(SimulatedDevice.iPhoneWithFaceID().enrolled == ["face"])
        #expect(SimulatedDevice.iPhoneWithTouchID().enrolled == ["right index"])
        #expect(SimulatedDevice.simulator().passcode == nil && SimulatedDevice.simulator().enrolled.isEmpty)
        let mac = SimulatedDevice.mac()
        mac.companion = .ready
        mac.run {
            #expect(throws: Never.self) { try TokenStore().save("s3cret", flags: .userPresence) }
            mac.user = Person(wearsCompanion: true)
            #expect(TokenStore().status() == errSecSuccess)
        }
        #expect(mac.prompts.map(\.factor) == [.biometry, .companion])
        for (device, type) in [
            (SimulatedDevice.iPhoneWithFaceID(), LABiometryType.faceID), (.iPhoneWithTouchID(), .touchID),
            (mac, .touchID), (.simulator(), .faceID),
        ] {
            device.run {
                let context = LAContext()
                context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
                #expect(context.biometryType == type)
            }
        }
    }
}
