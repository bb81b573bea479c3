import AccessPolicy
import DeviceModel
import PolicyWords
import Testing

/// The table of steps: every event is read as it is written.
@Suite struct StepsTests {
    @Test func everyEventIsReadAsItIsWritten() throws {
        for event in Samples.steps {
            let (row, value) = event.written
            #expect(try row.read(value) == event, "\(row.word)")
            #expect(Steps.all.count { $0.write(event) != nil } == 1, "\(row.word)")
        }
    }

    @Test func everyRowIsOfAnEvent() {
        let words = Steps.all.map(\.word)
        #expect(Set(words).count == words.count)
        #expect(Set(Samples.steps.map(\.written.row.word)) == Set(words))
        // `written` ends the program for an event without a row, and without a sample nothing would notice.
        let covered = Set(Samples.steps.map(\.kind))
        #expect(covered == Set(0..<covered.count) && covered.count == StepEvent.kinds)
    }

    @Test func everyValueHasTheFormOfItsRow() {
        for event in Samples.steps {
            let (row, value) = event.written
            let fits =
                switch (row.form, value) {
                case (.nothing, .nothing), (.oneOf, .nothing), (.fingers, .texts), (.passcode, .text),
                    (.fingers, .text),
                    (.app, .text), (.person, .text):
                    true
                case (.duration, .text(let text)): TimeSpan(written: text) != nil
                case (.word(_, let words, _), .text(let text)): words.contains(text)
                case (.oneOf(_, let keys), .fields(let fields)):
                    fields.count == 1 && keys.contains { $0.name == fields[0].key }
                default: false
                }
            #expect(fits, "\(row.word): \(value)")
            #expect(value != .nothing || row.form.acceptsNothing, "\(row.word)")
        }
    }

    /// Values that are read, although nothing writes them.
    static let others: [(word: String, value: StepValue, event: StepEvent)] = [
        ("unlock", .fields([]), .unlock(passcode: nil)), ("unlock", .fields([.init("face", "own")]), .touch("own")),
        ("enroll", .texts(["left"]), .enroll(["left"])), ("remove", .texts([]), .remove([])),
        ("backup", .nothing, .backup(encrypted: true)), ("restore", .nothing, .restore(sameDevice: true)),
        ("wait", .text("60m"), .wait(.hours(1))),
    ]

    @Test(arguments: others) func otherValuesAreReadToo(_ other: (word: String, value: StepValue, event: StepEvent))
        throws
    {
        let row = try #require(Steps.all.first { $0.word == other.word })
        #expect(try row.read(other.value) == other.event)
    }

