import AccessPolicy
import DeviceModel
import PolicyProver
import TestSupport
import Testing

/// Compares the answers about files with an attacker who tries every event on a raw world without files.
///
/// The test keeps the files itself, and takes the answers of the device from the table of the fact sheet. So neither
/// the model's files nor `decide` are behind what it finds.
@Suite struct FileOracleTests {
    /// Every class, excluded from backups or not, held open or not.
    static let files: [FileSlot] = FileProtection.allCases.flatMap { protection in
        [false, true].flatMap { isExcluded in
            [false, true].map { FileSlot(protection, isExcludedFromBackup: isExcluded, isOpen: $0) }
        }
    }

    /// The number of events that the raw attacker tries.
    static let events = OracleTests.isSoak ? 4 : 2
    /// The number of events with which it hinders the app.
    static let hindrances = OracleTests.isSoak ? 3 : 2
    /// A daily run looks at short attacks only, so its searches need not end.
    static let limits = OracleTests.isSoak ? SearchLimits() : SearchLimits(situations: 1_500)

    @Test(arguments: Profile.all + [.backgroundApp])
    func everyShortRawAttackIsKnown(_ profile: Profile) throws {
        for held in Assumptions.Held.allCases where held == .longLocked || profile.holds == .locked {
            let assumptions = Assumptions(held: held)
            let raw = try RawFiles(profile, assuming: assumptions).lengths(within: Self.events)
            for half in 0..<2 {
                let files = Array(Self.files[half * 8..<half * 8 + 8])
                let threats = Threats(
                    try Scene(storing: [], files: files), profiles: [profile], assuming: .init(held: held),
                    tellsStories: false, limits: Self.limits)
                for (place, file) in files.enumerated() {
                    for aim in Aim.ofFiles {
                        let cell = threats.cell(0, aim, of: place)
                        var steps: Int?
                        if case .steps(let count) = cell, count <= Self.events + 1 { steps = count }
                        #expect(
                            steps == raw[half * 8 + place][aim],
                            "\(profile.name) \(aim) \(file), \(held): the prover \(cell)")
                    }
                }
            }
        }
    }

    /// The app works in the background: the attack is the shortest sequence of events after which it cannot.
    @Test(arguments: OracleTests.isSoak ? Profile.all : [.snatcher, .borrower, .watchThief, .backupThief, .newOwner])
    func everyShortRawHindranceIsKnown(_ attacker: Profile) throws {
        let raw = try RawFiles(attacker, assuming: Assumptions()).hindrances(within: Self.hindrances)
        for (place, file) in Self.files.enumerated() {
            let prover = Prover(try Scene(storing: [], files: [file]))
            // Reading on the device and writing are decided alike.
            for aim in OracleTests.isSoak ? Aim.ofFiles : [.createFile, .appendFile] {
                let claim = Claim(
                    .alwaysCan(aim, by: .backgroundApp, against: attacker), assuming: .init(deletes: false))
                let verdict = prover.prove(claim)
                let steps = verdict.story?.steps.count
                let known = raw[place][aim]
                #expect(verdict.answer == .fails || known == nil, "\(attacker.name) \(aim) \(file)")
                if let steps, steps <= Self.hindrances {
                    #expect(steps == known, "\(attacker.name) \(aim) \(file)")
                } else {
                    #expect(known == nil, "\(attacker.name) \(aim) \(file): \(steps ?? -1)")
                }
            }
        }
    }

    /// A context is for items. No prompt opens a file.
    @Test(arguments: Profile.all) func theContextsOfAnAppChangeNothing(_ profile: Profile) throws {
        for half in 0..<2 {
            let scene = try Scene(storing: [], files: Array(Self.files[half * 8..<half * 8 + 8]))
            let cells = Assumptions.Contexts.allCases.map { contexts in
                let threats = Threats(
                    scene, profiles: [profile], assuming: .init(contexts: contexts), tellsStories: false,
                    limits: SearchLimits(situations: 1_500))
                return (0..<8).map { place in Aim.ofFiles.map { "\(threats.cell(0, $0, of: place))" } }
            }
            #expect(cells.count == 2 && cells[0] == cells[1])
        }
    }

    /// A thief who makes a backup leaves the owner none, because the last one counts and the owner takes nothing from it.
    @Test func theOwnerTakesNothingFromABackupOfTheThief() throws {
        var scene = try Scene(storing: [], files: [FileSlot(.complete)])
        scene.backUp()
        func verdict(_ can: Abilities) -> Verdict {
            let thief = Profile(name: "thief", summary: "a thief", knows: [.passcode], holds: .locked, can: can)
            return Prover(scene).prove(
                Claim(.alwaysCan(.readFile, by: .owner, against: thief), assuming: .init(deletes: false)))
        }
        let erased = verdict([.erase])
        #expect(erased.answer == .holds && erased.reliesOnBackup)
        let replaced = verdict([.erase, .backUp])
        #expect(replaced.answer == .fails && !replaced.reliesOnBackup)
    }

    /// An app that can delete the file leaves its owner without it, unless a backup has it.
    @Test func aDeletionIsAMoveOfItsOwn() throws {
        for file in Self.files where OracleTests.isSoak || file.isOpen {
            let prover = Prover(try Scene(storing: [], files: [file]))
            for profile in [Profile.borrower, .watchThief] {
                let verdict = prover.prove(Claim(.alwaysCan(.readFile, by: .owner, against: profile)))
                #expect(verdict.answer == .fails && verdict.story?.steps.count == 1, "\(profile.name) \(file)")
                let kept = prover.prove(
                    Claim(.alwaysCan(.readFile, by: .owner, against: profile), assuming: .init(deletes: false)))
                #expect(kept.answer == .fails && kept.story?.steps.count ?? 0 > 1 || kept.answer == .holds)
            }
        }
    }
}

