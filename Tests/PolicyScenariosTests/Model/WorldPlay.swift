import AccessPolicy
import ApplePlatform
import DeviceModel
import Latchkey
import PolicyScenarios
import ScenarioFormat

/// A World's answer to a step, in the words that are compared.
struct WorldSays: Sendable {
    var verdict = StepOutcome.Verdict.happened
    /// True if the answer is only that the request can be met. A vault tries the application password before it says
    /// so, and a World does not.
    var isOnlyPossible = false
    var status: OSStatusCode?
    var laError: LAErrorCode?
    var prompts: [Factor] = []
    var permissionAlerts = 0
    /// The secret that a granted read returns, or nil for none.
    var secret: String?
    /// The states by the indices of the items.
    var items: [ItemState] = []
    var domainState = DomainStateChange.none
    /// The states of the device, by their names in the file.
    var device: [(what: String, isSo: Bool)] = []
    var enrolled: [String] = []
}

/// A World that plays a scenario. It numbers everything that has a name in the file.
struct WorldPlay {
    let scenario: ModelScenario
    var world: World
    private(set) var slots: [SlotID] = []
    private(set) var user = "owner"
    /// The name of the person who paired the companion, or nil if it is the one from the beginning.
    private var pairedBy: String?
    private(set) var contexts: [String: Kept] = [:]
    private var names = Names()
    /// The secrets that reads have to return and those in the backup, by the indices of the items.
    private var secrets: [String?]
    private var copies: [String?]
    private(set) var hasBackup = false
    private var domainState: DomainState?

    /// A context that an app keeps.
    struct Kept {
        var model = Context()
        var applicationPassword: UInt8 = 0
        /// True if a request may have found the application password wrong, so that the context drops it. A World's
        /// requests pass the password along each time, so the next request in this context has to set it again.
        var mayHaveDropped = false
    }

    /// Sets up the device. An item that the World cannot store is declared as not stored.
    init(_ scenario: ModelScenario) {
        var scenario = scenario
        world = World(Device(scenario.device.settings))
        secrets = scenario.items.map { _ in nil }
        copies = secrets
        for (place, app) in scenario.apps.enumerated() {
            if let id = AppID(rawValue: UInt8(place)) { world.apply(.appInstalled(id, app.inModel)) }
        }
        if let passcode = scenario.device.passcode { world.apply(.passcodeSet(names.passcode(passcode))) }
        for name in scenario.device.enrolled { world.apply(.enrolled(names.finger(name))) }
        if scenario.device.companion != .notPaired { Self.place(scenario.device.companion, in: &world) }
        for place in scenario.items.indices {
            let item = Item(
                scenario.items[place].control, group: Self.group(of: scenario.items[place], scenario),
                isKey: scenario.items[place].isKey, isSynchronizable: scenario.items[place].isSynchronizable)
            guard let id = try? world.addSlot(for: item) else { continue }
            slots.append(id)
            guard scenario.items[place].isStored else { continue }
            // The app stores it without a person.
            var call = Call(.add, id, by: .absent)
            call.app = AppID(rawValue: UInt8(scenario.items[place].app)) ?? .first
            call.applicationPassword = scenario.items[place].applicationPassword
            call.namesGroup = scenario.items[place].group != nil
            var trial = world
            scenario.items[place].isStored = trial.perform(call).decision.isGranted
            if !scenario.items[place].isStored { continue }
            world = trial
            secrets[place] = scenario.items[place].secret
        }
        self.scenario = scenario
        domainState = world.device.enrolled.isEmpty ? nil : world.device.domainState
    }

    private static func group(of item: ModelItem, _ scenario: ModelScenario) -> AccessGroup {
        AccessGroup(rawValue: item.group ?? scenario.apps[item.app].groups.first ?? 0) ?? .first
    }

    // MARK: - Playing

    /// Performs a step, and completes it where a World needs to know more.
    mutating func perform(_ step: inout ModelStep) -> WorldSays {
        var says = WorldSays()
        switch step.deed {
        case .hold(let name): user = name
        case .invalidate(let name): contexts[name, default: Kept()].model.isInvalidated = true
        case .happen(let event): says.verdict = verdict(of: happen(event, by: step.by))
        case .request, .evaluate, .meet: ask(&step, &says)
        }
        look(&says)
        return says
    }

