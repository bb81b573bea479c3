import AccessPolicy
import DeviceModel
import Latchkey
import PolicyProver
import PolicyScenarios
import TestSupport

/// A random visit: an attacker of a file gets the device, and makes random moves that their profile allows.
///
/// The moves know nothing of the prover's. They follow from the profile as docs/proving.md describes it. A World plays
/// them along, so that they fit the state of the device.
struct RandomVisit {
    let file: RandomFile
    let visit: RandomFile.Visit
    /// The people of the scenario: the attacker, and owners who leave a context behind.
    private(set) var people: [ModelPerson]
    private(set) var lines: [Line] = []
    private var play: WorldPlay
    private var random: SeededGenerator
    private var timeLeft: TimeSpan?
    /// The contexts that apps keep, with the apps.
    private var kept: [(context: String, app: Int)] = []
    private var hasDevice: Bool
    private var isElsewhere = false

    private var profile: Profile { visit.profile }
    private var attacker: String { profile.name }
    private var can: Abilities { profile.can }

    /// A line of the scenario.
    struct Line: Sendable {
        /// The step in the words of a file.
        var words: String
        /// The number of the claim that fails if the step is granted, or if the item of `isPresent` is gone.
        var claim: Int?
        /// The name of an item that is present if the claim holds. Then the line has no words.
        var isPresent: String?
        /// True if the line belongs to what happens before the attacker gets the device.
        var isFixed = false
    }

    /// The passcode that an attacker sets.
    static let ownPasscode = "5678"

    init(_ file: RandomFile, _ visit: RandomFile.Visit, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.file = file
        self.visit = visit
        people = [Self.person(visit.profile, file.model.device, &random)]
        let keeps = visit.assumptions.contexts == .kept && !visit.profile.asksFromOtherGroup
        if keeps { people += (1...2).map { Self.keeper($0, file.model.device, &random) } }
        var scenario = file.model
        scenario.people = people
        play = WorldPlay(scenario)
        timeLeft = visit.profile.time
        hasDevice = visit.profile.holds != .backup
        self.random = random
        begin()
        for _ in 0..<Int.random(in: 0...16, using: &self.random) { move() }
        end()
    }

    // MARK: - People

    private static func person(
        _ profile: Profile, _ device: ModelDevice, _ random: inout SeededGenerator
    ) -> ModelPerson {
        var person = ModelPerson(name: profile.name)
        if profile.carries.contains(.ownFinger) { person.fingers.append(ModelScenario.thiefsFinger) }
        if profile.carries.contains(.ownersFinger) { person.fingers += device.enrolled.shuffled(using: &random) }
        var codes = [ownPasscode]
        if profile.knows.contains(.passcode), let code = device.passcode { codes.insert(code, at: 0) }
        person.passcode = codes[0]
        person.otherPasscodes = Array(codes.dropFirst())
        person.applicationPassword = profile.knows.contains(.applicationPassword) ? 1 : 0
        person.wearsCompanion = profile.carries.contains(.ownersCompanion)
        person.hasOwnCompanion = profile.carries.contains(.ownCompanion)
        person.knowsBackupPassword = profile.knows.contains(.backupPassword)
        person.permitsBiometry = !random.once(in: 8)
        person.guesses = ([.guess, .tryFinger] as Abilities).isSubset(of: profile.can) && random.once(in: 3)
        return person
    }

    /// Returns an owner who gives some of their factors.
    private static func keeper(
        _ number: Int, _ device: ModelDevice, _ random: inout SeededGenerator
    ) -> ModelPerson {
        var owner = ModelPerson(name: "owner \(number)")
        if !random.once(in: 3) { owner.fingers = device.enrolled }
        if !random.once(in: 3) { owner.passcode = device.passcode }
        owner.wearsCompanion = !random.once(in: 3)
        owner.applicationPassword = 1
        owner.guesses = false
        return owner
    }