/// A raw world, with the files that the test keeps beside it.
private struct RawFiles {
    struct File: Hashable {
        var isPresent = true
        var isOpen: Bool
        var hasCopy = false
    }

    struct State: Hashable {
        var raw: RawState
        var files: [File]
        var isBackupEncrypted: Bool?
    }

    let attacker: RawAttacker
    let beginning: State
    private let table: [String: [String]]
    private static let columns = ["unlocked", "grace", "locked", "beforeFirstUnlock", "noPasscode"]
    private static let grants: Set = [
        "file.class-open", "file.created-while-locked", "file.held-open", "file.metadata",
    ]

    init(_ profile: Profile, assuming assumptions: Assumptions) throws {
        let scene = try Scene(storing: [])
        attacker = try RawAttacker(profile, on: scene, assuming: assumptions)
        let files = FileOracleTests.files.map { file in
            var raw = File(isOpen: file.isOpen)
            switch profile.holds {
            case .unlocked, .locked, .nothing: break
            case .poweredOff: raw.isOpen = false
            case .backup: raw.hasCopy = !file.isExcludedFromBackup
            case .erased: (raw.isPresent, raw.isOpen) = (false, false)
            }
            return raw
        }
        beginning = State(
            raw: attacker.beginning(on: scene), files: files, isBackupEncrypted: profile.holds == .backup ? true : nil)
        var table: [String: [String]] = [:]
        for row in try FixtureTable("files").rows { table["\(row[0]) \(row[1])"] = Array(row[2...]) }
        self.table = table
    }

    private func grants(_ access: String, _ protection: FileProtection, in state: State) -> Bool {
        let device = state.raw.world.device
        let now = device.conditions()
        let column =
            device.passcode == nil
            ? "noPasscode"
            : !now.hasFirstUnlock
                ? "beforeFirstUnlock"
                : !now.isLocked ? "unlocked" : now.openClasses.contains(.whenUnlocked) ? "grace" : "locked"
        guard let row = table["\(access) \(protection)"], let place = Self.columns.firstIndex(of: column) else {
            return false
        }
        return Self.grants.contains(row[place])
    }

    /// Returns true if the app gets to the aim.
    private func appReaches(_ aim: Aim, _ place: Int, in state: State) -> Bool {
        let (file, protection) = (state.files[place], FileOracleTests.files[place].protection)
        return switch aim {
        case .createFile: grants("create", protection, in: state)
        case .readFile, .appendFile: file.isPresent && grants(file.isOpen ? "use" : "open", protection, in: state)
        case .read, .use, .readNext, .list, .overwrite, .destroy: false
        }
    }

