import AccessPolicy
import DeviceModel
import Testing

/// Attacks that once succeeded against the model, and must not again.
@Suite struct WideningTests {
    static let weakenings: [(flags: AccessControlFlags, weaker: AccessControl)] = [
        ([.biometryCurrentSet, .privateKeyUsage], AccessControl(.whenUnlocked)),
        ([.biometryAny, .privateKeyUsage, .applicationPassword], Cast.control(.privateKeyUsage)),
    ]

    @Test(arguments: weakenings)
    func aKeysDemandIsNotReplacedWithoutWhatGuardsItsUse(_ flags: AccessControlFlags, _ weaker: AccessControl) {
        var world = World(Cast.device())
        let slot = world.place(Item(Cast.control(flags), isKey: true), applicationPassword: 1)
        let update = Call(.item(slot, .update, control: weaker), by: .absent, interaction: .fail)
        #expect(world.perform(update).verdict == "interaction.not-allowed")
        #expect(world[slot]?.item.control == Cast.control(flags))
    }

    @Test func aKeyIsNeverReadAndAPasswordNeverSigns() {
        for control in [AccessControl(.whenUnlocked), Cast.control([]), Cast.control(.privateKeyUsage)] {
            var world = World(Cast.device())
            let key = world.place(Item(control, isKey: true))
            #expect(world.read(key) == "operation.without-entry")
            guard !control.guardsKeyUse else { continue }
            let password = world.place(Item(control))
            for action in [Action.sign, .agree, .decapsulate, .attest] {
                #expect(world.perform(Call(action, password, by: Cast.owner)).verdict == "operation.without-entry")
            }
        }
    }

    @Test func aPreflightChangesNothing() {
        var (world, slot) = Cast.world(Cast.control(.biometryCurrentSet))
        let empty = world.place(Item(Cast.control(.biometryAny)), stored: false)
        var lost = world
        lost.apply(.enrolled(Cast.thumb))
        for start in [world, lost] {
            for (action, at) in Action.allCases.flatMap({ [($0, slot), ($0, empty)] }) {
                for control in [nil, AccessControl(.whenUnlocked)] {
                    var after = start
                    after.perform(Call(.item(at, action, control: control), by: Cast.owner, interaction: .preflight))
                    #expect(after == start, "\(action)")
                }
            }
        }
        #expect(world[slot]?.isPresent == true)
    }

    @Test func anUnlockWithinTheGraceDoesNotReviveWhatTheFormerHolderProved() {
        var (world, slot) = Cast.world(Cast.control(.biometryCurrentSet))
        for event in [Event.lock, .timePassed(.seconds(10)), .presented(Cast.index)] { world.apply(event) }
        var owners = Context()
        world.perform(Call(.readData, slot, by: Cast.owner), in: &owners)
        world.apply(.lock)
        world.apply(.timePassed(.seconds(5)))
        world.act(.passcodeEntered(Cast.right), by: Cast.passcodeThief)
        #expect(world.perform(Call(.readData, slot, by: .absent), in: &owners).verdict == "sheet.cancelled")
        var fresh = Context()
        fresh.reuse = .minutes(5)
        #expect(world.perform(Call(.readData, slot, by: .absent), in: &fresh).verdict == "sheet.cancelled")
    }

    @Test(arguments: [Event.remoteLock, .emergency]) func aLockFromAfarHasNoGrace(_ event: Event) {
        for before in [[], [Event.lock]] {
            var (world, slot) = Cast.world(AccessControl(.whenUnlocked))
            for earlier in before { world.apply(earlier) }
            world.apply(event)
            #expect(world.read(slot) == "class.locked")
        }
    }

