import AccessPolicy
import DeviceModel
import TestSupport

// Random steps, drawn so that interesting ones are frequent: the device often returns to a state in which much is
// possible, and half of the people are its owners.

extension KeychainTwins {
    func step(_ random: inout SeededGenerator) -> Step {
        if let ended = contexts.firstIndex(where: \.model.isInvalidated), random.once(in: 3) {
            return .makeContext(ended, Self.wishes(&random))
        }
        if isInStrangeHands && random.once(in: 3) { return event(&random) }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: return event(&random)
        case 6: return .makeContext(Int.random(in: contexts.indices, using: &random), Self.wishes(&random))
        case 7:
            return random.once(in: 3) ? .invalidate(Int.random(in: contexts.indices, using: &random)) : event(&random)
        case 8: return wonder(&random)
        default: return .ask(ask(&random))
        }
    }

    /// True if the device is in strange hands for a while, so that it does not return to a state in which much is
    /// possible.
    private var isInStrangeHands: Bool { (history.count / 20 + phase) % 5 == 4 }

    // MARK: - Events

    private func event(_ random: inout SeededGenerator) -> Step {
        let device = world.device
        if isInStrangeHands && !random.once(in: 3) {
            let code = Self.code(UInt8.random(in: 40..<60, using: &random))
            return random.once(in: 4) ? .event(.presented(Self.finger(9))) : .event(.passcodeEntered(code))
        }
        for (number, app) in Self.apps.enumerated() where device.app(app)?.groups.isEmpty != false && random.once(in: 4)
        {
            return .event(.appInstalled(app, App(groups: Self.groups[number], permission: .notAsked)))
        }
        if device.passcode == nil && random.once(in: 2) { return .event(.passcodeSet(Self.code(1))) }
        if let passcode = device.passcode, device.isLocked, !isInStrangeHands, random.once(in: 2) {
            return .event(.passcodeEntered(passcode))
        }
        if device.enrolled.isEmpty && random.once(in: 3) { return .event(.enrolled(Self.finger(0))) }
        let present = random.once(in: 5) ? Self.code(40) : device.passcode ?? Self.code(1)
        let enrolled = device.enrolled.first { _ in true } ?? Self.finger(0)
        let app = random.pick(Self.apps)
        switch Int.random(in: 0..<26, using: &random) {
        case 0: return .event(.reboot)
        case 1, 2: return .event(.lock)
        case 3, 4: return .event(.passcodeEntered(device.passcode ?? Self.code(1)))
        case 5: return .event(.passcodeEntered(Self.code(UInt8.random(in: 1..<16, using: &random))))
        case 6, 7, 8: return .event(.presented(enrolled))
        case 9: return .event(.presented(Self.finger(UInt8.random(in: 0..<6, using: &random))))
        case 10, 11, 12: return .event(.timePassed(random.pick(Self.waits)))
        case 13: return .event(.passcodeSet(Self.code(UInt8.random(in: 1..<4, using: &random))))
        case 14: return .guarded(.passcodeChanged(Self.code(UInt8.random(in: 1..<4, using: &random))), typed: present)
        case 15: return random.once(in: 2) ? .guarded(.passcodeRemoved, typed: present) : .event(.presented(enrolled))
        case 16, 17: return .event(.enrolled(Self.finger(UInt8.random(in: 0..<6, using: &random))))
        case 18: return .event(.removed(Self.finger(UInt8.random(in: 0..<6, using: &random))))
        case 19: return .event(random.once(in: 3) ? .biometryReset : .removed(enrolled))
        case 20: return .event(random.pick([.companionPaired, .companionPaired, .companionUnpaired]))
        case 21: return .event(random.pick([.companionNear, .companionAway, .companionNear]))
        case 22: return .event(random.pick([.companionUnlocked, .companionLocked, .companionUnlocked]))
        case 23: return .event(random.pick([.biometryPermitted(app), .biometryDenied(app), .biometryPermitted(app)]))
        case 24:
            return .event(random.once(in: 4) ? .appRemoved(app) : .appInstalled(app, installed(app, &random)))
        default:
            return .event(
                random.pick([.remoteLock, .emergency, random.once(in: 3) ? .erase : .lock, .timePassed(.seconds(-1))]))
        }
    }

    private static let waits: [TimeSpan] = [
        .seconds(1), .seconds(9), .seconds(10), .minutes(1), .minutes(4), .minutes(5), .minutes(11), .hours(1),
        .hours(5),
        .hours(49), .hours(157),
    ]

    private func installed(_ app: AppID, _ random: inout SeededGenerator) -> App {
        let groups = random.once(in: 6) ? [] : Self.groups[Int(app.rawValue)]
        return App(
            groups: groups, permission: random.pick([.given, .notAsked, .notAsked]), declaresUsage: !random.once(in: 6))
    }

    static func wishes(_ random: inout SeededGenerator) -> Wishes {
        Wishes(
            reuse: random.pick([.zero, .zero, .seconds(10), .minutes(5), .hours(1)]),
            password: random.once(in: 2) ? UInt8.random(in: 1...2, using: &random) : 0,
            hidesFallback: random.once(in: 3), forbidsInteraction: random.once(in: 8))
    }

    // MARK: - Calls

    private func ask(_ random: inout SeededGenerator) -> Ask {
        let subject: Ask.Subject =
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: .policy(random.pick(AuthenticationPolicy.allCases))
            case 2:
                .accessControl(
                    Self.control(&random), random.pick([.readData, .readData, .sign, nil, .writeData, .other]))
            default: item(&random)
            }
        let slot = if case .item(let number, _, _) = subject { slots[number] } else { slots[0] }
        let kept = Int.random(in: contexts.indices, using: &random)
        let place: Place =
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: .nowhere
            case 2: .fresh(Self.wishes(&random))
            default: .kept(kept)
            }
        var ask = Ask(
            subject: subject,
            app: Self.apps[random.once(in: 8) ? 1 - Int(slot.group) : random.pick([Int(slot.group), 1])],
            person: person(&random, opening: slot),
            interaction: random.pick([
                .allowed, .allowed, .allowed, .allowed, .allowed, .allowed, .fail, .fail,
                random.pick([.skip, .allowed]),
            ]),
            namesGroup: random.once(in: 4), place: place, route: random.pick([.key, .query, .reference]),
            replacesSecret: random.once(in: 2))
        ask.fit()
        return ask
    }

    private func item(_ random: inout SeededGenerator) -> Ask.Subject {
        let number = Int.random(in: slots.indices, using: &random)
        let isPresent = world[slots[number].id]?.isPresent == true
        let control = Self.control(&random, key: slots[number].isKey)
        if !isPresent && !random.once(in: 6) { return .item(number, .add, control) }
        let action = random.pick(
            [
                .add, .readData, .readData, .readData, .readData, .readData, .readAttributes, .readReference, .probe,
                .inventory, .update, .update, .delete,
            ] as [Action])
        switch action {
        case .add: return .item(number, action, control)
        case .update: return .item(number, action, random.once(in: 2) ? control : nil)
        default: return .item(number, action, nil)
        }
    }

    private func person(_ random: inout SeededGenerator, opening slot: Shelf) -> Person {
        let right = world[slot.id]?.applicationPassword ?? 0
        let password = random.once(in: 2) && right != 0 ? right : UInt8.random(in: 0...2, using: &random)
        let device = world.device
        if isInStrangeHands && !random.once(in: 3) {
            return Person(
                fingers: [Self.finger(9)], passcode: Self.code(UInt8.random(in: 40..<60, using: &random)),
                applicationPassword: password)
        }
        var person = Person(
            fingers: device.enrolled.isEmpty ? [Self.finger(0)] : device.enrolled,
            passcode: device.passcode ?? Self.code(1), applicationPassword: password,
            wearsCompanion: !random.once(in: 3))
        switch Int.random(in: 0..<16, using: &random) {
        case 0: person.dismisses = true
        case 1: person.permitsBiometry = false
        case 2: person.passcode = nil
        case 3: person.passcode = Self.code(UInt8.random(in: 40..<52, using: &random))
        case 4: person.fingers = []
        case 5: person.fingers = [Self.finger(9)]
        case 6: person.fingers = [Self.finger(9), Self.finger(UInt8.random(in: 0..<6, using: &random))]
        case 7, 8:
            person = Person(
                fingers: [Self.finger(9)], passcode: Self.code(UInt8.random(in: 40..<52, using: &random)),
                applicationPassword: password, wearsCompanion: false, permitsBiometry: !random.once(in: 2))
        case 9: person = Person(fingers: [], wearsCompanion: false)
        default: break
        }
        return person
    }

    private func wonder(_ random: inout SeededGenerator) -> Step {
        let number = Int.random(in: slots.indices, using: &random)
        let action: Action = random.pick([
            .readData, .readAttributes, .readReference, .probe, .inventory, .delete, .update,
        ])
        let operation: Operation? = random.pick([.readData, .sign, nil, .writeData])
        let subject: Ask.Subject = random.pick([
            .item(number, action, nil), .item(number, action, nil), .policy(random.pick(AuthenticationPolicy.allCases)),
            .accessControl(Self.control(&random), operation),
        ])
        let context = Int.random(in: contexts.indices, using: &random)
        return .wonder(subject, app: random.pick(Self.apps), context: random.once(in: 3) ? nil : context)
    }

    // MARK: - Access policies

    /// Every possible access control.
    private static let demands: [AccessControl] = {
        let flags = AccessControlFlags.named.map(\.flag)
        var demands: Set<AccessControl> = []
        for pattern in 0..<(1 << flags.count) {
            let chosen = flags.indices.filter { pattern >> $0 & 1 == 1 }.map { flags[$0] }
            for protection in Accessibility.allCases {
                if let control = try? AccessControl(protection: protection, flags: AccessControlFlags(chosen)) {
                    demands.insert(control)
                }
            }
        }
        return demands.sorted { ($0.description, $0.hasFlags ? 1 : 0) < ($1.description, $1.hasFlags ? 1 : 0) }
    }()
    private static let ofKeys = demands.filter(\.guardsKeyUse)
    private static let ofData = demands.filter { !$0.guardsKeyUse }

    static func control(_ random: inout SeededGenerator, key: Bool = false) -> AccessControl {
        if random.once(in: 4) { return AccessControl(random.pick(Accessibility.allCases)) }
        if random.once(in: 30) { return random.pick(demands) }
        return random.pick(key ? ofKeys : ofData)
    }
}

extension KeychainTwins.Ask {
    /// Keeps to requests that the keychain's calls can express.
    fileprivate mutating func fit() {
        guard case .item(_, let action, _) = subject else {
            // A context evaluates, and its wording says whether prompts are allowed.
            if case .nowhere = place { place = .fresh(KeychainTwins.Wishes()) }
            (interaction, namesGroup, route) = (.allowed, false, .key)
            return
        }
        switch action {
        case .readReference, .probe: if route == .key { route = .query }
        case .inventory, .add: route = .key
        default: break
        }
        if action == .inventory || action == .delete { (place, interaction) = (.nowhere, .allowed) }
        if route != .query { namesGroup = false }
    }
}
