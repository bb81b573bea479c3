import AccessPolicy
import DeviceModel
import TestSupport
import Testing

/// The rules of the device itself: semantics 5, 7.1, 7.3 and 7.6.
@Suite struct DeviceTests {
    /// A device for each column of `classes.tsv`.
    static func states() -> [Device] {
        var grace = Cast.device()
        _ = grace.apply(.lock)
        var locked = grace
        _ = locked.apply(.timePassed(.seconds(10)))
        var started = Cast.device()
        _ = started.apply(.reboot)
        var bare = Device()
        _ = bare.apply(.reboot)
        return [Cast.device(), grace, locked, started, bare]
    }

    @Test func classesOpenAsTheTableSays() throws {
        for row in try FixtureTable("classes").rows {
            let keyClass = try #require(Accessibility(rawValue: row[0])).keyClass
            for (device, cell) in zip(Self.states(), row.dropFirst(3)) {
                #expect(device.openClasses.contains(keyClass) == (cell == "open"), "\(row[0]), \(cell)")
            }
        }
    }

    @Test(arguments: [(Fidelity.PasscodeDelays.older, 1), (.measured, 2), (.newer, 3)])
    func delaysFollowTheTable(_ choice: Fidelity.PasscodeDelays, _ column: Int) throws {
        for row in try FixtureTable("delays").rows {
            let attempts = try #require(Int(row[0]))
            if row[column] == "end" {
                #expect(choice.limit == attempts)
            } else if let minutes = Int64(row[column]) {
                #expect(choice.delay(after: attempts) == .minutes(minutes), "after \(attempts)")
                #expect(attempts < choice.limit)
            }
        }
    }

    @Test(arguments: AttemptEnd.allCases) func wrongPasscodesAreCountedDelayedAndEnded(_ end: AttemptEnd) {
        var device = Cast.device(DeviceSettings(attemptEnd: end))
        let delays = device.settings.fidelity.passcodeDelays
        for attempt in 1...10 {
            let effects = device.apply(.passcodeEntered(Cast.code(UInt8(10 + attempt))))
            #expect(effects.first == .rejected(.passcode))
            #expect(effects.contains(.eraseAll) == (attempt == 10 && end == .erases))
            guard attempt < 10 else { break }
            #expect(device.wrongPasscodes.count == attempt)
            let delay = delays.delay(after: attempt)
            if delay > .zero {
                _ = device.apply(.timePassed(delay + TimeSpan(milliseconds: -1)))
                #expect(device.apply(.passcodeEntered(Cast.right)).refusal == .passcodeDelayed)
                _ = device.apply(.timePassed(TimeSpan(milliseconds: 1)))
            }
            #expect(device.passcodeState == .ready)
        }
        switch end {
        case .disables: #expect(device.passcodeState == .disabled)
        case .erases: #expect(device.passcodeState == .notSet)
        case .keepsDelaying: #expect(device.passcodeState == .delayed)
        }
    }