    static let mistakes: [(word: String, value: StepValue, message: String)] = [
        ("lock", .text("1"), "lock takes no value"),
        ("unlock", .text("1234"), "an unlock takes one of passcode, finger and face"),
        (
            "unlock", .fields([.init("passcode", "1"), .init("finger", "left")]),
            "an unlock takes one of passcode, finger and face"
        ),
        ("unlock", .fields([.init("foot", "left")]), "an unlock takes one of passcode, finger and face"),
        ("enroll", .nothing, "enroll takes the name of a finger or a face, or a list of them"),
        ("setPasscode", .texts(["1"]), "setPasscode takes one word"),
        ("companion", .nothing, "companion takes a state, such as away"),
        ("companion", .text("awy"), #"unknown state of a companion "awy": did you mean away?"#),
        ("wait", .text("10"), #"wait needs a duration such as 30s or 5m, not "10""#),
        ("wait", .nothing, "wait takes one word"),
        ("backup", .text("none"), #"unknown kind of backup "none": use encrypted or unencrypted"#),
    ]

    @Test(arguments: mistakes) func aWrongValueHasAMessage(_ mistake: (word: String, value: StepValue, message: String))
        throws
    {
        let row = try #require(Steps.all.first { $0.word == mistake.word })
        let error = #expect(throws: StepError.self) { try row.read(mistake.value) }
        #expect(error?.message == mistake.message)
    }
}

/// The events of the model, and the steps that stand for them.
@Suite struct EventStepsTests {
    /// The step of an event stands for that event on the device to which it happens.
    @Test func theStepOfAnEventStandsForTheEvent() {
        for (event, device) in Samples.events {
            var track = CompanionTrack(device.companion.state)
            track.apply(event)
            var names = Names()
            let events = event.step(names, companion: track.state).events(on: device, &names)
            let expected: Event =
                switch event {
                case .sensorForgot(let finger): .removed(finger)
                case .passcodeRecovered(let code): .passcodeEntered(code)
                default: event
                }
            #expect(
                events.contains(expected) && (events.count == 1 || events == toward(track.state, on: device)),
                "\(event)")
        }
        let covered = Set(Samples.events.map(\.event.kind))
        #expect(covered == Set(0..<covered.count) && covered.count == Event.kinds)
    }

    /// Returns the events that bring a companion near.
    private func toward(_ state: CompanionState, on device: Device) -> [Event] {
        (device.companion.isPaired ? [] : [.companionPaired])
            + [.companionNear, state == .ready ? .companionUnlocked : .companionLocked]
    }

    /// Whichever state a companion is in, its step brings it into the named one.
    @Test func aCompanionGetsIntoEveryState() {
        for former in CompanionState.allCases {
            for state in CompanionState.allCases {
                var device = Samples.device(former)
                var names = Names()
                for event in StepEvent.companion(state).events(on: device, &names) { _ = device.apply(event) }
                #expect(device.companion.state == state, "\(former) to \(state)")
            }
        }
    }

    @Test func aTrackFollowsTheCompanion() {
        for former in CompanionState.allCases {
            for (event, _) in Samples.events {
                var (device, track) = (Samples.device(former), CompanionTrack(former))
                guard device.apply(event).refusal == nil else { continue }
                track.apply(event)
                #expect(track.state == device.companion.state, "\(former), \(event)")
            }
        }
    }

    @Test func someStepsAreNoEvent() {
        var names = Names()
        #expect(StepEvent.unlock(passcode: nil).events(on: Device(), &names).isEmpty)
        #expect(
            StepEvent.unlock(passcode: nil).events(on: Samples.device(.away), &names) == [.passcodeEntered(Names.own)])
        #expect(StepEvent.enroll([]).events(on: Samples.device(.away), &names).isEmpty)
        #expect(StepEvent.hold("thief").events(on: Samples.device(.away), &names).isEmpty)
        #expect(StepEvent.setPasscode("2").events(on: Device(), &names) == [.passcodeSet(Names.other)])
    }
}

/// Names that are the numbers of the model.
private struct Names: StepNames, StepNumbers {
    typealias Failure = Never

    static let own = Passcode(rawValue: 1)!
    static let other = Passcode(rawValue: 2)!

    func name(of finger: Finger) -> String { "\(finger.rawValue)" }
    func name(of code: Passcode) -> String { "\(code.rawValue)" }
    func name(of app: AppID) -> String { "\(app.rawValue)" }
    func finger(_ name: String) -> Finger { Finger(rawValue: UInt8(name)!)! }
    func passcode(_ name: String) -> Passcode { Passcode(rawValue: UInt8(name)!)! }
    func app(_ name: String) -> (id: AppID, app: App) { (AppID(rawValue: UInt8(name)!)!, App()) }
}

private enum Samples {
    static let steps: [StepEvent] =
        [
            .lock, .reboot, .lockRemotely, .holdButtons, .removePasscode, .resetBiometry, .startSecurityDelay, .erase,
            .unlock(passcode: nil), .unlock(passcode: "1234"), .unlock(passcode: ""), .touch("left"), .enroll(["left"]),
            .enroll(["left", "right"]), .enroll([]), .remove(["left"]), .remove(["left", "right"]),
            .setPasscode("5678"),
            .wait(.zero), .wait(.seconds(90)), .install("app"), .uninstall("app"), .permitBiometry("app"),
            .denyBiometry("app"), .backup(encrypted: true), .backup(encrypted: false), .restore(sameDevice: true),
            .restore(sameDevice: false), .hold("thief"),
        ] + CompanionState.allCases.map { .companion($0) }

