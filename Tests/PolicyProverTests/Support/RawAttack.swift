import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

// Attacks as a person would write them who knows the model and the profiles but not the prover: raw worlds, every
// finger and every code one by one, waits of any length, and requests as steps like all others.

/// A world, and the effects of the attack on its items.
struct RawState: Hashable {
    var world: World
    var timeLeft: TimeSpan?
    var isCompanionTheirs = false
    var isRestoredElsewhere = false
    /// True if the device at hand is not the owner's.
    var isElsewhere = false
    /// The numbers of the items that the attacker deleted by a request, and of those that they stored anew.
    var deleted: UInt8 = 0
    var replaced: UInt8 = 0
    /// The items of which the backup holds the attacker's replacement.
    var replacedInBackup: UInt8 = 0
    /// The contexts that the app keeps, in each of which the owner has used one item.
    var kept: [KeptContext] = []

    struct KeptContext: Hashable {
        let slot: SlotID
        var context: Context
    }
}

/// One raw move.
enum RawMove: Hashable {
    /// The way in which a person answers prompts.
    enum Manner: CaseIterable {
        /// As well as they can.
        case well
        /// With a wrong finger and a wrong code.
        case wrongly
        /// By dismissing the prompt.
        case dismissing
        /// As well as they can, through an app that supplies the application password.
        case bringing
    }

    case event(Event)
    case request(Action, SlotID, Manner)
}

/// A person of a profile in front of a raw world.
struct RawAttacker {
    let profile: Profile
    let assumptions: Assumptions
    let fingers: [Finger]
    let code: Passcode
    let isOwnersCode: Bool
    let slots: [SlotID]
    let app: AppID

    static let waits: [TimeSpan] = [.seconds(11), .minutes(1), .minutes(6), .hours(5), .hours(49), .hours(202)]
    static let guesses = (8..<10).compactMap(Passcode.init(rawValue:))

    init(_ profile: Profile, on scene: Scene, assuming assumptions: Assumptions = Assumptions()) throws {
        self.profile = profile
        self.assumptions = assumptions
        let own = try #require(Finger(rawValue: profile.isOwner ? 6 : 8))
        fingers =
            (profile.carries.contains(.ownersFinger) ? Array(scene.world.device.enrolled) : [])
            + (profile.carries.contains(.ownFinger) ? [own] : [])
        code = try #require(Passcode(rawValue: profile.isOwner ? 2 : 3))
        isOwnersCode = profile.knows.contains(.passcode)
        slots = scene.items
        app = profile.asksFromOtherGroup ? try #require(AppID(rawValue: 1)) : .first
    }

    /// Returns the raw world in which the device comes to them.
    func beginning(on scene: Scene) -> RawState {
        var world = scene.world
        let finger = world.device.enrolled.first { _ in true }
        let isJustLocked = profile.holds == .locked && assumptions.held == .justLocked
        if profile.holds == .unlocked || isJustLocked {
            world.apply(.lock)
            world.apply(.timePassed(.seconds(11)))
            if let finger { world.apply(.presented(finger)) }
        }
        let kept = assumptions.contexts == .kept && app == .first ? contexts(on: world) : []
        switch profile.holds {
        case .unlocked, .nothing: break
        case .locked:
            world.apply(.lock)
            if !isJustLocked { world.apply(.timePassed(.seconds(11))) }
        case .poweredOff: world.apply(.reboot)
        case .backup: world.apply(.backupTaken(encrypted: true))
        case .erased: world.apply(.erase)
        }
        if !profile.carries.contains(.ownersCompanion) { world.apply(.companionAway) }
        return RawState(world: world, timeLeft: profile.time, kept: kept)
    }

    /// Returns the contexts of an owner who reads or uses each item, with the factors that open it.
    private func contexts(on world: World) -> [RawState.KeptContext] {
        slots.flatMap { slot in
            (1..<16).compactMap { bits in
                var owner = Person.owner(of: world.device)
                owner.applicationPassword = bits & 8 == 8 ? 1 : 0
                if bits & 1 == 0 { owner.fingers = [] }
                if bits & 2 == 0 { owner.passcode = nil }
                if bits & 4 == 0 { owner.wearsCompanion = false }
                var trial = world
                var context = Context()
                let action: Action = world[slot]?.item.isKey == true ? .sign : .readData
                let outcome = trial.perform(Call(.item(slot, action, control: nil), by: owner), in: &context)
                return outcome.decision.isGranted ? RawState.KeptContext(slot: slot, context: context) : nil
            }
        }
    }