    @Test func theSameWrongPasscodeCountsOnce() {
        var device = Cast.device()
        for _ in 0..<20 { #expect(device.apply(.passcodeEntered(Cast.wrong)).first == .rejected(.passcode)) }
        #expect(device.wrongPasscodes == [Cast.wrong])
        #expect(device.apply(.passcodeEntered(Cast.right)).authenticated(.passcode))
        #expect(device.wrongPasscodes.isEmpty)
    }

    @Test func aRestartRestartsTheDelay() {
        var device = Cast.device()
        for number in 10..<16 {
            _ = device.apply(.timePassed(.minutes(1)))
            _ = device.apply(.passcodeEntered(Cast.code(UInt8(number))))
        }
        #expect(device.delayedUntil - device.now == .minutes(5))
        _ = device.apply(.timePassed(.minutes(4)))
        _ = device.apply(.reboot)
        #expect(device.delayedUntil - device.now == .minutes(5))
        #expect(device.apply(.passcodeEntered(Cast.right)).refusal == .passcodeDelayed)
    }

    @Test func fiveFailedMatchesLockBiometryOutUntilThePasscode() {
        var device = Cast.device()
        for touch in 1...5 {
            let effects = device.apply(.presented(Cast.foreign))
            #expect(effects.first == .rejected(.biometry))
            #expect(effects.contains(.forgetUnlockKey) == (touch == 5))
        }
        #expect(device.biometryState(for: App()) == .lockedOut)
        #expect(device.apply(.presented(Cast.index)).refusal == .passcodeRequired)
        _ = device.apply(.reboot)
        #expect(device.isLockedOut, "a restart does not help")
        _ = device.apply(.passcodeEntered(Cast.right))
        #expect(!device.isLockedOut)
    }

    @Test func aMatchClearsTheCountOfFailedOnes() {
        var device = Cast.device()
        for _ in 0..<4 { _ = device.apply(.presented(Cast.foreign)) }
        #expect(device.apply(.presented(Cast.index)).authenticated(.biometry))
        #expect(device.failedMatches == 0)
    }

    struct Reason: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [Event]
        let requires: Bool
    }