    @Test func aReusedUnlockNeedsBiometryThatCouldMatchNow() {
        let cases: [(sensor: SensorKind, events: [Event], verdict: String)] = [
            (.touchID, [], "granted"),
            (.touchID, [Event](repeating: .presented(Cast.foreign), count: 5), "biometry.locked-out"),
            (.touchID, [.removed(Cast.index)], "biometry.not-enrolled"),
            (.touchID, [.enrolled(Cast.thumb)], "sheet.cancelled"),
            (.touchID, [.lock], "device.locked"),
            (.faceID, [.biometryDenied(.first)], "biometry.not-permitted"),
        ]
        for (sensor, events, verdict) in cases {
            var (world, slot) = Cast.world(Cast.control(.biometryAny), on: Cast.device(DeviceSettings(sensor: sensor)))
            for event in [Event.lock, .timePassed(.minutes(1)), .presented(Cast.index)] + events { world.apply(event) }
            var context = Context()
            context.reuse = .minutes(5)
            #expect(world.perform(Call(.readData, slot, by: .absent), in: &context).verdict == verdict, "\(events)")
        }
    }

    @Test func aMatchOnASensorThatIsGoneProvesNothing() {
        var settings = DeviceSettings()
        settings.fidelity.sensorReset = .replacesSensor
        var (world, slot) = Cast.world(Cast.control(.userPresence), on: Cast.device(settings))
        var context = Context()
        world.perform(Call(.readData, slot, by: Cast.owner), in: &context)
        world.apply(.biometryReset)
        world.apply(.enrolled(Cast.foreign))
        #expect(world.perform(Call(.readData, slot, by: .absent), in: &context).verdict == "sheet.cancelled")
    }

    @Test func anUpdateKeepsThePasswordThatWasProvedAndDropsTheOneThatWasWrong() {
        for preset in [UInt8(0), 7] {
            var (world, slot) = Cast.world(Cast.control(.applicationPassword), applicationPassword: 5)
            var person = Cast.owner
            person.applicationPassword = 5
            var call = Call(
                .item(slot, .update, control: Cast.control([.applicationPassword, .biometryAny])), by: person)
            call.applicationPassword = preset
            #expect(world.perform(call).verdict == "granted")
            #expect(world[slot]?.applicationPassword == 5)
            #expect(world.read(slot, by: person) == "granted")
        }
    }

    @Test func anItemThatNeedsAPasswordIsNotStoredWithoutOne() {
        var world = World(Cast.device())
        let error = #expect(throws: StoringError.self) { try world.store(Item(Cast.control(.applicationPassword))) }
        #expect(error == .denied(Denial(.interactionNotAllowed, ways: Ways([.applicationPassword]))))
        for _ in 0..<SlotID.capacity { _ = world.place(Item(AccessControl(.always))) }
        #expect(throws: StoringError.noRoom) { try world.store(Item(AccessControl(.always))) }
    }

    @Test func theAppsPasswordSparesThePersonAlsoBesideAnotherFactor() {
        var (world, slot) = Cast.world(
            Cast.control([.applicationPassword, .userPresence]), applicationPassword: 5)
        var call = Call(.readData, slot, by: Person(fingers: [Cast.index]))
        call.applicationPassword = 5
        let outcome = world.perform(call)
        #expect(outcome.verdict == "granted")
        #expect(Array(outcome.prompts) == [.biometry])
    }

