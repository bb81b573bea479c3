import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Tests of a device's events and of its user.
@Suite struct EventTests {
    @Test func unlockSaysWhetherItWasRight() {
        let device = SimulatedDevice()
        device.lock()
        #expect(!device.unlock(passcode: "wrong") && !device.unlock(passcode: "") && !device.unlock(finger: "another"))
        #expect(device.world.isLocked)
        #expect(device.unlock(finger: "right index") && !device.world.isLocked)
        #expect(device.unlock(passcode: "1234"), "it counts as entered on an unlocked device too")
        let face = SimulatedDevice.iPhoneWithFaceID()
        face.lock()
        #expect(!face.unlock(face: "another") && face.unlock(face: "face"))
        #expect(!SimulatedDevice(biometry: .none).unlock(finger: "right index"))
        #expect(!SimulatedDevice(passcode: nil).unlock(passcode: "1234"))
    }

    @Test func unlockingShowsNoSheet() {
        let device = SimulatedDevice()
        device.user = .absent
        device.lock()
        #expect(device.unlock(passcode: "1234") && device.prompts.isEmpty)
    }

    @Test func aRightPasscodeEndsTheLockout() {
        let device = SimulatedDevice()
        for _ in 1...5 { #expect(!device.unlock(finger: "another")) }
        #expect(device.world.isLockedOut && !device.unlock(finger: "right index"))
        #expect(!device.unlock(passcode: "wrong") && device.world.isLockedOut)
        #expect(device.unlock(passcode: "1234") && !device.world.isLockedOut)
        #expect(device.unlock(finger: "right index"))
    }

    @Test func lockedItemsCloseAfterTheGrace() throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret", flags: [])
            device.lock()
            #expect(TokenStore().status() == errSecSuccess)
            device.advance(by: .seconds(11))
            #expect(TokenStore().status() == errSecInteractionNotAllowed)
        }
        let strict = SimulatedDevice(lockGrace: .zero)
        try strict.run {
            try TokenStore().save("s3cret", flags: [])
            strict.lock()
            #expect(TokenStore().status() == errSecInteractionNotAllowed)
        }
    }

    @Test func whatCannotHappenIsRefusedAndSaysWhy() {
        func refused(_ device: SimulatedDevice, _ body: (SimulatedDevice) -> Bool) -> String? {
            let enrolled = device.enrolled
            let hasHappened = body(device)
            let isUnchanged = device.enrolled == enrolled
            return hasHappened || !isUnchanged
                ? nil : "\(device)".split(separator: "\n").last.map { String($0.drop { $0 == " " }) }
        }
        let lines = [
            refused(SimulatedDevice(biometry: .none)) { $0.enroll("x") },
            refused(SimulatedDevice(biometry: .faceID, enrolled: ["one", "two"])) { $0.enroll("three") },
            refused(SimulatedDevice(enrolled: ["1", "2", "3", "4", "5"])) { $0.enroll("6") },
            refused(SimulatedDevice()) { $0.enroll("right index") },
            refused(SimulatedDevice()) { $0.remove("left thumb") },
            refused(SimulatedDevice(passcode: nil)) { $0.enroll("x") },
            refused(SimulatedDevice(passcode: nil)) { $0.removePasscode() },
            refused(SimulatedDevice()) { $0.setPasscode("") },
            refused(SimulatedDevice()) { $0.advance(by: .seconds(-1)) },
            refused(SimulatedDevice(biometry: .none)) { $0.resetBiometry() },
        ]
        for line in lines {
            #expect(
                line.map { $0.contains(": ") && $0.split(separator: " ").count > 4 } == true, "\(line ?? "it happened")"
            )
        }
    }

    @Test func timeMovesOnlyForwardAndByWholeMilliseconds() {
        let device = SimulatedDevice()
        #expect(device.advance(by: .milliseconds(1500)) && device.world.time == .milliseconds(1500))
        #expect(device.advance(by: .microseconds(400)) && device.world.time == .milliseconds(1501))
        #expect(!device.advance(by: .milliseconds(-1)) && !device.advance(by: .nanoseconds(-1)))
        #expect(device.world.time == .milliseconds(1501))
        #expect(device.advance(by: .zero) && device.world.time == .milliseconds(1501))
    }

    @Test(arguments: [
        (Duration.seconds(Int64.max), false), (.seconds(Int64.max / 1000) + .milliseconds(999), false),
        (.seconds(Int64.min), false), (.seconds(86400 * 365 * 1000), true),
    ]) func timeMayPassForVeryLongAndNotForEver(_ span: Duration, _ isPossible: Bool) throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret")
            #expect(device.advance(by: span) == isPossible && device.advance(by: span) == isPossible)
            #expect(device.world.time == (isPossible ? span * 2 : .zero))
            #expect(isPossible || "\(device)".contains(": refused, "), "\(device)")
            #expect(device.unlock(passcode: "1234"))
            #expect(TokenStore().status() == errSecSuccess, "\(device)")
        }
    }

    @Test func aDeviceMayBeWithoutPasscodeOrSensor() throws {
        for device in [SimulatedDevice(biometry: .none), SimulatedDevice(passcode: nil)] {
            try device.run {
                try TokenStore().save("s3cret", flags: [])
                #expect(TokenStore().status() == errSecSuccess)
                #expect(throws: TokenStore.Failure.self) { try TokenStore().save("s3cret", as: "you") }
            }
            #expect(device.enrolled.isEmpty)
        }
    }

    @Test func whoeverOwnsItFollowsTheDevice() throws {
        let device = SimulatedDevice()
        let snapshot = Person.owner(of: device)
        try device.run {
            try TokenStore().save("one", flags: .biometryAny)
            try TokenStore().save("two", as: "you", flags: .devicePasscode)
            device.enroll("left thumb")
            device.remove("right index")
            device.setPasscode("another")
            #expect(device.user == Person(fingers: ["left thumb"], passcode: "another"))
            #expect(TokenStore().status() == errSecSuccess && TokenStore().status("you") == errSecSuccess)
            device.user = snapshot
            #expect(TokenStore().status() == errSecAuthFailed && TokenStore().status("you") == errSecAuthFailed)
            device.user = .owner(of: device)
            #expect(TokenStore().status("you") == errSecSuccess)
        }
    }

    @Test func nobodyGetsInWhoIsNotTheOwner() throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret", flags: .userPresence)
            for user in [
                Person.stranger, .absent, Person(fingers: ["left thumb"]), Person(passcode: "4321"), Person(),
            ] {
                device.user = user
                #expect(TokenStore().status() != errSecSuccess)
                device.unlock(passcode: "1234")
            }
            device.user = Person(fingers: ["left thumb", "right index"])
            #expect(TokenStore().status() == errSecSuccess)
        }
    }

    @Test(arguments: [
        (SimulatedDevice.Companion.notPaired, errSecAuthFailed), (.away, errSecAuthFailed), (.locked, errSecAuthFailed),
        (.ready, errSecSuccess),
    ]) func aCompanionHasToBeReady(_ companion: SimulatedDevice.Companion, _ status: OSStatus) throws {
        let device = SimulatedDevice()
        device.companion = .ready
        try device.run {
            try TokenStore().save("s3cret", flags: .companion)
            device.companion = companion
            #expect(device.companion == companion)
            #expect(TokenStore().status() == status, "\(device)")
        }
    }

    @Test func anEraseTakesEverything() throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret", flags: [])
            #expect(device.erase())
            #expect(device.passcode == nil && device.enrolled.isEmpty && device.world.items.isEmpty)
            #expect(TokenStore().status() == errSecItemNotFound)
            #expect(device.setPasscode("new") && device.enroll("left thumb"))
            try TokenStore().save("s3cret")
            #expect(TokenStore().status() == errSecSuccess, "\(device)")
        }
    }

    @Test func whatAnAppHasStoredSurvivesItsRemoval() throws {
        let device = SimulatedDevice.iPhoneWithFaceID(app: App(faceIDPermission: .notAsked))
        try device.run {
            try TokenStore().save("s3cret", flags: .biometryAny)
            #expect(TokenStore().status() == errSecSuccess && device.permissionAlerts == 1)
            #expect(device.reinstallApp())
            #expect(device.app.faceIDPermission == .notAsked)
            #expect(TokenStore().status() == errSecSuccess && device.permissionAlerts == 2)
        }
    }

    @Test(arguments: [true, false]) func afterThoseOnlyThePasscodeDoes(_ isRemote: Bool) throws {
        let device = SimulatedDevice()
        try device.run {
            try TokenStore().save("s3cret", flags: .biometryAny)
            #expect(isRemote ? device.lockRemotely() : device.holdButtons())
            device.lock()
            #expect(!device.unlock(finger: "right index") && device.unlock(passcode: "1234"))
            #expect(TokenStore().status() == errSecSuccess)
        }
    }

    @Test(arguments: [(Fidelity.SensorReset.replacesSensor, errSecItemNotFound), (.keepsSensor, errSecSuccess)])
    func aResetMayLoseWhatWantsBiometry(_ reset: Fidelity.SensorReset, _ status: OSStatus) throws {
        #expect(Fidelity().sensorReset == .keepsSensor)
        var fidelity = Fidelity()
        fidelity.sensorReset = reset
        let device = SimulatedDevice(fidelity: fidelity)
        try device.run {
            try TokenStore().save("s3cret", flags: .biometryAny)
            #expect(device.resetBiometry() && device.enrolled.isEmpty)
            device.enroll("right index")
            #expect(TokenStore().status() == status)
        }
    }
}
