import AccessPolicy
import DeviceModel
import PolicyScenarios
import TestSupport
import Testing

/// Which policies have the same table, over all there are: those that nothing can tell apart, and no others.
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

    static var policies: [MatrixPolicy] {
        controls.flatMap { control in
            [(false, false), (false, true), (true, false), (true, true)].map {
                MatrixPolicy(control, isKey: $0.0, isSynchronizable: $0.1)
            }
        }
    }

    /// What matters of a policy on a device on which everything can be proved, thought out from the fact sheet.
    static func whatMatters(_ policy: MatrixPolicy) -> String {
        let control = policy.control
        let protection = control.protection
        if policy.isSynchronizable && control.hasFlags {
            return "never synchronizable, key: \(policy.isKey), \(protection.keyClass)"
        }
        if control.guardsKeyUse && !policy.isKey { return "data that nobody may write, \(protection.keyClass)" }
        if policy.isKey {
            // A key never leaves its device, so that where its class would let it travel does not matter.
            if !control.isProtected { return "a key for everybody, \(protection.keyClass)" }
            return "key \(control.guardsKeyUse) \(control.flags.rawValue) \(protection.keyClass)"
        }
        // Nor does what somebody has to prove something for; what is free for all is so with and without flags.
        if !control.isProtected { return "for everybody, \(protection)" }
        return "data \(control.flags.rawValue) \(protection.keyClass)"
    }

    static func groups<Key: Hashable>(by key: (MatrixPolicy) -> Key) -> Set<Set<MatrixPolicy>> {
        Set(Dictionary(grouping: policies, by: key).values.map { Set($0) })
    }

    @Test(arguments: [MatrixDevice(), MatrixDevice(sensor: .faceID)])
    func whatHasTheSameTableIsTheSame(_ device: MatrixDevice) {
        let found = Self.groups { Matrix(of: $0, on: device) }
        let expected = Self.groups(by: Self.whatMatters)
        for group in found.subtracting(expected) {
            Issue.record("\(group.count) with one table: \(Set(group.map(Self.whatMatters)))")
        }
        for group in expected.subtracting(found) {
            Issue.record("not one table: \(Set(group.map(Self.whatMatters)))")
        }
        #expect(Self.controls.count == 7 * 81)
        #expect(found.count == Self.groupCount)
    }

    /// Free data: the seven classes. Protected data: 39 demands × 4 class keys. Keys: 39 that guard data, 39 that guard the
    /// use, and one for everybody, × 4. What is never stored: three kinds × 4.
    static let groupCount = 7 + 39 * 4 + (39 + 39 + 1) * 4 + 3 * 4

    /// On a device without a sensor there is less to tell apart: what asks for biometry is never stored.
    @Test func withoutASensorMoreIsTheSame() {
        let found = Self.groups { Matrix(of: $0, on: MatrixDevice(sensor: .none)) }
        #expect(found.count < Self.groupCount)
        for group in found {
            let asks = group.filter {
                !$0.control.requirements.intersection([.biometryAny, .biometryCurrentSet]).isEmpty
            }
            if !asks.isEmpty { continue }
            let kinds = Set(group.map(Self.whatMatters))
            #expect(kinds.count == 1)
        }
    }

    /// The groups hold beyond the table: whatever happens, and whoever asks for what, the answers are the same.
    @Test func noHistoryTellsApartWhatHasTheSameTable() throws {
        var random = SeededGenerator(seed: 77)
        var compared = 0
        for group in Self.groups(by: Self.whatMatters) where group.count > 1 {
            let members = group.sorted { "\($0)" < "\($1)" }
            let first = members[0]
            for other in members.dropFirst() {
                var worlds = [first, other].map { policy in
                    Play(policy, on: DeviceSettings(sensor: .touchID))
                }
                for step in 0..<30 {
                    let move = Move(&random)
                    let answers = worlds.indices.map { worlds[$0].make(move) }
                    #expect(answers[0] == answers[1], "\(first) and \(other), step \(step): \(move)")
                    if answers[0] != answers[1] { return }
                    compared += 1
                }
            }
        }
        #expect(compared > 10_000)
    }
}

/// Something that happens, or that somebody asks for.
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
                    .readData, .readAttributes, .readReference, .probe, .inventory, .update, .judgeDuplicate, .add,
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

/// A world with an item, on which moves are made.
private struct Play {
    private var world: World
    private let slot: SlotID

    init(_ policy: MatrixPolicy, on settings: DeviceSettings) {
        world = World(Device(settings, passcode: Passcode(rawValue: 1)!, enrolled: [Finger(rawValue: 0)!]))
        for event in [Event.companionPaired, .companionNear, .companionUnlocked] { world.apply(event) }
        let item = Item(policy.control, isKey: policy.isKey, isSynchronizable: policy.isSynchronizable)
        slot = try! world.addSlot(for: item)
        let owner = Person(applicationPassword: 1)
        world.perform(Call(.item(slot, .add, demanding: nil), by: owner, applicationPassword: 1))
    }

    mutating func make(_ move: Move) -> String {
        switch move {
        case .event(let event): return "\(world.apply(event))"
        case .call(let action, let person, let password, let interaction):
            let outcome = world.perform(
                Call(
                    .item(slot, action, demanding: nil), by: person, interaction: interaction,
                    applicationPassword: password))
            return "\(outcome.decision), asked \(outcome.prompts), there: \(world[slot]?.isPresent == true)"
        }
    }
}