    // MARK: - Before the attacker gets the device

    private mutating func begin() {
        let hasPasscode = play.world.device.passcode != nil
        switch profile.holds {
        case .nothing: preconditionFailure("a random file has no account")
        case .unlocked:
            if hasPasscode { unlockAsOwner() }
            keep()
        case .locked where !hasPasscode: keep()
        case .locked:
            switch visit.assumptions.held {
            case .longLocked:
                keep()
                lockForLong()
            case .justLocked:
                unlockAsOwner()
                keep()
                happen(.lock)
            }
        case .poweredOff:
            keep()
            happen(.reboot)
        case .backup:
            keep()
            happen(.backup(encrypted: true))
        case .erased:
            keep()
            happen(.erase)
        }
        if play.world.device.companion.isNear, !profile.carries.contains(.ownersCompanion) { happen(.companion(.away)) }
        if !hasDevice, act(.restore(sameDevice: false), isFixed: true) == .happened {
            (hasDevice, isElsewhere) = (true, true)
        }
    }

    private mutating func lockForLong() {
        happen(.lock)
        happen(.wait(play.world.device.settings.lockGrace + .seconds(1)))
    }

    /// The owner unlocks the device, by biometry if possible.
    private mutating func unlockAsOwner() {
        lockForLong()
        var trial = play
        var touch = play.namesEnrolled.first.map { ModelStep(deed: .happen(.touch($0))) }
        if touch != nil, trial.perform(&touch!).verdict == .happened, let finger = play.namesEnrolled.first {
            happen(.touch(finger))
        } else {
            happen(.unlock(nil))
        }
    }

    /// The owner uses an item in a context that an app keeps, once for each person who does.
    private mutating func keep() {
        let stored = file.storedItems
        for person in people.dropFirst() where !stored.isEmpty {
            let place = random.pick(stored)
            guard let app = apps(of: place).randomElement(using: &random) else { continue }
            let context = "the context of \(person.name)"
            var step = ModelStep(deed: deed(use(of: place), place), by: person.name)
            step.asking.app = app
            step.asking.context = context
            kept.append((context, app))
            perform(step, isFixed: true)
        }
    }

    // MARK: - The attacker

    private mutating func move() {
        guard hasDevice else { return }
        if random.once(in: 3) {
            if let request = request() { perform(request.step, claim: request.claim) }
        } else if !file.files.isEmpty, !profile.asksFromOtherGroup, random.once(in: 6) {
            useFile()
        } else if random.once(in: 16) {
            evaluate()
        } else if let step = step() {
            perform(step)
            switch step.deed {
            case .happen(.wait(let span)):
                timeLeft = timeLeft.map { TimeSpan(milliseconds: $0.milliseconds - span.milliseconds) }
            case .happen(.restore(sameDevice: false)): isElsewhere = isElsewhere || lastHappened
            default: break
            }
        }
    }

    private var lastHappened = false

    /// Reaches for every aim of the claims once more, as well as the attacker can.
    private mutating func end() {
        let claims = visit.claims.indices.shuffled(using: &random)
        for claim in claims {
            let goal = visit.claims[claim]
            let isPossible = hasDevice && !isElsewhere
            switch goal.aim {
            case .read, .use: for app in apps(of: goal.place) where hasDevice { ask(use(of: goal.place), claim, app) }
            case .list: for app in apps(of: goal.place) where hasDevice { ask(.readAttributes, claim, app) }
            case .appendFile: if isPossible { access("append", claim) }
            case .readFile: if hasDevice { access("open", claim) }
            case .overwrite, .destroy, .createFile, .readNext: break
            }
        }
        if hasDevice, !isElsewhere {
            for claim in claims where visit.claims[claim].aim == .destroy {
                lines.append(Line(words: "", claim: claim, isPresent: file.model.items[visit.claims[claim].place].name))
            }
        }
        // These change what the owner left, so that later steps would prove nothing.
        for claim in claims where hasDevice && !isElsewhere {
            let goal = visit.claims[claim]
            switch goal.aim {
            case .overwrite: for app in apps(of: goal.place) { ask(.update, claim, app) }
            case .createFile: access("write", claim)
            case .read, .use, .list, .destroy, .readFile, .appendFile, .readNext: break
            }
        }
        takeFromBackup(claims)
        interrupt()
    }