    // Semantics 7.1.
    @Test(arguments: [
        Reason(testDescription: "a lock alone", events: [.lock], requires: false),
        Reason(testDescription: "a restart", events: [.reboot], requires: true),
        Reason(testDescription: "48 hours", events: [.lock, .timePassed(.hours(48))], requires: false),
        Reason(
            testDescription: "more than 48 hours", events: [.lock, .timePassed(.hours(48)), .timePassed(.seconds(1))],
            requires: true),
        Reason(
            testDescription: "48 hours since a lock late in use",
            events: [.timePassed(.hours(40)), .lock, .timePassed(.hours(47))], requires: false),
        Reason(testDescription: "a remote lock", events: [.remoteLock], requires: true),
        Reason(testDescription: "a remote lock of a locked device", events: [.lock, .remoteLock], requires: true),
        Reason(testDescription: "an emergency call", events: [.emergency], requires: true),
        Reason(
            testDescription: "156 hours without the passcode, 4 without biometry",
            events: [.timePassed(.hours(157)), .lock], requires: true),
        Reason(
            testDescription: "156 hours without the passcode, biometry in between",
            events: [.timePassed(.hours(155)), .lock, .presented(Cast.index), .timePassed(.hours(3)), .lock],
            requires: false),
    ])
    func thePasscodeIsRequiredAgain(_ reason: Reason) {
        var device = Cast.device()
        for event in reason.events { #expect(device.apply(event).refusal == nil) }
        #expect(device.conditions().isPasscodeRequired == reason.requires)
        #expect(device.apply(.presented(Cast.index)).authenticated(.biometry) == !reason.requires)
        _ = device.apply(.passcodeEntered(Cast.right))
        #expect(!device.conditions().isPasscodeRequired)
        #expect(!device.isLocked)
    }

    @Test func theOlderTimeoutIsAChoice() {
        var settings = DeviceSettings()
        settings.fidelity.passcodeTimeout = .older
        var device = Cast.device(settings)
        _ = device.apply(.timePassed(.hours(145)))
        #expect(device.conditions().isPasscodeRequired)
    }

    @Test(arguments: [TimeSpan.zero, .seconds(10)]) func theGraceAfterALockIsConfigurable(_ grace: TimeSpan) {
        var device = Cast.device(DeviceSettings(lockGrace: grace))
        let session = device.session
        let effects = device.apply(.lock)
        let closes = Effect.close([.whenUnlocked, .whenPasscodeSet], keptForMatch: true)
        #expect(effects.contains(closes) == (grace == .zero))
        #expect(device.isLocked)
        let later = device.apply(.timePassed(.seconds(10)))
        #expect(later.contains(closes) == (grace != .zero))
        #expect(device.session == session + 1, "what was proved before is void, once")
        #expect(device.apply(.presented(Cast.index)).contains(.open([.whenUnlocked, .whenPasscodeSet])))
    }

    @Test func everyChangeOfEnrollmentBeginsAnEpochThatNeverWas() {
        var device = Cast.device()
        var seen: Set<DomainState> = [device.domainState]
        for event in [
            Event.enrolled(Cast.thumb), .removed(Cast.thumb), .removed(Cast.index), .enrolled(Cast.index),
            .biometryReset,
        ] {
            let before = device.domainState
            let effects = device.apply(event)
            #expect(effects.contains(.destroyDomainState(before)))
            #expect(effects.contains(.destroySensor(before.sensor)) == (device.domainState.sensor != before.sensor))
            #expect(effects.contains(.beginDomainState(device.domainState)))
            #expect(seen.insert(device.domainState).inserted)
        }
    }

    @Test func aResetReplacesTheSensorUnlessFidelitySaysOtherwise() {
        for choice in Fidelity.SensorReset.allCases {
            var settings = DeviceSettings()
            settings.fidelity.sensorReset = choice
            var device = Cast.device(settings)
            let before = device.domainState.sensor
            _ = device.apply(.biometryReset)
            #expect((device.domainState.sensor != before) == (choice == .replacesSensor))
        }
    }

    @Test(arguments: SensorKind.allCases) func aSensorTakesAsManyAsItHasRoomFor(_ kind: SensorKind) {
        var device = Device(DeviceSettings(sensor: kind))
        #expect(device.apply(.enrolled(Cast.index)).refusal == (kind == .none ? .noSensor : .passcodeNotSet))
        _ = device.apply(.passcodeSet(Cast.right))
        for number in 0..<UInt8(kind.capacity) {
            #expect(device.apply(.enrolled(Cast.finger(number))).refusal == nil)
            #expect(device.apply(.enrolled(Cast.finger(number))).refusal == .alreadyEnrolled)
        }
        #expect(device.apply(.enrolled(Cast.finger(20))).refusal == (kind == .none ? .noSensor : .sensorFull))
    }

    @Test func aFingerCountsForNothingWithoutAPasscode() {
        var device = Cast.device()
        _ = device.apply(.passcodeRemoved)
        #expect(device.enrolled == [Cast.index], "enrollments are kept")
        #expect(device.apply(.presented(Cast.index)).refusal == .passcodeNotSet)
        #expect(device.apply(.lock).refusal == .passcodeNotSet)
    }

    @Test func aRemovedPasscodeDestroysItsClassForGood() {
        var device = Cast.device()
        let first = device.passcodeClassKey
        #expect(device.apply(.passcodeRemoved).contains(.destroyPasscodeClass(first)))
        #expect(device.apply(.passcodeSet(Cast.right)).contains(.createPasscodeClass(first + 1)))
        #expect(device.apply(.passcodeChanged(Cast.wrong)).contains(.rewrapRoot))
        #expect(device.passcodeClassKey == first + 1, "a change keeps the class")
    }

    @Test func aFaceNeedsPermissionAndATextButAFingerDoesNot() {
        for kind in [SensorKind.touchID, .faceID, .opticID] {
            var device = Cast.device(DeviceSettings(sensor: kind))
            #expect(device.apply(.biometryDenied(.first)).refusal == (kind == .touchID ? .permissionNotNeeded : nil))
            #expect(device.conditions().biometry == (kind == .touchID ? .ready : .notPermitted))
            _ = device.apply(.appInstalled(.first, App(declaresUsage: false)))
            #expect(device.conditions().biometry == (kind == .touchID ? .ready : .noUsageText))
        }
    }

    @Test func countersThatRunOutRefuseInsteadOfComingBack() {
        var device = Cast.device()
        device.domainState = DomainState(sensor: .max, epoch: .max)
        for event in [Event.enrolled(Cast.thumb), .removed(Cast.index), .biometryReset, .erase] {
            let before = device
            #expect(device.apply(event).refusal == .countersExhausted)
            #expect(device == before)
        }
    }
}
