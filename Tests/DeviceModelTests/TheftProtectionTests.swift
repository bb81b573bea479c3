import AccessPolicy
import DeviceModel
import Testing

/// Semantics 7.7: away from familiar places the settings need biometry, and most of them a delay of an hour.
@Suite struct TheftProtectionTests {
    private static let settings = DeviceSettings(stolenDeviceProtection: true)
    private static let delayed: [Event] = [
        .passcodeChanged(Cast.wrong), .passcodeRemoved, .enrolled(Cast.thumb), .removed(Cast.index), .biometryReset,
    ]

    private static func world() -> World { World(Cast.device(settings)) }

    @Test(arguments: delayed) func aPasscodeIsNotEnough(_ event: Event) {
        var world = Self.world()
        #expect(world.act(event, by: Cast.passcodeThief).refusal == .securityDelay)
        #expect(world.act(.securityDelayStarted, by: Cast.passcodeThief).first == .rejected(.biometry))
        #expect(world.act(.securityDelayStarted, by: Person(passcode: Cast.right)).refusal == .personCannot)
        #expect(world.device.securityDelayEnds == nil)
        world.apply(.timePassed(.hours(2)))
        #expect(world.act(event, by: Cast.passcodeThief).refusal == .securityDelay)
    }

    @Test(arguments: delayed) func theOwnerAuthenticatesTwiceAnHourApart(_ event: Event) {
        var world = Self.world()
        #expect(world.act(event, by: Cast.owner).refusal == .securityDelay)
        #expect(world.act(.securityDelayStarted, by: Cast.owner).refusal == nil)
        world.apply(.timePassed(.minutes(59)))
        #expect(world.act(event, by: Cast.owner).refusal == .securityDelay)
        world.apply(.timePassed(.minutes(1)))
        #expect(
            world.act(event, by: Person(passcode: Cast.right)).refusal == .personCannot, "the second time counts too")
        #expect(world.act(event, by: Cast.passcodeThief).first == .rejected(.biometry))
        #expect(world.act(event, by: Person(fingers: [Cast.index])).refusal == .personCannot, "so does the passcode")
        #expect(world.act(event, by: Cast.owner).refusal == nil)
    }

    @Test func erasingTakesBiometryAndNoHour() {
        var world = Self.world()
        #expect(world.act(.erase, by: Cast.passcodeThief).first == .rejected(.biometry))
        #expect(world.act(.erase, by: Cast.owner).refusal == nil)
        var disabled = Self.world()
        for number in 20..<30 as Range<UInt8> {
            disabled.apply(.passcodeEntered(Cast.code(number)))
            disabled.apply(.timePassed(.hours(8)))
        }
        #expect(disabled.device.isDisabled)
        #expect(disabled.act(.erase, by: .absent).refusal == nil, "such a device offers nothing else")
    }

    @Test func otherSettingsAskForThePasscodeAlone() {
        for event in [Event.companionPaired, .backupTaken(encrypted: true)] {
            var world = Self.world()
            #expect(world.act(event, by: Cast.passcodeThief).refusal == nil)
        }
    }

    @Test func whatHappensOfItselfAsksNobody() {
        for event in Self.delayed {
            var world = Self.world()
            #expect(world.apply(event).refusal == nil)
        }
    }

    /// A lock ends a security delay that is over. A delay that still runs survives it.
    @Test func aLockEndsADelayThatIsOver() {
        var world = Self.world()
        world.apply(.securityDelayStarted)
        #expect(world.apply(.securityDelayStarted).refusal == .nothingToChange)
        for event in [Event.lock, .timePassed(.hours(1)), .passcodeEntered(Cast.right)] { world.apply(event) }
        #expect(world.device.isSecurityDelayOver)
        world.apply(.lock)
        #expect(world.device.securityDelayEnds == nil)
        for event in [Event.passcodeEntered(Cast.right), .securityDelayStarted, .timePassed(.hours(1)), .reboot] {
            world.apply(event)
        }
        #expect(world.device.securityDelayEnds == nil)
    }

    @Test(arguments: [Event.passcodeRemoved, .biometryReset, .erase, .removed(Cast.index)])
    func itTakesAPasscodeAndSomebodyEnrolled(_ event: Event) {
        var world = Self.world()
        world.apply(.securityDelayStarted)
        world.apply(event)
        #expect(!world.device.isTheftProtected)
        #expect(world.device.securityDelayEnds == nil)
        #expect(world.apply(.securityDelayStarted).refusal == .notProtected)
    }

    @Test func withoutItNothingWaits() {
        var world = World(Cast.device())
        #expect(world.apply(.securityDelayStarted).refusal == .notProtected)
        for event in Self.delayed {
            var world = World(Cast.device())
            #expect(world.act(event, by: Cast.passcodeThief).refusal == nil)
        }
    }

    /// The normal form keeps the ends of delays apart only if some future distinguishes them.
    @Test func theNormalFormKeepsWhatIsLeft() {
        var early = Self.world()
        early.apply(.securityDelayStarted)
        var late = Self.world()
        late.apply(.timePassed(.minutes(7)))
        late.apply(.securityDelayStarted)
        #expect(early.device.normalized.securityDelayEnds == late.device.normalized.securityDelayEnds)
        late.apply(.timePassed(.minutes(1)))
        #expect(early.device.normalized.securityDelayEnds != late.device.normalized.securityDelayEnds)
        early.apply(.timePassed(.hours(1)))
        late.apply(.timePassed(.hours(3)))
        #expect(early.device.normalized.securityDelayEnds == late.device.normalized.securityDelayEnds)
        #expect(early.device.normalized.isSecurityDelayOver)
    }
}

/// Semantics 7.2: the settings of a device with Face ID can only remove all faces.
@Suite struct OnlyResetTests {
    @Test(arguments: [SensorKind.faceID, .opticID]) func aFaceIsNotRemovedAlone(_ sensor: SensorKind) {
        var world = World(Cast.device(DeviceSettings(sensor: sensor)))
        #expect(world.act(.removed(Cast.index), by: Cast.owner).refusal == .onlyResetRemoves)
        #expect(world.apply(.removed(Cast.index)).refusal == .onlyResetRemoves)
        if sensor.capacity > 1 { world.apply(.enrolled(Cast.thumb)) }
        #expect(world.apply(.removed(Cast.index)).refusal == .onlyResetRemoves)
        #expect(world.act(.biometryReset, by: Cast.passcodeThief).refusal == nil)
        #expect(world.device.enrolled.isEmpty)
    }

    @Test func aFingerIs() {
        var world = World(Cast.device())
        world.apply(.enrolled(Cast.thumb))
        #expect(world.act(.removed(Cast.thumb), by: Cast.owner).refusal == nil)
        #expect(world.device.enrolled == [Cast.index])
    }

    /// A sensor of another make can forget a finger at any time, and the device records it.
    @Test(arguments: [SensorKind.touchID, .faceID, .opticID]) func aSensorForgetsWhomItLikes(_ sensor: SensorKind) {
        var (world, slot) = Cast.world(
            Cast.control(.biometryCurrentSet), on: Cast.device(DeviceSettings(sensor: sensor)))
        #expect(world.act(.sensorForgot(Cast.index), by: Cast.owner).refusal == .personCannot)
        #expect(world.apply(.sensorForgot(Cast.thumb)).refusal == .notEnrolled)
        #expect(world.apply(.sensorForgot(Cast.index)).refusal == nil)
        #expect(world.device.enrolled.isEmpty)
        #expect(world.read(slot) == "biometry.not-enrolled")
    }
}
