internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver

/// A device with one item that people handle step by step. Every step is decided by the model that the prover searches.
struct PlayedDevice {
    private let subject: Subject
    private let slot: SlotID
    private let enrolledAtFirst: Fingers
    private(set) var world: World
    private(set) var cast: Cast
    private(set) var holder = Profile.owner
    private var contexts: [String: Context] = [:]
    private var isCompanionNew = false
    /// The passcodes that people have set, by their names.
    private var codesSet: [String: Passcodes] = [:]

    /// Creates the device as its owner leaves it. Throws if it cannot store the item.
    init(_ subject: Subject) throws(StoringError) {
        self.subject = subject
        let scene = try subject.scene
        world = scene.world
        slot = scene.items[0]
        enrolledAtFirst = scene.world.device.enrolled
        cast = Cast(subject.setting)
    }

    /// The outcome of a step.
    enum Outcome {
        case happened
        /// The event did not happen, or the answer was wrong.
        case refused(String)
        /// The request was decided, by these rules and after these prompts.
        case decided(Decision, [Rule], Prompts)
        /// The request waits for an answer to a prompt, after these prompts.
        case asks(Factor, Sheet.WayOut, [Rule])
    }

    /// Reads and plays a step. Throws if a word in it is unknown.
    mutating func play(_ json: JSON) throws(QuestionError) -> Outcome {
        let step = try PlayedStep(json, on: world.device, &cast)
        switch step.deed {
        case .hold(let person):
            holder = person
            return .happened
        case .refused(let refusal): return .refused(refusal.text)
        case .events(let events): return happen(events, step.by)
        case .request(let action): return request(action, step)
        }
    }

    // MARK: - Events

    private mutating func happen(_ events: [Event], _ by: Profile?) -> Outcome {
        for event in events {
            let effects = by.map { world.act(event, by: person($0, causing: event)) } ?? world.apply(event)
            if let refusal = effects.refusal { return .refused(refusal.text) }
            for effect in effects {
                if case .rejected(let factor) = effect { return .refused("the \(Self.noun(of: factor)) is wrong") }
            }
            note(event, by)
        }
        return .happened
    }

    private static func noun(of factor: Factor) -> String { factor == .biometry ? "finger or face" : "passcode" }

    private mutating func note(_ event: Event, _ by: Profile?) {
        switch event {
        case .passcodeSet(let code), .passcodeChanged(let code):
            codesSet[(by ?? holder).name, default: []].insert(code)
        case .companionPaired: isCompanionNew = by.map { $0.carries.contains(.ownCompanion) && !$0.isOwner } ?? false
        case .companionUnpaired, .erase, .restoredOntoThisDevice: isCompanionNew = false
        case .restoredOntoAnotherDevice:
            isCompanionNew = false
            contexts = [:]
        case .reboot, .lock, .passcodeEntered, .presented, .timePassed, .passcodeRemoved, .passcodeRecovered,
            .enrolled, .removed, .biometryReset, .sensorForgot, .securityDelayStarted, .companionNear, .companionAway,
            .companionUnlocked, .companionLocked,
            .appInstalled, .appRemoved, .biometryPermitted, .biometryDenied, .backupTaken, .remoteLock, .emergency:
            break  // The world itself records these.
        }
    }

    // MARK: - People

    /// Returns a person as prompts and settings meet them. `event` is the one that they cause.
    private func person(_ profile: Profile, causing event: Event? = nil) -> Person {
        let device = world.device
        var fingers: Fingers = profile.carries.contains(.ownersFinger) ? enrolledAtFirst : []
        if profile.carries.contains(.ownFinger) { fingers.insert(profile.isOwner ? .ownersSpare : .attackers) }
        var codes: Passcodes = codesSet[profile.name] ?? []
        codes.insert(profile.isOwner ? .ownersNext : .attackers)
        if profile.knows.contains(.passcode) { codes.insert(.owners) }
        var passcode = device.passcode.flatMap { codes.contains($0) ? $0 : nil }
        if case .passcodeEntered(let typed)? = event, codes.contains(typed) { passcode = typed }
        if event == nil { fingers = fingers.intersection(device.enrolled) }
        return Person(
            fingers: fingers, passcode: passcode,
            applicationPassword: profile.knows.contains(.applicationPassword) ? Scene.applicationPassword : 0,
            wearsCompanion: profile.carries.contains(isCompanionNew ? .ownCompanion : .ownersCompanion),
            knowsBackupPassword: profile.knows.contains(.backupPassword))
    }

    // MARK: - Requests

    private mutating func request(_ action: Action, _ step: PlayedStep) -> Outcome {
        let profile = step.by ?? holder
        var person = person(profile)
        if let factors = step.factors {
            if !factors.contains(.biometry) { person.fingers = [] }
            if !factors.contains(.passcode) { person.passcode = nil }
            if !factors.contains(.companion) { person.wearsCompanion = false }
            if !factors.contains(.applicationPassword) { person.applicationPassword = 0 }
        }
        let app = profile.asksFromOtherGroup ? AppID(rawValue: 1) ?? .first : .first
        let call = Call(
            .item(slot, action, control: nil), app: app, by: person, applicationPassword: step.password)
        var context = step.context.flatMap { contexts[$0] } ?? Context()
        context.reuse = subject.setting.reuse
        let item = world[slot]

        var left = (step.answers ?? [])[...]
        var asked: (factor: Factor, wayOut: Sheet.WayOut)?
        var next = world
        let outcome = next.perform(call, in: &context) { factor, wayOut, enrolled in
            guard step.answers != nil else { return person.answer(to: factor, wayOut: wayOut, enrolled: enrolled) }
            if let answer = left.popFirst() { return answer }
            if asked == nil { asked = (factor, wayOut) }
            return .cancel
        }
        let rules = rules(action, item, context, app, under: next)
        // A request that waits for an answer has changed nothing yet.
        if let asked { return .asks(asked.factor, asked.wayOut, rules) }
        world = next
        if let name = step.context { contexts[name] = context }
        return .decided(outcome.decision, rules, outcome.prompts)
    }

    /// Returns the rules that fire when the request is decided in `context`, in order.
    private func rules(
        _ action: Action, _ slot: Slot?, _ context: Context, _ app: AppID, under world: World
    ) -> [Rule] {
        guard let slot else { return [] }
        var item = slot.item
        var context = context
        if action == .add {
            item.binding = nil
            context.offersApplicationPassword = true
        }
        let isThere = slot.isPresent || action == .add
        var trace = Trace()
        _ = decide(
            isThere ? Request(action, item, in: context) : Request(action, missingFrom: item.group, in: context),
            under: world.device.conditions(for: app), into: &trace)
        return Array(trace)
    }

    // MARK: - The state

    /// The state of the item.
    var item: String {
        guard let slot = world[slot], slot.isPresent else { return "absent" }
        return lastingDenial(of: slot.item, under: world.device.conditions()) == nil ? "present" : "invalidated"
    }
}
