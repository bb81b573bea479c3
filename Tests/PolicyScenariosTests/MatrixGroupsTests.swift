import AccessPolicy
import DeviceModel
import PolicyScenarios
import TestSupport
import Testing

/// Groups all policies by their tables: those that nothing can tell apart, and no others, share a group.
@Suite struct MatrixGroupsTests {
    /// Every access control that flags and classes make, once.
    static let controls: [AccessControl] = {
        var seen: Set<AccessControl> = []
        var controls: [AccessControl] = []
        for protection in Accessibility.allCases {
            var all = [AccessControl(protection)]
            for pattern in 0..<(1 << AccessControlFlags.named.count) {
                let chosen = AccessControlFlags.named.enumerated().filter { pattern >> $0.offset & 1 == 1 }
                let flags = AccessControlFlags(chosen.map(\.element.flag))
                if let control = try? AccessControl(protection: protection, flags: flags) { all.append(control) }
            }
            for control in all where seen.insert(control).inserted { controls.append(control) }
        }
        return controls
    }()

    /// Each access control for data and for a key. For items that ask to synchronize through iCloud Keychain, three
    /// stand for all with flags, because the device refuses those before it looks at the policy.
    static let policies: [MatrixPolicy] = controls.flatMap { control in
        let travels = !control.hasFlags || [[], .userPresence, .biometryAny].contains(control.flags)
        return [false, true].flatMap { isKey in
            (travels ? [false, true] : [false]).map { MatrixPolicy(control, isKey: isKey, isSynchronizable: $0) }
        }
    }

    /// The properties of a policy that matter, worked out from the fact sheet.
    static func whatMatters(_ policy: MatrixPolicy) -> String { whatMatters(policy, withSensor: true) }

    static func whatMatters(_ policy: MatrixPolicy, withSensor hasSensor: Bool) -> String {
        let control = policy.control
        let protection = control.protection
        if policy.isSynchronizable && control.hasFlags {
            return "never synchronizable, key: \(policy.isKey), \(protection.keyClass)"
        }
        if control.guardsKeyUse && !policy.isKey { return "data that nobody may write, \(protection.keyClass)" }
        var flags = control.flags
        if !hasSensor {
            if !flags.isDisjoint(with: [.biometryAny, .biometryCurrentSet]) {
                return "never stored without a sensor, key: \(policy.isKey), \(protection.keyClass)"
            }
            // The passcode alone satisfies user presence.
            if flags.remove(.userPresence) != nil { flags.insert(.devicePasscode) }
        }
        if policy.isKey {
            // A key never leaves its device, so it does not matter whether its class would let it travel.
            if !control.isProtected { return "a key for everybody, \(protection.keyClass)" }
            return "key \(control.guardsKeyUse) \(flags.rawValue) \(protection.keyClass)"
        }
        // Data that asks for authentication never leaves its device either. Free data is free with and without flags.
        if !control.isProtected { return "for everybody, \(protection)" }
        return "data \(flags.rawValue) \(protection.keyClass)"
    }

    static func groups<Key: Hashable>(by key: (MatrixPolicy) -> Key) -> Set<Set<MatrixPolicy>> {
        Set(Dictionary(grouping: policies, by: key).values.map { Set($0) })
    }

    @Test(arguments: SensorKind.allCases) func whatHasTheSameTableIsTheSame(_ sensor: SensorKind) {
        let found = Self.groups { Matrix(of: $0, on: MatrixDevice(sensor: sensor)) }
        let expected = Self.groups { Self.whatMatters($0, withSensor: sensor != .none) }
        for group in found.subtracting(expected) {
            Issue.record("\(group.count) with one table: \(Set(group.map(Self.whatMatters)))")
        }
        for group in expected.subtracting(found) {
            Issue.record("not one table: \(Set(group.map(Self.whatMatters)))")
        }
        #expect(Self.controls.count == 7 * 81)
        // Free data: the seven classes. Protected data: every combination of factors × 4 class keys. Keys: as many with
        // flags that guard data, as many with flags that guard their use, and one that is free, × 4. Never stored: data
        // and keys that ask to synchronize, data under flags for keys, and, without a sensor, data and keys that ask
        // for biometry, × 4.
        let demands = sensor == .none ? 9 : 39
        let neverStored = sensor == .none ? 5 : 3
        #expect(found.count == 7 + demands * 4 + (demands * 2 + 1) * 4 + neverStored * 4)
    }

    /// The usual device, one without a sensor, a Mac, and a device with the other choice at every disputed point.
    static let devices: [MatrixDevice] = {
        var mac = Fidelity()
        mac.presence = .biometryCompanionOrPasscode
        var other = mac
        other.attributes = .open
        other.duplicate = .answersAtOnce
        other.changedSet = .notFound
        other.sensorReset = .keepsSensor
        other.addDuringLockout = .refused
        other.boundSynchronizable = .refused
        other.passcodeTimeout = .older
        other.passcodeDelays = .newer
        return [
            MatrixDevice(), MatrixDevice(sensor: .none), MatrixDevice(fidelity: mac),
            MatrixDevice(sensor: .faceID, fidelity: other),
        ]
    }()