    @Test(arguments: [
        [Event.removed(Cast.index), .lock, .timePassed(.seconds(10)), .enrolled(Cast.thumb)],
        [.lock, .timePassed(.seconds(10)), .removed(Cast.index), .enrolled(Cast.thumb)],
    ])
    func noMatchOpensWhatWasNotKeptForOne(_ events: [Event]) {
        var device = Cast.device()
        for event in events { #expect(device.apply(event).refusal == nil) }
        #expect(device.apply(.presented(Cast.thumb)).refusal == .passcodeRequired)
        #expect(device.apply(.passcodeEntered(Cast.right)).contains(.open([.whenUnlocked, .whenPasscodeSet])))
        _ = device.apply(.lock)
        #expect(device.apply(.presented(Cast.thumb)).authenticated(.biometry))
    }

    @Test func theClockStopsBeforeItsEnd() {
        var device = Cast.device()
        let before = device
        #expect(device.apply(.timePassed(TimeSpan(milliseconds: .max))).refusal == .clockGoesNoFurther)
        #expect(device == before)
        _ = device.apply(.timePassed(TimeSpan(milliseconds: .max / 2)))
        _ = device.apply(.lock)
        #expect(device.apply(.timePassed(.seconds(10))).refusal == .clockGoesNoFurther)
    }

    @Test func extremeSettingsTrapNowhere() {
        var world = World(Cast.device(DeviceSettings(lockGrace: .hours(.max))))
        world.apply(.lock)
        world.apply(.timePassed(.hours(1000)))
        #expect(world.normalized.device.isOpen)
    }

    @Test func constraintsThatNoFlagsBuildAreNeverMet() {
        for constraint in [
            Constraint.any(of: [.presence, .biometryAny, .biometryCurrentSet, .companion, .passcode]),
            .all(of: [.presence]), .all(of: []), .any(of: []),
        ] {
            #expect(constraint.ways(Fidelity()).isEmpty)
        }
    }

    @Test func aRefusedDeedOfAPersonChangesNothing() {
        var world = World(Cast.device())
        for _ in 0..<5 { world.apply(.presented(Cast.foreign)) }
        let before = world
        #expect(world.act(.enrolled(Cast.index), by: Cast.owner).refusal == .alreadyEnrolled)
        #expect(world == before)
    }

    @Test func aDeniedAddChangesNothing() {
        var world = World(Device())
        let slot = world.place(Item(Cast.control(.biometryAny)), stored: false)
        let before = world
        #expect(world.perform(Call(.add, slot, by: Cast.owner)).verdict == "biometry.not-enrolled")
        #expect(world == before)
    }

    @Test func anEncryptedBackupHasAPasswordOfItsOwn() {
        var (world, slot) = Cast.world(AccessControl(.whenUnlocked))
        world.apply(.backupTaken(encrypted: true))
        #expect(world.act(.restoredOntoAnotherDevice, by: Cast.passcodeThief).refusal == .personCannot)
        var informed = Cast.passcodeThief
        informed.knowsBackupPassword = true
        #expect(world.act(.restoredOntoAnotherDevice, by: informed).refusal == nil)
        #expect(world.read(slot, by: informed) == "granted")
    }

    @Test func aPasswordChosenInVainOpensNothing() {
        var world = World(Cast.device())
        let own = world.place(Item(AccessControl(.whenUnlocked)))
        let victim = world.place(Item(Cast.control(.applicationPassword)), stored: false)
        var person = Cast.stranger
        person.applicationPassword = 9
        var mallory = Context()
        let inVain = Call(.item(own, .add, control: Cast.control(.applicationPassword)), by: person)
        #expect(world.perform(inVain, in: &mallory).verdict == "item.duplicate")
        var unasked = world
        var context = mallory
        let add = Call(.add, victim, by: .absent, interaction: .fail)
        #expect(unasked.perform(add, in: &context).verdict == "interaction.not-allowed")
        var owners = Call(.add, victim, by: Cast.owner)
        owners.applicationPassword = 5
        #expect(world.perform(owners).verdict == "granted")
        let read = Call(.readData, victim, by: .absent, interaction: .fail)
        #expect(world.perform(read, in: &mallory).verdict == "application-password.missing")
    }

    @Test func anUpdateKeepsThePasswordHoweverItWasProved() {
        var (world, slot) = Cast.world(Cast.control(.applicationPassword), applicationPassword: 5)
        var person = Cast.owner
        person.applicationPassword = 5
        var context = Context()
        world.perform(Call(.readData, slot, by: person), in: &context)
        var update = Call(
            .item(slot, .update, control: Cast.control([.applicationPassword, .biometryAny])), by: .absent,
            interaction: .fail)
        update.applicationPassword = 7
        #expect(world.perform(update, in: &context).verdict == "granted")
        #expect(world[slot]?.applicationPassword == 5)
    }

    @Test func aPreflightSaysWhatTheCallWouldMeetAndLeavesTheContextAsItWas() {
        var world = World(Device())
        let slot = world.place(Item(AccessControl(.whenUnlocked)))
        let empty = world.place(Item(Cast.control(.applicationPassword)), stored: false)
        let update = Call(.item(slot, .update, control: Cast.control(.biometryAny)), by: .absent)
        var preflight = update
        preflight.interaction = .preflight
        #expect(world.perform(preflight).verdict == "biometry.not-enrolled")
        #expect(world.perform(update).verdict == "biometry.not-enrolled")
        for interaction in [Interaction.preflight, .fail] {
            var context = Context()
            var add = Call(.add, empty, by: .absent, interaction: interaction)
            add.applicationPassword = 5
            #expect(world.perform(add, in: &context).verdict == "granted")
            #expect(context == Context())
        }
    }

    @Test func anEvaluationOfAnAccessControlUsesTheAppsPassword() {
        var world = World(Cast.device())
        for operation in [Operation.readData, nil] {
            var call = Call(.accessControl(Cast.control(.applicationPassword), operation), by: .absent)
            call.applicationPassword = 5
            #expect(world.perform(call).verdict == "granted")
        }
    }

    @Test func aDisabledDeviceOpensToNoFingerEither() {
        var (world, slot) = Cast.world(Cast.control(.biometryAny))
        for number in 10..<20 as Range<UInt8> {
            world.apply(.timePassed(.hours(1)))
            world.apply(.passcodeEntered(Cast.code(number)))
        }
        #expect(world.read(slot) == "biometry.passcode-required")
        world.apply(.lock)
        #expect(world.act(.presented(Cast.index), by: Cast.owner).refusal == .passcodeRequired)
    }

    @Test func anUnlockIsNotLentToAnAppThatWasNeverPermitted() {
        let app = App(permission: .notAsked)
        let device = Device(DeviceSettings(sensor: .faceID), passcode: Cast.right, enrolled: [Cast.index], app: app)
        var (world, slot) = Cast.world(Cast.control(.biometryAny), on: device)
        for event in [Event.lock, .timePassed(.minutes(1)), .presented(Cast.index)] { world.apply(event) }
        for (permits, verdict) in [(false, "biometry.not-permitted"), (true, "granted")] {
            var trial = world
            var context = Context()
            context.reuse = .minutes(5)
            var person = Person.absent
            person.dismisses = false
            person.permitsBiometry = permits
            #expect(trial.perform(Call(.readData, slot, by: person), in: &context).verdict == verdict)
        }
        world.apply(.appRemoved(.first))
        #expect(world.perform(Call(.policy(.biometry), by: Cast.owner)).verdict == "biometry.no-usage-text")
    }

    @Test(arguments: [
        (AccessControlFlags.devicePasscode, Event.passcodeChanged(Cast.wrong)), (.companion, .companionUnpaired),
    ])
    func whatIsGoneHasProvedNothing(_ flags: AccessControlFlags, _ event: Event) {
        var device = Cast.device()
        for earlier in [Event.companionPaired, .companionNear, .companionUnlocked] { _ = device.apply(earlier) }
        var (world, slot) = Cast.world(Cast.control(flags), on: device)
        var context = Context()
        #expect(world.perform(Call(.readData, slot, by: Cast.owner), in: &context).verdict == "granted")
        world.apply(event)
        #expect(world.perform(Call(.readData, slot, by: .absent), in: &context).verdict != "granted")
    }

    @Test func aDisabledDeviceCanOnlyBeErased() {
        var world = World(Cast.device())
        for number in 10..<20 as Range<UInt8> {
            world.apply(.timePassed(.hours(1)))
            world.apply(.passcodeEntered(Cast.code(number)))
        }
        world.apply(.lock)
        #expect(world.act(.passcodeEntered(Cast.right), by: Cast.owner).refusal == .passcodeDisabled)
        #expect(world.act(.erase, by: Cast.stranger).contains(.eraseAll))
    }

    @Test func installingAnAppGivesItNoPermission() {
        var world = World(Cast.device(DeviceSettings(sensor: .faceID)))
        world.apply(.biometryDenied(.first))
        world.act(.appInstalled(.first, App()), by: Cast.passcodeThief)
        #expect(world.device.app(.first)?.permission == .notAsked)
    }
}