    func canAsk(in state: RawState) -> Bool {
        profile.holds != .nothing && (profile.holds != .backup || state.isRestoredElsewhere)
    }

    func person(in state: RawState, _ manner: RawMove.Manner) -> Person {
        let device = state.world.device
        let carried = state.isCompanionTheirs ? Belonging.ownCompanion : .ownersCompanion
        let knowsBackup = profile.knows.contains(.backupPassword)
        if manner == .wrongly {
            return Person(
                fingers: canTry ? all.subtracting(device.enrolled) : [],
                passcode: profile.can.contains(.guess) ? Self.guesses[0] : nil, applicationPassword: 7)
        }
        let known = device.passcode.flatMap { code in
            code == self.code || (isOwnersCode && code.rawValue == 1) ? code : nil
        }
        return Person(
            fingers: all, passcode: known,
            applicationPassword: profile.knows.contains(.applicationPassword) ? 1 : 0,
            wearsCompanion: profile.carries.contains(carried), knowsBackupPassword: knowsBackup,
            dismisses: manner == .dismissing, permitsBiometry: manner == .well)
    }

    private var all: Fingers { fingers.reduce(into: Fingers()) { $0.insert($1) } }
    private var canTry: Bool { profile.can.contains(.tryFinger) }

    // MARK: - Moves

    func events(in state: RawState) -> [Event] {
        guard canAsk(in: state) else { return [.restoredOntoAnotherDevice] }
        let can = profile.can
        let device = state.world.device
        var events: [Event] = [.passcodeEntered(code)]
        if isOwnersCode, let owners = Passcode(rawValue: 1) { events.append(.passcodeEntered(owners)) }
        if can.contains(.guess) { events += Self.guesses.map(Event.passcodeEntered) }
        for finger in fingers where canTry || device.enrolled.contains(finger) { events.append(.presented(finger)) }
        if can.contains(.lock) { events += [.lock, .emergency] }
        if can.contains(.reboot) { events.append(.reboot) }
        if can.contains(.wait) {
            let delay = device.delayedUntil - device.now
            let waits = Self.waits + (delay > .zero ? [delay] : []) + (state.timeLeft.map { [$0] } ?? [])
            events += waits.filter { $0 > .zero && $0 <= state.timeLeft ?? $0 }.map(Event.timePassed)
        }
        if can.contains(.permit) { events += [.biometryPermitted(app), .biometryDenied(app)] }
        let carried = state.isCompanionTheirs ? Belonging.ownCompanion : .ownersCompanion
        if profile.carries.contains(carried) {
            events += [.companionNear, .companionAway, .companionUnlocked, .companionLocked]
        }
        if can.contains(.enroll) { events += fingers.map(Event.enrolled) }
        if can.contains(.remove) { events += device.enrolled.map(Event.removed) + [.biometryReset] }
        if can.contains(.changePasscode) { events += [.passcodeSet(code), .passcodeChanged(code)] }
        if can.contains(.removePasscode) { events.append(.passcodeRemoved) }
        if can.contains(.pair) {
            events.append(.companionUnpaired)
            let companions: Belongings = [.ownCompanion, .ownersCompanion]
            if !profile.carries.intersection(companions).isEmpty, profile.knows.contains(.appleAccount) {
                events.append(.companionPaired)
            }
        }
        if !can.intersection([.enroll, .remove, .changePasscode, .removePasscode]).isEmpty {
            events.append(.securityDelayStarted)
        }
        if can.contains(.backUp) { events += [.backupTaken(encrypted: true), .backupTaken(encrypted: false)] }
        if can.contains(.restore) { events += [.restoredOntoThisDevice, .restoredOntoAnotherDevice] }
        if can.contains(.erase) { events.append(.erase) }
        return events
    }

    /// Returns requests that can be steps on the way to an aim. A person who errs or dismisses does so at the first
    /// item with a prompt.
    func requests(in state: RawState) -> [RawMove] {
        guard canAsk(in: state) else { return [] }
        let actions: [Action] =
            [.readData, .sign, .readAttributes, .update] + (assumptions.deletes ? [.delete, .add] : [])
        let first = slots.first { state.world[$0]?.item.control.isProtected == true } ?? slots[0]
        return slots.flatMap { slot in actions.map { .request($0, slot, .well) } }
            + (profile.knows.contains(.applicationPassword) ? [.request(.readData, first, .bringing)] : [])
            + [.wrongly, .dismissing].flatMap { manner in
                [Action.readData, .sign].map { .request($0, first, manner) }
            }
    }

    // MARK: - Effects