    /// Reads the files in the backup, by restoring it onto another device.
    private mutating func takeFromBackup(_ claims: [Int]) {
        let hasBackup = !can.intersection([.backUp, .restore]).isEmpty && play.hasBackup
        guard hasDevice, hasBackup, !profile.asksFromOtherGroup, random.once(in: 2) else { return }
        guard act(.restore(sameDevice: false)) == .happened else { return }
        isElsewhere = true
        for claim in claims where visit.claims[claim].aim == .readFile { access("open", claim) }
    }

    // MARK: - Requests

    /// Returns the apps that the attacker can ask through for the item at this index: those of its group or the others.
    private func apps(of place: Int) -> [Int] {
        let group = file.group(ofItem: place)
        return file.model.apps.indices.filter { app in
            group.map { file.model.apps[app].groups.contains($0) } != profile.asksFromOtherGroup
        }
    }

    private func use(of place: Int) -> Action { file.model.items[place].isKey ? .sign : .readData }

    private func deed(_ action: Action, _ place: Int) -> ModelDeed {
        .request(action, item: place, control: nil, secret: action == .update ? "the attacker's" : nil)
    }

    private func claim(_ aim: Aim, _ place: Int) -> Int? {
        visit.claims.firstIndex { $0 == RandomFile.Goal(aim: aim, place: place) }
    }

    private mutating func request() -> (step: ModelStep, claim: Int?)? {
        guard let place = file.storedItems.randomElement(using: &random),
            let app = apps(of: place).randomElement(using: &random)
        else { return nil }
        let isKey = file.model.items[place].isKey
        let action: Action = random.once(in: 6) ? .readAttributes : isKey ? random.pick([.sign, .agree]) : .readData
        var step = ModelStep(deed: deed(action, place), asking: asking(place, app), by: attacker)
        if random.once(in: 12) { step.asking.interaction = random.pick([.fail, .skip]) }
        return (step, claim(action == .readAttributes ? .list : isKey ? .use : .read, place))
    }

    private mutating func asking(_ place: Int, _ app: Int) -> ModelAsking {
        var asking = ModelAsking(app: app)
        let contexts = kept.filter { $0.app == app }.map(\.context)
        if !contexts.isEmpty, !random.once(in: 3) {
            asking.context = random.pick(contexts)
        } else if random.once(in: 3) {
            asking.context = "the attacker's in \(file.model.apps[app].name)"
        }
        if visit.reuse > .zero, !random.once(in: 3) { asking.reuse = visit.reuse }
        if profile.knows.contains(.applicationPassword), file.model.items[place].applicationPassword != 0,
            random.once(in: 2)
        {
            asking.applicationPassword = 1
        }
        return asking
    }

    /// Makes a request that a claim forbids.
    private mutating func ask(_ action: Action, _ claim: Int, _ app: Int) {
        let place = visit.claims[claim].place
        perform(ModelStep(deed: deed(action, place), asking: asking(place, app), by: attacker), claim: claim)
    }

    private mutating func evaluate() {
        let app = random.pick(Array(file.model.apps.indices))
        var step = ModelStep(
            deed: .evaluate(random.pick(AuthenticationPolicy.allCases), onlyAsks: false), by: attacker)
        step.asking.app = app
        step.asking.context = "the attacker's in \(file.model.apps[app].name)"
        perform(step)
    }