    private func verdict(of effects: Effects) -> StepOutcome.Verdict {
        if let refusal = effects.refusal { return .refused(refusal) }
        return effects.contains(.rejected(.passcode)) || effects.contains(.rejected(.biometry)) ? .wrong : .happened
    }

    private mutating func look(_ says: inout WorldSays) {
        let device = world.device
        says.items = slots.map { id in
            guard let slot = world[id], slot.isPresent else { return .absent }
            return lastingDenial(of: slot.item, under: device.conditions()) == nil ? .present : .lost
        }
        let former = domainState
        domainState = device.enrolled.isEmpty ? nil : device.domainState
        says.domainState = domainState == nil ? .none : domainState == former ? .same : .changed
        says.device = [
            ("locked", device.isLocked), ("firstUnlock", device.hasFirstUnlock),
            ("passcodeSet", device.passcode != nil), ("lockedOut", device.isLockedOut),
            ("passcodeRequired", !device.passcodeReasons.isEmpty), ("disabled", device.isDisabled),
        ]
        says.enrolled = namesEnrolled
    }

    /// The enrolled fingers.
    var namesEnrolled: [String] { world.device.enrolled.map { names.name(of: $0) } }

    /// Returns the person with this name, as they can authenticate now.
    mutating func person(_ name: String) -> Person {
        switch name {
        case "owner": return .owner(of: world.device)
        case "stranger":
            return Person(
                fingers: [names.finger("a stranger's finger")], passcode: names.passcode("a wrong passcode"))
        case "absent": return .absent
        default: break
        }
        guard let person = scenario.people.first(where: { $0.name == name }) else { return .absent }
        let codes = ([person.passcode].compactMap(\.self) + person.otherPasscodes).map { names.passcode($0) }
        let right = codes.first { $0 == world.device.passcode }
        var wearsCompanion = person.wearsCompanion
        if let pairedBy, scenario.people.contains(where: { $0.name == pairedBy && $0.hasOwnCompanion }) {
            wearsCompanion = name == pairedBy
        }
        return Person(
            fingers: person.fingers.reduce(into: []) { $0.insert(names.finger($1)) },
            passcode: right ?? (person.guesses ? codes.first : nil), applicationPassword: person.applicationPassword,
            wearsCompanion: wearsCompanion, knowsBackupPassword: person.knowsBackupPassword,
            dismisses: person.dismisses, permitsBiometry: person.permitsBiometry)
    }

    /// Returns true if the person with this name knows the passcode that the device has now.
    mutating func knowsPasscode(_ name: String) -> Bool {
        world.device.passcode != nil && person(name).passcode == world.device.passcode
    }

    /// Returns the person with this name as they answer prompts. Without guessing, they show no wrong finger.
    private mutating func answering(_ name: String) -> Person {
        var person = person(name)
        if scenario.people.contains(where: { $0.name == name && !$0.guesses }) {
            person.fingers = person.fingers.intersection(world.device.enrolled)
        }
        return person
    }

    // MARK: - Requests

    private mutating func ask(_ step: inout ModelStep, _ says: inout WorldSays) {
        var kept = step.asking.context.map { contexts[$0] ?? Kept() } ?? Kept()
        if kept.mayHaveDropped && step.asking.applicationPassword == nil {
            step.asking.applicationPassword = kept.applicationPassword
        }
        if let reuse = step.asking.reuse { kept.model.reuse = reuse }
        if let password = step.asking.applicationPassword, !kept.model.isInvalidated {
            // A new application password replaces the one that the context has authenticated with.
            kept.model[.applicationPassword] = nil
            kept.applicationPassword = password
            kept.mayHaveDropped = false
        }
        let person = answering(step.by ?? user)
        let app = step.asking.app
        var call: Call
        switch step.deed {
        case .request(let action, let place, let control, _):
            let item = scenario.items[place]
            // An item that is stored again without details is as declared.
            let demand = action == .add ? control ?? item.control : control
            call = Call(.item(slots[place], action, control: demand), app: id(app ?? item.app), by: person)
            call.interaction = step.asking.interaction
            call.namesGroup = action == .add && item.group != nil
            if let slot = world[slots[place]], slot.isPresent, slot.item.control.needsApplicationPassword,
                slot.applicationPassword != kept.applicationPassword
            {
                kept.mayHaveDropped = kept.applicationPassword != 0
            }
        case .evaluate(let policy, let onlyAsks):
            call = Call(.policy(policy), app: id(app ?? 0), by: person, interaction: step.evaluating(onlyAsks))
            call.hidesFallback = step.asking.hidesFallback
        case .meet(let control, let operation, let onlyAsks):
            call = Call(
                .accessControl(control, operation), app: id(app ?? 0), by: person,
                interaction: step.evaluating(onlyAsks))
            call.hidesFallback = step.asking.hidesFallback
        case .invalidate, .hold, .happen: return
        }
        call.applicationPassword = kept.applicationPassword
        let permission = world.device.app(call.app)?.permission
        let outcome = world.perform(call, in: &kept.model)
        if permission != world.device.app(call.app)?.permission { says.permissionAlerts = 1 }
        if let name = step.asking.context { contexts[name] = kept }
        note(outcome, step, &says)
    }