    /// The groups hold beyond the table: after any events, every person gets the same answers to every request.
    @Test(arguments: devices.indices) func noHistoryTellsApartWhatHasTheSameTable(_ place: Int) throws {
        let device = Self.devices[place]
        let settings = DeviceSettings(sensor: device.sensor, fidelity: device.fidelity)
        var random = SeededGenerator(seed: 77)
        var compared = 0
        // Of a device with the usual choices, whatHasTheSameTableIsTheSame shows which policies have one table.
        let groups =
            device.fidelity == Fidelity()
            ? Self.groups { Self.whatMatters($0, withSensor: device.sensor != .none) }
            : Self.groups { Matrix(of: $0, on: device) }
        for group in groups where group.count > 1 {
            let members = group.sorted { "\($0)" < "\($1)" }
            let first = members[0]
            for other in members.dropFirst().shuffled(using: &random).prefix(12) {
                var worlds = try [first, other].map { try Play($0, on: settings) }
                for step in 0..<40 {
                    let move = Move(&random)
                    let answers = worlds.indices.map { worlds[$0].make(move) }
                    compared += 1
                    if answers[0] == answers[1] { continue }
                    Issue.record("\(first) and \(other), step \(step), \(move): \(answers)")
                    return
                }
            }
        }
        #expect(compared > 10_000)
    }
}

/// An event, or a request of a person.
private enum Move {
    case event(Event)
    case call(Action, by: Person, password: UInt8, interaction: Interaction)

    init(_ random: inout SeededGenerator) {
        func finger(_ number: UInt8) -> Finger { Finger(rawValue: number)! }
        func code(_ number: UInt8) -> Passcode { Passcode(rawValue: number)! }
        let owner = Person(
            fingers: [finger(0)], passcode: code(1), applicationPassword: 1, wearsCompanion: true)
        if random.once(in: 2) {
            let people = [
                owner, owner, Person(fingers: [finger(1)], passcode: code(1)), Person(wearsCompanion: true),
                Person(fingers: [finger(0)]), Person(fingers: [.unknown], passcode: code(9)), .absent,
            ]
            self = .call(
                random.pick([
                    .readData, .readAttributes, .readReference, .probe, .inventory, .update, .checkDuplicate, .add,
                    .delete, .sign, .agree, .decapsulate, .attest,
                ]),
                by: random.pick(people), password: random.pick([0, 1, 1, 2]),
                interaction: random.pick([.allowed, .allowed, .fail, .preflight]))
            return
        }
        self = .event(
            random.pick([
                .lock, .passcodeEntered(code(1)), .passcodeEntered(code(1)), .presented(finger(0)), .reboot,
                .timePassed(.seconds(9)), .timePassed(.seconds(11)), .timePassed(.hours(49)), .timePassed(.hours(157)),
                .presented(.unknown), .enrolled(finger(0)), .enrolled(finger(1)), .removed(finger(0)), .biometryReset,
                .passcodeRemoved, .passcodeSet(code(1)), .passcodeEntered(code(7)), .remoteLock,
                .companionPaired, .companionNear, .companionUnlocked, .companionAway, .companionLocked,
                .backupTaken(encrypted: true), .backupTaken(encrypted: false), .restoredOntoThisDevice,
                .restoredOntoAnotherDevice,
            ]))
    }
}

/// A world with an item, in which moves are made.
private struct Play {
    private var world: World
    private let slot: SlotID

    init(_ policy: MatrixPolicy, on settings: DeviceSettings) throws {
        let enrolled: Fingers = settings.sensor == .none ? [] : [Finger(rawValue: 0)!]
        world = World(Device(settings, passcode: Passcode(rawValue: 1)!, enrolled: enrolled))
        for event in [Event.companionPaired, .companionNear, .companionUnlocked] { world.apply(event) }
        let item = Item(policy.control, isKey: policy.isKey, isSynchronizable: policy.isSynchronizable)
        slot = try world.addSlot(for: item)
        let owner = Person(applicationPassword: 1)
        world.perform(Call(.item(slot, .add, control: nil), by: owner, applicationPassword: 1))
    }

    /// The answer to a move.
    enum Answer: Equatable {
        case effects([Effect])
        case outcome(Outcome, isThere: Bool)
    }

    mutating func make(_ move: Move) -> Answer {
        switch move {
        case .event(let event): return .effects(Array(world.apply(event)))
        case .call(let action, let person, let password, let interaction):
            let outcome = world.perform(
                Call(
                    .item(slot, action, control: nil), by: person, interaction: interaction,
                    applicationPassword: password))
            return .outcome(outcome, isThere: world[slot]?.isPresent == true)
        }
    }
}
