import AccessPolicy
import DeviceModel
import Testing

/// The state of a prompt, and the results of answers to it (semantics 6.4).
@Suite struct SheetTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let who: String
        let person: Person
        let flags: AccessControlFlags
        let sensor: SensorKind
        let verdict: String
        let prompts: [Factor]
        var testDescription: String { "\(who) at \(flags.rawValue) on \(sensor)" }
    }

    static let noFinger = Person(passcode: Cast.right)
    static let noPasscode = Person(fingers: [Cast.index])
    static let rows: [Row] = [
        .init("owner", Cast.owner, .biometryAny, "granted", [.biometry]),
        .init("owner", Cast.owner, .userPresence, "granted", [.biometry]),
        .init("owner", Cast.owner, .devicePasscode, "granted", [.passcode]),
        .init("owner", Cast.owner, [.biometryAny, .devicePasscode], "granted", [.biometry, .passcode]),
        .init("owner", Cast.owner, [.biometryAny, .or, .devicePasscode], "granted", [.biometry]),
        .init(
            "owner", Cast.owner, [.userPresence, .applicationPassword], "granted", [.biometry, .applicationPassword]),
        .init("stranger", Cast.stranger, .biometryAny, "sheet.failed", [.biometry]),
        .init("stranger", Cast.stranger, .userPresence, "sheet.failed", [.biometry, .passcode]),
        .init("stranger", Cast.stranger, [.biometryAny, .devicePasscode], "sheet.failed", [.biometry]),
        .init("thief", Cast.passcodeThief, .userPresence, "granted", [.biometry, .passcode]),
        .init("thief", Cast.passcodeThief, .biometryCurrentSet, "sheet.failed", [.biometry]),
        .init(
            "thief", Cast.passcodeThief, [.biometryCurrentSet, .or, .devicePasscode], "granted", [.biometry, .passcode]),
        .init("nobody", .absent, .userPresence, "sheet.cancelled", [.biometry]),
        .init("who has no finger to show", noFinger, .userPresence, "granted", [.biometry, .passcode]),
        .init("who has no finger to show", noFinger, .biometryAny, "sheet.cancelled", [.biometry]),
        .init("who knows no passcode", noPasscode, .devicePasscode, "sheet.cancelled", [.passcode]),
        .init(
            "who knows no passcode", noPasscode, [.biometryAny, .devicePasscode], "sheet.cancelled",
            [.biometry, .passcode]),
        .init("owner", Cast.owner, .userPresence, on: .none, "granted", [.passcode]),
        .init("owner", Cast.owner, .biometryAny, on: .faceID, "granted", [.biometry]),
        .init("owner", Cast.owner, [], "granted", []),
    ]

    @Test(arguments: rows) func peopleAnswerAsTheyCan(_ row: Row) {
        let device = Cast.device(DeviceSettings(sensor: row.sensor))
        var (world, slot) = Cast.world(Cast.control(row.flags), on: device, applicationPassword: 1)
        let outcome = world.perform(Call(.readData, slot, by: row.person))
        #expect(outcome.verdict == row.verdict)
        #expect(Array(outcome.prompts) == row.prompts)
    }

    @Test(arguments: [(SensorKind.touchID, 3), (.faceID, 2), (.opticID, 2)])
    func aSheetTakesSoManyWrongMatches(_ sensor: SensorKind, _ tries: Int) {
        var (world, slot) = Cast.world(Cast.control(.biometryAny), on: Cast.device(DeviceSettings(sensor: sensor)))
        _ = world.read(slot, by: Cast.stranger)
        #expect(world.device.failedMatches == UInt8(tries))
    }

    @Test func theFifthMissEndsTheSheetAndTheNextOneDoesNotOpen() {
        var (world, slot) = Cast.world(Cast.control(.biometryAny))
        #expect(world.read(slot, by: Cast.stranger) == "sheet.failed")
        #expect(world.read(slot, by: Cast.stranger) == "sheet.hit-lockout")
        let outcome = world.perform(Call(.readData, slot, by: Cast.owner))
        #expect(outcome.verdict == "biometry.locked-out")
        #expect(outcome.prompts.isEmpty)
    }

    @Test func duringALockoutPresenceAsksForThePasscodeAtOnceAndThatClearsIt() {
        var (world, slot) = Cast.world(Cast.control(.userPresence))
        for _ in 0..<5 { world.apply(.presented(Cast.foreign)) }
        let outcome = world.perform(Call(.readData, slot, by: Cast.owner))
        #expect(outcome.verdict == "granted")
        #expect(Array(outcome.prompts) == [.passcode])
        #expect(!world.device.isLockedOut)
    }

    @Test func theSameWrongPasscodeThreeTimesCountsOnce() {
        var (world, slot) = Cast.world(Cast.control(.devicePasscode))
        #expect(world.read(slot, by: Cast.stranger) == "sheet.failed")
        #expect(world.device.wrongPasscodes.count == 1)
    }

    @Test func aDelayThatBeginsUnderTheSheetEndsIt() {
        var (world, slot) = Cast.world(Cast.control(.devicePasscode))
        for number in 10..<14 { world.apply(.passcodeEntered(Cast.code(UInt8(number)))) }
        let denial = world.perform(Call(.readData, slot, by: Cast.stranger)).decision.denial
        #expect(denial?.rule == .passcodeDelayed)
        #expect(denial?.until == world.device.delayedUntil)
        #expect(world.read(slot, by: Cast.owner) == "passcode.delayed")
        world.apply(.timePassed(.minutes(1)))
        #expect(world.read(slot, by: Cast.owner) == "granted")
    }

    struct Fallback: Sendable, CustomTestStringConvertible {
        let sensor: SensorKind
        let fallback: Sheet.Fallback
        let leadsToPasscode: Bool
        /// The state of the fallback before any failed match, and after each.
        let wayOut: [Sheet.WayOut]
        let end: Sheet.Step
        var testDescription: String { "\(sensor), \(fallback), \(leadsToPasscode)" }
    }

    // LAContext.h (semantics 6.4): the button appears after the first miss of Touch ID and the second of Face ID.
    static let fallbacks: [Fallback] = [
        .init(
            sensor: .touchID, fallback: .ends, leadsToPasscode: false,
            wayOut: [.afterMisses, .offered, .offered], end: .over(.sheetFailed)),
        .init(
            sensor: .touchID, fallback: .leadsOn, leadsToPasscode: true,
            wayOut: [.afterMisses, .offered, .offered], end: .ask(.passcode)),
        .init(
            sensor: .touchID, fallback: .leadsOn, leadsToPasscode: false,
            wayOut: [.none, .none, .none], end: .over(.sheetFailed)),
        .init(
            sensor: .touchID, fallback: .hidden, leadsToPasscode: true,
            wayOut: [.none, .none, .none], end: .ask(.passcode)),
        .init(
            sensor: .faceID, fallback: .ends, leadsToPasscode: false,
            wayOut: [.afterMisses, .afterMisses, .offered], end: .over(.sheetFailed)),
        .init(
            sensor: .faceID, fallback: .leadsOn, leadsToPasscode: true,
            wayOut: [.afterMisses, .afterMisses], end: .ask(.passcode)),
        .init(
            sensor: .faceID, fallback: .hidden, leadsToPasscode: false,
            wayOut: [.none, .none], end: .over(.sheetFailed)),
        .init(
            sensor: .opticID, fallback: .ends, leadsToPasscode: false,
            wayOut: [.afterMisses, .afterMisses, .offered], end: .over(.sheetFailed)),
    ]

    @Test(arguments: fallbacks) func theFallbackAppearsAfterMisses(_ row: Fallback) {
        let ways = row.leadsToPasscode ? Ways([.biometry], [.passcode]) : Ways([.biometry])
        var sheet = Sheet(ways, sensor: row.sensor, fallback: row.fallback)
        var seen: [Sheet.WayOut] = []
        while sheet.step == .ask(.biometry) {
            seen.append(sheet.wayOut)
            #expect(sheet.acceptsMatch == (seen.count <= row.sensor.triesOnSheet))
            var other = sheet
            other.record(.fallback)
            #expect((other.step != sheet.step) == (sheet.wayOut == .offered), "nobody takes what is not shown")
            sheet.record(.wrong)
        }
        #expect(seen == row.wayOut && sheet.step == row.end)
        let immediate = Sheet(ways, sensor: row.sensor, fallback: row.fallback, isFallbackImmediate: true)
        #expect(immediate.wayOut == (row.wayOut[0] == .none ? .none : .offered))
    }

    @Test(arguments: [(.touchID, 1), (.faceID, 2)] as [(SensorKind, UInt8)])
    func whoHasNoFingerMissesToGetToThePasscode(_ sensor: SensorKind, _ misses: UInt8) {
        let device = Cast.device(DeviceSettings(sensor: sensor))
        var (world, slot) = Cast.world(Cast.control(.userPresence), on: device)
        var wrong = Self.noFinger
        wrong.passcode = Cast.wrong
        #expect(world.read(slot, by: wrong) == "sheet.failed")
        #expect(world.device.failedMatches == misses)
        #expect(world.read(slot, by: Self.noFinger) == "granted")
        #expect(world.device.failedMatches == 0, "the passcode clears them")
        let nothing = world.perform(Call(.readData, slot, by: Person()))
        #expect(nothing.verdict == "sheet.cancelled" && Array(nothing.prompts) == [.biometry])
        #expect(world.device.failedMatches == 0)
    }

    // Semantics 6.4: a biometry-only policy never takes the passcode; its fallback ends the evaluation.
    @Test func theFallbackOfABiometryOnlyPolicyEndsIt() {
        var world = World(Cast.device())
        #expect(world.perform(Call(.policy(.biometry), by: Self.noFinger)).verdict == "sheet.fallback")
        #expect(
            world.perform(Call(.policy(.biometry), by: Self.noFinger, hidesFallback: true)).verdict == "sheet.cancelled"
        )
        #expect(world.perform(Call(.policy(.presence), by: Self.noFinger)).verdict == "granted")
        #expect(world.perform(Call(.policy(.biometry), by: Cast.stranger)).verdict == "sheet.failed")
    }

    @Test(arguments: [true, false]) func aFaceAsksForPermissionFirst(_ permits: Bool) {
        let device = Device(
            DeviceSettings(sensor: .faceID), passcode: Cast.right, enrolled: [Cast.index],
            app: App(permission: .notAsked))
        var person = Cast.owner
        person.permitsBiometry = permits
        var world = World(device)
        #expect(world.perform(Call(.policy(.biometry), by: person, interaction: .preflight)).verdict == "challenge")
        let outcome = world.perform(Call(.policy(.biometry), by: person))
        #expect(outcome.verdict == (permits ? "granted" : "biometry.not-permitted"))
        #expect(world.device.app(.first)?.permission == (permits ? .given : .denied))
        let presence = world.perform(Call(.policy(.presence), by: person))
        #expect(Array(presence.prompts) == [permits ? .biometry : .passcode])
    }

    @Test func aSystemCancelEndsTheSheet() {
        var sheet = Sheet(Ways([.biometry], [.passcode]), sensor: .touchID)
        sheet.record(.ended(.sheetSystemCanceled))
        #expect(sheet.step == .over(.sheetSystemCanceled))
        sheet.record(.authenticated)
        #expect(sheet.step == .over(.sheetSystemCanceled), "an answer that comes too late counts for nothing")
    }

    @Test func theCompanionIsConfirmedByWhoWearsIt() {
        var device = Cast.device()
        for event in [Event.companionPaired, .companionNear, .companionUnlocked] { _ = device.apply(event) }
        var (world, slot) = Cast.world(Cast.control(.companion), on: device)
        #expect(world.read(slot) == "granted")
        #expect(world.read(slot, by: Cast.stranger) == "sheet.cancelled")
        world.apply(.companionLocked)
        #expect(world.read(slot) == "companion.not-near")
    }
}

extension SheetTests.Row {
    init(
        _ who: String, _ person: Person, _ flags: AccessControlFlags, on sensor: SensorKind = .touchID,
        _ verdict: String, _ prompts: [Factor]
    ) {
        self.init(who: who, person: person, flags: flags, sensor: sensor, verdict: verdict, prompts: prompts)
    }
}