    private mutating func note(_ outcome: DeviceModel.Outcome, _ step: ModelStep, _ says: inout WorldSays) {
        says.prompts = Array(outcome.prompts)
        var answer: AppleStatus?
        switch outcome.decision {
        case .granted(let grant): says.verdict = .granted(grant.way, reusesUnlock: grant.reusesUnlock)
        case .challenge:
            says.verdict = .granted([], reusesUnlock: false)
            says.isOnlyPossible = true
        case .denied(let denial):
            says.verdict = .denied(denial)
            answer = AppleStatus(denial.rule, scenario.device.settings.fidelity)
            says.laError = answer?.laError
        }
        guard case .request(let action, let place, _, let secret) = step.deed else { return }
        says.status = outcome.decision.isGranted ? .success : answer?.status
        guard outcome.decision.isGranted else { return }
        switch action {
        case .add: secrets[place] = secret ?? scenario.items[place].secret
        case .update: secrets[place] = secret ?? secrets[place]
        case .readData: says.secret = secrets[place]
        default: break
        }
    }

    func id(_ app: Int) -> AppID { AppID(rawValue: UInt8(app)) ?? .first }

    // MARK: - Events

    private mutating func happen(_ event: ModelEvent, by name: String?) -> Effects {
        switch event {
        case .enroll(let shown): return each(shown.map { .enrolled(names.finger($0)) }, by: name)
        case .remove(let shown): return each(shown.map { .removed(names.finger($0)) }, by: name)
        case .companion(let state): return place(state, by: name)
        case .setPasscode(let text):
            let code = names.passcode(text)
            if world.device.passcode == nil { return cause(.passcodeSet(code), by: name) }
            return changePasscode(.passcodeChanged(code), by: name)
        case .removePasscode: return changePasscode(.passcodeRemoved, by: name)
        case .unlock(let text):
            if let name {
                guard let code = text.map({ names.passcode($0) }) ?? person(name).passcode else {
                    return Effects(.refused(.personCannot))
                }
                return cause(.passcodeEntered(code), by: name)
            }
            guard let code = text.map({ names.passcode($0) }) ?? world.device.passcode else {
                return Effects(.refused(.passcodeNotSet))
            }
            return cause(.passcodeEntered(code), by: nil)
        case .lock: return cause(.lock, by: name)
        case .reboot: return cause(.reboot, by: name)
        case .lockRemotely: return cause(.remoteLock, by: name)
        case .holdButtons: return cause(.emergency, by: name)
        case .resetBiometry: return cause(.biometryReset, by: name)
        case .startSecurityDelay: return cause(.securityDelayStarted, by: name)
        case .erase: return cause(.erase, by: name)
        case .touch(let shown): return cause(.presented(names.finger(shown)), by: name)
        case .wait(let span): return cause(.timePassed(span), by: name)
        case .install(let app): return cause(.appInstalled(id(app), scenario.apps[app].inModel), by: name)
        case .uninstall(let app): return cause(.appRemoved(id(app)), by: name)
        case .permitBiometry(let app): return cause(.biometryPermitted(id(app)), by: name)
        case .denyBiometry(let app): return cause(.biometryDenied(id(app)), by: name)
        case .backup(let encrypted): return cause(.backupTaken(encrypted: encrypted), by: name)
        case .restore(let same): return cause(same ? .restoredOntoThisDevice : .restoredOntoAnotherDevice, by: name)
        }
    }

