internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import LinuxSystem
internal import ScenarioFormat
internal import SecretVault
internal import SodiumKit
internal import Synchronization
internal import UserPresence

/// The device of a scenario, with everything that its names mean: a keychain with a vault in memory, so that what passes is
/// what runs.
final class Stage: Sendable {
    /// What changes while it plays. One step at a time, but those of a prompt come in the middle of another.
    struct State {
        var keychain: Keychain
        /// The passcode that was set last, which is the device's as long as it has one.
        var passcode: String?
        /// Whoever has paired the companion; nil where it is as in the beginning.
        var pairedBy: String?
        /// Whoever holds the device.
        var user = "owner"
        var contexts: [String: KeychainContext] = [:]
        /// What is stored.
        var items: KnownItems
        var backup: Backup?
        /// What an app that keeps the domain state saw last.
        var domainState: [UInt8]?
        /// What happens once somebody is asked.
        var meanwhile: [Step] = []
        /// The person who is asked in this step, if not the user.
        var guest: String?
        /// What came of the steps of a prompt.
        var done: [(step: Step, outcome: Outcome)] = []
        /// What went wrong in the steps of a prompt.
        var trouble: [Finding] = []

        /// Takes note that a device was restored, whose apps begin anew.
        mutating func bringBack(_ backup: Backup) {
            contexts = [:]
            items = backup.items
        }
    }

    struct Backup {
        let path: String
        let isEncrypted: Bool
        var isOfThisDevice = true
        /// What was known of the items when it was made.
        let items: KnownItems
    }

    let scenario: Scenario
    let watcher = Watcher()
    let state: Mutex<State>
    private let folder = Mutex<String?>(nil)

    /// Puts up the device, its apps and what is stored on it. Throws what keeps an item from being stored.
    init(_ scenario: Scenario) throws(StageError) {
        self.scenario = scenario
        let setup = scenario.device
        do throws(KeychainError) {
            let keychain = try Keychain.simulated(
                setup.settings, passcode: setup.passcode, enrolled: setup.enrolled, user: NoUser())
            state = Mutex(
                State(
                    keychain: keychain, passcode: setup.passcode, items: KnownItems(count: scenario.items.count)))
            try furnish(keychain)
            if setup.companion != .notPaired { try keychain.place(companion: setup.companion) }
        } catch {
            throw StageError(position: scenario.position, what: "no such device can be: \(error)")
        }
        for (place, item) in scenario.items.enumerated() where item.isStored {
            do throws(KeychainError) { try store(place) } catch {
                throw StageError(position: item.position, what: "\(item.name) cannot be stored: \(error)")
            }
        }
        var ignored = Outcome()
        watcher.collect(into: &ignored)
        let hash = try? keychain.enrollmentHash
        state.withLock { $0.domainState = hash ?? nil }
    }

    deinit {
        keychain.close()
        if let folder = folder.withLock({ $0 }) { TemporaryPlace.remove(folder) }
    }

    var keychain: Keychain { state.withLock { $0.keychain } }

    /// The passcode of the device; nil where it has none, whatever took it away.
    var passcode: String? {
        let (keychain, passcode) = state.withLock { ($0.keychain, $0.passcode) }
        return (try? keychain.device)?.passcode == nil ? nil : passcode
    }

    /// Makes a keychain the one of this stage: watched, with somebody who answers, and with its apps, as they are on `former`.
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

    // MARK: - Who is there

    func requester(_ app: Int?) -> Requester {
        let place = app ?? 0
        let setup = scenario.apps[place]
        return Requester(setup.name, groups: setup.groups, app: AppID(rawValue: UInt8(place)) ?? .first)
    }

    /// Who is meant by a name; the owner has all that the device knows now.
    func visitor(_ name: String) -> Visitor {
        switch name {
        case "owner":
            let person = SimulatedPerson(
                fingers: (try? keychain.enrolledNames) ?? [], passcode: passcode,
                wearsCompanion: (try? keychain.device)?.companion.isPaired ?? false)
            return Visitor(person: person, knowsBackupPassword: true)
        case "stranger":
            return Visitor(person: SimulatedPerson(fingers: ["a stranger's finger"], passcode: "a wrong passcode"))
        case "absent": return Visitor(person: SimulatedPerson(dismisses: true))
        default: return person(name) ?? Visitor(person: SimulatedPerson(dismisses: true))
        }
    }

    /// Somebody of the file, with what is right of what they know and wear now.
    private func person(_ name: String) -> Visitor? {
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
        // Whoever holds the device now: it may have been handed over meanwhile.
        let visitor = visitor(state.withLock { $0.guest ?? $0.user })
        var person = visitor.person
        if !visitor.guesses { person.fingers.removeAll { !prompt.content.enrolled.contains($0) } }
        return person.answer(prompt)
    }

    private func playMeanwhile(_ steps: [Step]) {
        var done: [(step: Step, outcome: Outcome)] = []
        var trouble: [Finding] = []
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

    // MARK: - Places

    /// A new path for a backup, in a folder that goes with this.
    func newPath() throws(StageError) -> String {
        let folder: String? = folder.withLock { folder in
            folder = folder ?? TemporaryPlace.make()
            return folder
        }
        guard let folder else {
            throw StageError(
                position: scenario.position,
                what: "no temporary folder can be made: set TMPDIR to one that can be written to")
        }
        return TemporaryPlace.newName(in: folder)
    }
}

/// Why a scenario cannot begin.
struct StageError: Error {
    let position: Position
    let what: String
}

extension AppSetup {
    var onDevice: App {
        // The keychain knows the groups by name; to the device only their number matters.
        App(groups: groups.isEmpty ? [] : [.first], permission: permission, declaresUsage: declaresUsage)
    }
}