    /// Returns a device with a passcode, a finger and a companion in this state.
    static func device(_ companion: CompanionState) -> Device {
        var device = Device(passcode: Names.own, enrolled: [Finger(rawValue: 0)!])
        if companion != .notPaired { _ = device.apply(.companionPaired) }
        if companion == .locked || companion == .ready { _ = device.apply(.companionNear) }
        if companion == .ready { _ = device.apply(.companionUnlocked) }
        return device
    }

    /// Every event, with a device to which it can happen.
    static let events: [(event: Event, device: Device)] = {
        let finger = Finger(rawValue: 1)!
        let ofUsualDevice: [Event] = [
            .reboot, .lock, .passcodeEntered(Names.own), .presented(finger), .timePassed(.hours(48)),
            .passcodeChanged(Names.other), .passcodeRemoved, .passcodeRecovered(Names.other), .enrolled(finger),
            .removed(finger), .biometryReset, .sensorForgot(finger), .securityDelayStarted, .companionUnpaired,
            .companionAway, .appInstalled(.first, App()), .appRemoved(.first), .biometryPermitted(.first),
            .biometryDenied(.first), .backupTaken(encrypted: true), .backupTaken(encrypted: false),
            .restoredOntoThisDevice, .restoredOntoAnotherDevice, .remoteLock, .emergency, .erase,
        ]
        return ofUsualDevice.map { ($0, device(.ready)) } + [
            (.passcodeSet(Names.other), Device()), (.companionPaired, device(.notPaired)),
            (.companionNear, device(.away)), (.companionUnlocked, device(.locked)), (.companionLocked, device(.ready)),
        ]
    }()
}

// The numbers of cases. A new case does not compile until it has one, and then `kinds` and the samples have to follow.

extension StepEvent {
    fileprivate static let kinds = 22

    fileprivate var kind: Int {
        switch self {
        case .lock: 0
        case .reboot: 1
        case .lockRemotely: 2
        case .holdButtons: 3
        case .removePasscode: 4
        case .resetBiometry: 5
        case .startSecurityDelay: 6
        case .erase: 7
        case .unlock: 8
        case .touch: 9
        case .enroll: 10
        case .remove: 11
        case .setPasscode: 12
        case .companion: 13
        case .wait: 14
        case .install: 15
        case .uninstall: 16
        case .permitBiometry: 17
        case .denyBiometry: 18
        case .backup: 19
        case .restore: 20
        case .hold: 21
        }
    }
}

extension Event {
    fileprivate static let kinds = 30

    fileprivate var kind: Int {
        switch self {
        case .reboot: 0
        case .lock: 1
        case .passcodeEntered: 2
        case .presented: 3
        case .timePassed: 4
        case .passcodeSet: 5
        case .passcodeChanged: 6
        case .passcodeRemoved: 7
        case .passcodeRecovered: 8
        case .enrolled: 9
        case .removed: 10
        case .biometryReset: 11
        case .sensorForgot: 12
        case .securityDelayStarted: 13
        case .companionPaired: 14
        case .companionUnpaired: 15
        case .companionNear: 16
        case .companionAway: 17
        case .companionUnlocked: 18
        case .companionLocked: 19
        case .appInstalled: 20
        case .appRemoved: 21
        case .biometryPermitted: 22
        case .biometryDenied: 23
        case .backupTaken: 24
        case .restoredOntoThisDevice: 25
        case .restoredOntoAnotherDevice: 26
        case .remoteLock: 27
        case .emergency: 28
        case .erase: 29
        }
    }
}