    /// Asks once more, and changes the device while the prompt is shown.
    private mutating func interrupt() {
        guard hasDevice, random.once(in: 3), let (step, claim) = request(), step.asking.interaction == .allowed else {
            return
        }
        var events: [ModelEvent] = []
        if can.contains(.lock) { events.append(.lock) }
        if can.contains(.enroll), let finger = people[0].fingers.first { events.append(.enroll([finger])) }
        if can.contains(.remove) { events.append(.resetBiometry) }
        if can.contains(.changePasscode) { events.append(.setPasscode(Self.ownPasscode)) }
        if can.contains(.removePasscode) { events.append(.removePasscode) }
        var (trial, asked) = (play, step)
        // Without a prompt there is no such moment.
        guard let event = events.randomElement(using: &random), !trial.perform(&asked).prompts.isEmpty else { return }
        let meanwhile = ["meanwhile:", "  - \(event.text(file.model))", "    by: \(attacker)", "    expect: anything"]
        let words = ([asked.text(file.model)] + meanwhile).joined(separator: "\n    ")
        lines.append(Line(words: words, claim: claim))
    }

    // MARK: - Files

    private mutating func useFile() {
        let place = Int.random(in: file.files.indices, using: &random)
        let name = file.files[place].name
        switch Int.random(in: 0..<8, using: &random) {
        // A person who ends the app closes its files.
        case 0: if !play.world.device.isLocked { lines.append(Line(words: "close: \(name)")) }
        case 1:
            if visit.assumptions.deletes, random.once(in: 3) { lines.append(Line(words: "unlink: \(name)")) }
        case 2, 3:
            if !isElsewhere { lines.append(Line(words: "append: \(name)", claim: claim(.appendFile, place))) }
        default: lines.append(Line(words: "open: \(name)", claim: claim(.readFile, place)))
        }
    }

    /// Makes an access to a file that a claim forbids. An app of another group reaches no file of this one.
    private mutating func access(_ word: String, _ claim: Int) {
        if profile.asksFromOtherGroup { return }
        lines.append(Line(words: "\(word): \(file.files[visit.claims[claim].place].name)", claim: claim))
    }

    // MARK: - Performing

    @discardableResult
    private mutating func happen(_ event: ModelEvent) -> WorldSays {
        perform(ModelStep(deed: .happen(event)), isFixed: true)
    }

    private mutating func act(_ event: ModelEvent, isFixed: Bool = false) -> StepOutcome.Verdict {
        perform(ModelStep(deed: .happen(event), by: attacker), isFixed: isFixed).verdict
    }

    @discardableResult
    private mutating func perform(_ step: ModelStep, claim: Int? = nil, isFixed: Bool = false) -> WorldSays {
        var step = step
        let says = play.perform(&step)
        lastHappened = says.verdict == .happened
        lines.append(Line(words: step.text(play.scenario), claim: claim, isFixed: isFixed))
        return says
    }
}

// MARK: - Events

extension RandomVisit {
    /// Returns a random event that the attacker can try.
    private mutating func step() -> ModelStep? {
        let device = play.world.device
        var events: [ModelEvent] = proofs(device)
        if can.contains(.lock) { events += [.lock, .holdButtons] }
        if can.contains(.reboot) { events.append(.reboot) }
        if can.contains(.permit) {
            for app in file.model.apps.indices {
                events += [.permitBiometry(app), .permitBiometry(app), .denyBiometry(app)]
            }
        }
        events += companionMoves(device)
        events += settings(device)
        if can.contains(.backUp) { events += [.backup(encrypted: true), .backup(encrypted: false)] }
        if can.contains(.restore), play.hasBackup {
            events += [.restore(sameDevice: true), .restore(sameDevice: false)]
        }
        if can.contains(.erase), random.once(in: 4) { events.append(.erase) }
        if visit.assumptions.deletes, random.once(in: 12), let place = file.storedItems.randomElement(using: &random),
            let app = apps(of: place).randomElement(using: &random)
        {
            return ModelStep(deed: deed(.delete, place), asking: ModelAsking(app: app), by: attacker)
        }
        if can.contains(.wait), random.once(in: 4), let span = wait(device) {
            return ModelStep(deed: .happen(.wait(span)))
        }
        guard let event = events.randomElement(using: &random) else { return nil }
        // The device tells a person who guesses from one who types their own passcode.
        if case .unlock(.some) = event { return ModelStep(deed: .happen(event)) }
        return ModelStep(deed: .happen(event), by: attacker)
    }

