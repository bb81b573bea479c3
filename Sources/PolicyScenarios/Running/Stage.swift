internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import LinuxSystem
internal import ScenarioFormat
internal import SecretVault
internal import SodiumKit
internal import Synchronization
internal import UserPresence

/// The device of a scenario: a keychain with a vault in memory, with everything that the names of the scenario stand
/// for.
final class Stage: Sendable {
    /// The state that steps change. A step during a prompt runs in the middle of another step.
    struct State {
        var keychain: Keychain
        /// The passcode that was set last. The device has it unless the passcode was removed.
        var passcode: String?
        /// The name of the person who has paired the companion, or nil if it is still the one from the beginning.
        var pairedBy: String?
        /// The name of the person who holds the device.
        var user = "owner"
        var contexts: [String: KeychainContext] = [:]
        var items: KnownItems
        var files: StageFiles
        var backup: Backup?
        /// The domain state when it was last compared with an expectation.
        var domainState: [UInt8]?
        /// The steps to play during the next prompt.
        var meanwhile: [Step] = []
        /// The person who answers the prompts of this step, if not the user.
        var guest: String?
        /// The outcomes of the steps during a prompt.
        var done: [(step: Step, outcome: StepOutcome)] = []
        /// The failed expectations of the steps during a prompt.
        var trouble: [UnmetExpectation] = []
        var failures = PlannedFailures()

        /// Records that a device was restored. Its apps start anew, so their contexts are gone.
        mutating func bringBack(_ backup: Backup) {
            contexts = [:]
            items = backup.items
        }
    }

    struct Backup {
        let path: String
        let isEncrypted: Bool
        var isOfThisDevice = true
        let items: KnownItems
        let files: [StageFiles.Copy]
    }

    let scenario: Scenario
    /// True if the vault keeps an audit log.
    let isAudited: Bool
    let watcher = Watcher()
    let state: Mutex<State>
    private let folder = Mutex<String?>(nil)

    /// Sets up the device, its apps and the stored items.
    ///
    /// - Throws: ``StageError`` if the device cannot exist or cannot store one of the items.
    init(_ scenario: Scenario, isAudited: Bool = false) throws(StageError) {
        self.scenario = scenario
        self.isAudited = isAudited
        let setup = scenario.device
        do {
            let keychain = try Keychain.simulated(
                setup.settings, passcode: setup.passcode, enrolled: setup.enrolled, user: NoUser(),
                isAudited: isAudited)
            state = Mutex(
                State(
                    keychain: keychain, passcode: setup.passcode, items: KnownItems(count: scenario.items.count),
                    files: try Self.files(scenario, on: keychain.vault)))
            try furnish(keychain)
            if setup.companion != .notPaired { try keychain.place(companion: setup.companion) }
        } catch {
            throw StageError(position: scenario.position, what: "this device cannot be set up: \(error)")
        }
        for (place, item) in scenario.items.enumerated() where item.isStored {
            do { try store(place) } catch {
                throw StageError(position: item.position, what: "\(item.name) cannot be stored: \(error)")
            }
        }
        var ignored = StepOutcome()
        watcher.collect(into: &ignored)
        let hash = try? keychain.enrollmentHash
        state.withLock { $0.domainState = hash ?? nil }
    }

    deinit {
        keychain.close()
        if let folder = folder.withLock({ $0 }) { TemporaryPlace.remove(folder) }
    }

    var keychain: Keychain { state.withLock { $0.keychain } }

    /// The passcode of the device, or nil if it has none.
    var passcode: String? {
        let (keychain, passcode) = state.withLock { ($0.keychain, $0.passcode) }
        return (try? keychain.device)?.passcode == nil ? nil : passcode
    }

    /// Prepares a keychain for this stage: watched, with a user who answers, and with the apps as they are on `former`.
    func furnish(_ keychain: Keychain, like former: Device? = nil) throws(KeychainError) {
        try keychain.watch(by: watcher)
        keychain.requester = requester(0)
        keychain.user = ClosureUser(atOnce: true) { [weak self] prompt in self?.answer(prompt) ?? .cancel }
        for (place, app) in scenario.apps.enumerated() {
            guard let id = AppID(rawValue: UInt8(place)) else { continue }
            let installed = former == nil ? app.onDevice : former?.app(id)
            try keychain.simulate(installed.map { .appInstalled(id, $0) } ?? .appRemoved(id))
        }
    }