    private func reaches(_ aim: Aim, _ place: Int, in state: State) -> Bool {
        let profile = attacker.profile
        if aim == .readFile, state.files[place].hasCopy, let isEncrypted = state.isBackupEncrypted {
            let hasBackup =
                profile.holds == .backup || profile.can.contains(.backUp) || profile.can.contains(.restore)
            let opens = !isEncrypted || profile.knows.contains(.backupPassword)
            if hasBackup && opens { return true }
        }
        if profile.asksFromOtherGroup || !attacker.canAsk(in: state.raw) { return false }
        if aim != .readFile && state.raw.isElsewhere { return false }
        return appReaches(aim, place, in: state)
    }

    /// Returns the state after an event, or nil if it does not happen.
    private func state(after event: Event, in state: State) -> State? {
        var next = state
        var person = attacker.person(in: state.raw, .well)
        if case .passcodeEntered(let code) = event { person.passcode = code }
        if case .presented(let finger) = event { person.fingers = [finger] }
        var trial = state.raw.world
        let effects = trial.act(event, by: person)
        // A denied event can change the device all the same, as a wrong passcode does.
        _ = attacker.make(event, in: &next.raw)
        for effect in effects {
            switch effect {
            case .eraseAll:
                for place in next.files.indices {
                    (next.files[place].isPresent, next.files[place].isOpen) = (false, false)
                }
            case .exportBackup(let isEncrypted):
                next.isBackupEncrypted = isEncrypted
                for place in next.files.indices {
                    let isLeftOut = FileOracleTests.files[place].isExcludedFromBackup
                    next.files[place].hasCopy = next.files[place].isPresent && !isLeftOut
                }
            case .importBackup:
                for place in next.files.indices where next.files[place].hasCopy { next.files[place].isPresent = true }
            default: break
            }
        }
        if event == .reboot, effects.refusal == nil {
            for place in next.files.indices { next.files[place].isOpen = false }
        }
        return next == state ? nil : next
    }

    /// Calls `body` with the states that each number of events leads to, and that number, until it returns false.
    private func eachLevel(
        within count: Int, also moves: (State) -> [State] = { _ in [] }, where isMade: (Event) -> Bool = { _ in true },
        _ body: (Int, [State]) -> Void
    ) {
        var level = [beginning]
        var seen = Set(level)
        for number in 0...count {
            body(number, level)
            if number == count { break }
            var next: [State] = []
            for state in level {
                let after = attacker.events(in: state.raw).filter(isMade).compactMap {
                    self.state(after: $0, in: state)
                }
                for other in after + moves(state) where seen.insert(other).inserted { next.append(other) }
            }
            level = next
        }
    }

    /// Returns the fewest steps to each aim at each file, by at most `count` events and the use of the file.
    func lengths(within count: Int) -> [[Aim: Int]] {
        var lengths = [[Aim: Int]](repeating: [:], count: beginning.files.count)
        eachLevel(within: count) { number, level in
            for place in lengths.indices {
                for aim in Aim.ofFiles where lengths[place][aim] == nil {
                    if level.contains(where: { reaches(aim, place, in: $0) }) { lengths[place][aim] = number + 1 }
                }
            }
        }
        return lengths
    }

    /// Returns the fewest steps after which the app, which no one unlocks the device for, no longer gets to each aim.
    func hindrances(within count: Int) -> [[Aim: Int]] {
        var lengths = [[Aim: Int]](repeating: [:], count: beginning.files.count)
        func ended(_ state: State) -> [State] {
            guard !state.raw.world.device.isLocked, attacker.canAsk(in: state.raw) else { return [] }
            var next = state
            for place in next.files.indices { next.files[place].isOpen = false }
            return next == state ? [] : [next]
        }
        eachLevel(within: count, also: ended, where: { $0 != .restoredOntoAnotherDevice }) { number, level in
            for place in lengths.indices {
                for aim in Aim.ofFiles where lengths[place][aim] == nil {
                    if level.contains(where: { !appReaches(aim, place, in: $0) }) { lengths[place][aim] = number }
                }
            }
        }
        return lengths
    }
}