    /// Returns what the attacker can type and show: right passcodes and fingers, and wrong ones if they try.
    private mutating func proofs(_ device: Device) -> [ModelEvent] {
        var events: [ModelEvent] = []
        if device.passcode == nil || play.knowsPasscode(attacker) {
            events.append(.unlock(nil))
            if device.isLocked { events += [.unlock(nil), .unlock(nil), .unlock(nil)] }
        }
        if can.contains(.guess) {
            events += (0..<2).map { _ in .unlock("guess \(Int.random(in: 1...20, using: &random))") }
        }
        for finger in people[0].fingers {
            let isEnrolled = play.namesEnrolled.contains(finger)
            if isEnrolled || can.contains(.tryFinger) { events.append(.touch(finger)) }
            if isEnrolled, device.isLocked { events += [.touch(finger), .touch(finger), .touch(finger)] }
        }
        return events
    }

    private func companionMoves(_ device: Device) -> [ModelEvent] {
        var events: [ModelEvent] = []
        let isWorn = !profile.carries.intersection([.ownCompanion, .ownersCompanion]).isEmpty
        if device.companion.isPaired {
            // The scenario refuses it to a person who does not wear the one that is paired.
            if isWorn { events += [.companion(.ready), .companion(.ready), .companion(.locked), .companion(.away)] }
            if can.contains(.pair) { events.append(.companion(.notPaired)) }
        } else if can.contains(.pair), profile.knows.contains(.appleAccount), isWorn {
            events += [.companion(.ready), .companion(.away)]
        }
        return events
    }

    private mutating func settings(_ device: Device) -> [ModelEvent] {
        var events: [ModelEvent] = []
        if can.contains(.enroll) {
            let others = people[0].fingers.filter { !play.namesEnrolled.contains($0) }
            events += others.flatMap { [.enroll([$0]), .enroll([$0])] }
        }
        if can.contains(.remove) {
            events += play.namesEnrolled.map { .remove([$0]) }
            if !play.namesEnrolled.isEmpty { events.append(.resetBiometry) }
        }
        if can.contains(.changePasscode) {
            let codes = [people[0].passcode].compactMap(\.self) + people[0].otherPasscodes
            events.append(.setPasscode(random.pick(codes)))
            if device.passcode == nil { events += [.setPasscode(Self.ownPasscode), .setPasscode(Self.ownPasscode)] }
        }
        if can.contains(.removePasscode), random.once(in: 2) { events.append(.removePasscode) }
        if device.isTheftProtected,
            !can.intersection([.enroll, .remove, .changePasscode, .removePasscode]).isEmpty
        {
            events += [.startSecurityDelay, .startSecurityDelay]
        }
        return events
    }

    private mutating func wait(_ device: Device) -> TimeSpan? {
        var spans: [TimeSpan] = [
            .seconds(1), .seconds(9), .seconds(11), .seconds(30), .minutes(1), .minutes(4), .minutes(6), .minutes(11),
            .minutes(30), .hours(1), .hours(5), .hours(25), .hours(49), .hours(157), .hours(200),
        ]
        if device.passcodeState == .delayed { spans += [device.delayedUntil - device.now] }
        if let ends = device.securityDelayEnds, ends > device.now {
            spans += (0..<15).map { _ in ends - device.now }
        }
        let span = random.pick(spans)
        guard let timeLeft else { return span }
        let wait = min(span, timeLeft)
        return wait > .zero ? wait : nil
    }
}