    /// Applies an event, or lets a person cause it.
    private mutating func cause(_ event: Event, by name: String?) -> Effects {
        let effects: Effects
        if let name {
            let person = person(name)
            effects = world.act(event, by: person)
        } else {
            effects = world.apply(event)
        }
        for effect in effects {
            switch effect {
            case .exportBackup:
                copies = secrets
                hasBackup = true
            case .importBackup:
                secrets = copies
                contexts = [:]  // The apps of a restored device start anew, so their contexts are gone.
            default: break
            }
        }
        return effects
    }

    /// Applies events one after another, until one does not happen.
    private mutating func each(_ events: [Event], by name: String?) -> Effects {
        var last = Effects(.refused(.nothingToChange))
        for event in events {
            last = cause(event, by: name)
            if verdict(of: last) != .happened { break }
        }
        return last
    }

    /// A device that takes no passcode changes it for no person. A World keeps no keys, so it could.
    private mutating func changePasscode(_ event: Event, by name: String?) -> Effects {
        if name != nil { return cause(event, by: name) }
        var trial = world
        let effects = trial.apply(event)
        if effects.refusal != nil { return effects }
        switch world.device.passcodeState {
        case .delayed: return Effects(.refused(.passcodeDelayed))
        case .disabled: return Effects(.refused(.passcodeDisabled))
        case .ready, .notSet: return cause(event, by: nil)
        }
    }

    /// Bringing a companion somewhere pairs it first if necessary. A step that changes nothing is refused.
    private mutating func place(_ state: CompanionState, by name: String?) -> Effects {
        guard let name else {
            if !world.device.companion.isPaired { pairedBy = nil }
            return state == .notPaired ? cause(.companionUnpaired, by: nil) : Self.place(state, in: &world)
        }
        if state == .notPaired { return cause(.companionUnpaired, by: name) }
        var happened: [Effects] = []
        if !world.device.companion.isPaired {
            let paired = cause(.companionPaired, by: name)
            pairedBy = verdict(of: paired) == .happened ? name : nil
            if verdict(of: paired) != .happened || state == .away { return paired }
            happened.append(paired)
        }
        for event in Self.way(to: state) {
            let effects = cause(event, by: name)
            if effects.refusal == .personCannot { return effects }
            happened.append(effects)
        }
        return happened.first { $0.refusal == nil } ?? happened.last ?? Effects(.refused(.nothingToChange))
    }

    @discardableResult
    private static func place(_ state: CompanionState, in world: inout World) -> Effects {
        let happened = ([.companionPaired] + way(to: state)).map { world.apply($0) }
        return happened.first { $0.refusal == nil } ?? happened[2]
    }

    private static func way(to state: CompanionState) -> [Event] {
        [state == .away ? .companionAway : .companionNear, state == .ready ? .companionUnlocked : .companionLocked]
    }
}

extension ModelStep {
    /// Returns true if an evaluation may show a prompt. It never skips one.
    fileprivate func evaluating(_ onlyAsks: Bool) -> Interaction {
        onlyAsks ? .preflight : asking.interaction == .fail ? .fail : .allowed
    }
}

extension ModelApp {
    var inModel: App {
        App(
            groups: groups.reduce(into: []) { $0.insert(AccessGroup(rawValue: $1) ?? .first) }, permission: permission,
            declaresUsage: declaresUsage)
    }
}

/// The numbers that names get in a World, in order of appearance.
private struct Names {
    private var fingers: [String] = []
    private var passcodes: [String] = []

    mutating func finger(_ name: String) -> Finger {
        Finger(rawValue: UInt8(clamping: Self.number(name, &fingers))) ?? .unknown
    }

    mutating func passcode(_ text: String) -> Passcode {
        let number = Self.number(text, &passcodes)
        guard let code = Passcode(rawValue: UInt8(clamping: number)) else { preconditionFailure("too many passcodes") }
        return code
    }

    func name(of finger: Finger) -> String { fingers[Int(finger.rawValue)] }

    private static func number(_ name: String, _ names: inout [String]) -> Int {
        if let place = names.firstIndex(of: name) { return place }
        names.append(name)
        return names.count - 1
    }
}