    // MARK: - People

    func requester(_ app: Int?) -> Requester {
        let place = app ?? 0
        let setup = scenario.apps[place]
        return Requester(setup.name, groups: setup.groups, app: AppID(rawValue: UInt8(place)) ?? .first)
    }

    /// The name under which the runner looks at the items that have arrived, which is no call of an app.
    static let onlooker = "(the runner of the scenario)"

    /// Returns a caller that may do what the app may, under the name of the runner.
    func onlooker(_ app: Int) -> Requester {
        Requester(Self.onlooker, groups: scenario.apps[app].groups, app: AppID(rawValue: UInt8(app)) ?? .first)
    }

    /// Returns the person with this name. The owner has everything that the device knows now.
    func visitor(_ name: String) -> ShapeVisitor {
        switch name {
        case "owner":
            let person = SimulatedPerson(
                fingers: (try? keychain.enrolledNames) ?? [], passcode: passcode,
                wearsCompanion: (try? keychain.device)?.companion.isPaired ?? false)
            return ShapeVisitor(person: person, knowsBackupPassword: true)
        case "stranger":
            return ShapeVisitor(person: SimulatedPerson(fingers: ["a stranger's finger"], passcode: "a wrong passcode"))
        case "absent": return ShapeVisitor(person: SimulatedPerson(dismisses: true))
        default: return person(name) ?? ShapeVisitor(person: SimulatedPerson(dismisses: true))
        }
    }

    /// Returns a person that the file declares, with the passcode and the companion that they can use now.
    private func person(_ name: String) -> ShapeVisitor? {
        guard var visitor = scenario.people[name] else { return nil }
        if let passcode, visitor.passcodes.contains(passcode) {
            visitor.person.passcode = passcode
        } else if !visitor.guesses {
            visitor.person.passcode = nil
        }
        if let pairedBy = state.withLock({ $0.pairedBy }), scenario.people[pairedBy]?.hasOwnCompanion == true {
            visitor.person.wearsCompanion = name == pairedBy
        }
        return visitor
    }

    private func answer(_ prompt: Prompt) -> Response {
        let steps = state.withLock { state in
            defer { state.meanwhile = [] }
            return state.meanwhile
        }
        if !steps.isEmpty { watcher.aside { playMeanwhile(steps) } }
        if let ending = state.withLock({ $0.failures.consumePromptEnding() }) {
            if let early = ending.early { prompt.end(early) }
            return .cancel
        }
        // The steps during the prompt may have handed the device to another person.
        let visitor = visitor(state.withLock { $0.guest ?? $0.user })
        var person = visitor.person
        if !visitor.guesses { person.fingers.removeAll { !prompt.content.enrolled.contains($0) } }
        return person.answer(prompt)
    }

    private func playMeanwhile(_ steps: [Step]) {
        var done: [(step: Step, outcome: StepOutcome)] = []
        var trouble: [UnmetExpectation] = []
        for step in steps {
            for _ in 0..<step.times where trouble.isEmpty {
                let outcome = perform(step)
                done.append((step, outcome))
                trouble = findings(of: step, outcome)
            }
        }
        state.withLock { state in
            state.done = done
            state.trouble += trouble
        }
    }

    // MARK: - Paths

    /// Returns a new path for a backup, in a folder that lasts as long as the stage.
    ///
    /// - Throws: ``StageError`` if the temporary folder cannot be created.
    func newPath() throws(StageError) -> String {
        let folder: String? = folder.withLock { folder in
            folder = folder ?? TemporaryPlace.make()
            return folder
        }
        guard let folder else {
            throw StageError(
                position: scenario.position,
                what: "cannot create a temporary folder: set TMPDIR to a folder that you can write to")
        }
        return TemporaryPlace.newName(in: folder)
    }
}

/// The reason why a scenario cannot start.
struct StageError: Error {
    let position: Position
    let what: String
}

extension AppSetup {
    var onDevice: App {
        // The keychain knows the groups by name. To the device, only the number of the first one matters.
        App(groups: groups.isEmpty ? [] : [.first], permission: permission, declaresUsage: declaresUsage)
    }
}