    /// Makes `move`, and returns true if it succeeded. A denied request may have changed the world all the same.
    func make(_ move: RawMove, in state: inout RawState) -> Bool {
        switch move {
        case .event(let event): make(event, in: &state)
        case .request(let action, let slot, let manner): ask(action, slot, manner, in: &state)
        }
    }

    func make(_ event: Event, in state: inout RawState) -> Bool {
        var person = person(in: state, .well)
        if case .passcodeEntered(let code) = event { person.passcode = code }
        if case .presented(let finger) = event { person.fingers = [finger] }
        let wasTheirs = state.isCompanionTheirs
        guard state.world.act(event, by: person).refusal == nil else { return false }
        switch event {
        case .companionPaired: state.isCompanionTheirs = profile.carries.contains(.ownCompanion) && !profile.isOwner
        case .companionUnpaired, .erase: state.isCompanionTheirs = false
        case .restoredOntoThisDevice, .restoredOntoAnotherDevice:
            state.isRestoredElsewhere = true
            if event == .restoredOntoAnotherDevice { state.isElsewhere = true }
            state.isCompanionTheirs = false
            // A backup brings back the items that were there when it was made.
            for slot in slots where state.world[slot]?.isPresent == true {
                state.deleted &= ~(1 << slot.rawValue)
                state.replaced = state.replaced & ~(1 << slot.rawValue) | state.replacedInBackup & (1 << slot.rawValue)
            }
        case .backupTaken: state.replacedInBackup = state.replaced
        case .timePassed(let span):
            state.timeLeft = state.timeLeft.map { TimeSpan(milliseconds: $0.milliseconds - span.milliseconds) }
        default: state.isCompanionTheirs = wasTheirs
        }
        return true
    }

    func ask(_ action: Action, _ slot: SlotID, _ manner: RawMove.Manner, in state: inout RawState) -> Bool {
        var context = Context()
        return ask(action, slot, manner, in: &state, &context)
    }

    private func ask(
        _ action: Action, _ slot: SlotID, _ manner: RawMove.Manner, in state: inout RawState, _ context: inout Context
    ) -> Bool {
        let isProtectedByPassword = state.world[slot]?.item.control.needsApplicationPassword == true
        let call = Call(
            .item(slot, action, control: nil), app: app, by: person(in: state, manner),
            applicationPassword: action == .add && isProtectedByPassword ? 2 : manner == .bringing ? 1 : 0)
        guard state.world.perform(call, in: &context).decision.isGranted else { return false }
        if action == .delete { state.deleted |= 1 << slot.rawValue }
        if action == .add { state.replaced |= 1 << slot.rawValue }
        return true
    }

    // MARK: - Results

    /// Returns true if the item that the owner stored is gone.
    func isGone(_ slot: SlotID, in state: RawState) -> Bool {
        guard let place = state.world[slot], place.isPresent, state.replaced >> slot.rawValue & 1 == 0 else {
            return true
        }
        return invalidation(of: place.item, under: state.world.device.conditions()) != nil
    }

    /// Returns true if no person can ever use the owner's item again, although an invalidated key still has a row.
    func isUseless(_ slot: SlotID, in state: RawState) -> Bool {
        guard !isGone(slot, in: state), let item = state.world[slot]?.item else { return true }
        return lastingDenial(of: item, under: state.world.device.conditions()) != nil
    }

    /// Returns true if one more request reaches the aim.
    func reaches(_ aim: Aim, _ slot: SlotID, in state: RawState) -> Bool {
        guard canAsk(in: state) else { return false }
        if state.isElsewhere && (aim == .destroy || aim == .overwrite) { return false }
        if aim == .destroy && !assumptions.deletes { return false }
        var state = state
        if isGone(slot, in: state) {
            let isTheirs =
                assumptions.deletes && state.deleted >> slot.rawValue & 1 == 1
                && state.replaced >> slot.rawValue & 1 == 0
            return aim == .overwrite && isTheirs && ask(.add, slot, .well, in: &state)
        }
        let action: Action =
            switch aim {
            case .read: .readData
            case .use: .sign
            case .list: .readAttributes
            case .overwrite: .update
            case .destroy: .delete
            case .readNext: preconditionFailure("this attacker knows no account")
            case .readFile, .createFile, .appendFile: preconditionFailure("this attacker knows no files")
            }
        let manners: [RawMove.Manner] = profile.knows.contains(.applicationPassword) ? [.well, .bringing] : [.well]
        let contexts = [Context()] + state.kept.filter { $0.slot == slot }.map(\.context)
        return manners.contains { manner in
            contexts.contains { context in
                var (state, context) = (state, context)
                return ask(action, slot, manner, in: &state, &context)
            }
        }
    }
}
