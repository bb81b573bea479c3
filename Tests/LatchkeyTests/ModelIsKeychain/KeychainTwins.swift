import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// A World and a Keychain that live through the same steps, with names in the one for numbers in the other: finger 1 is
/// "finger 1", passcode 1 is "code 1", application password 1 is "password 1", access group 1 is "group 1".
struct KeychainTwins {
    /// A step.
    enum Step {
        /// An event of the device.
        case event(Event)
        /// A change of settings that takes the passcode, with the one that is typed.
        case guarded(Event, typed: Passcode)
        /// An app makes a new context, and keeps it.
        case makeContext(Int, Wishes)
        /// An app ends a context.
        case invalidate(Int)
        /// An app makes a request.
        case ask(Ask)
        /// An app asks for a decision.
        case wonder(Ask.Subject, app: AppID, context: Int?)
    }

    /// The options of a new context.
    struct Wishes {
        var reuse = TimeSpan.zero
        /// The application password to set; zero for none.
        var password: UInt8 = 0
        var hidesFallback = false
        var forbidsInteraction = false
    }

    /// The context of a request.
    enum Place {
        /// No context.
        case nowhere
        /// A context made for the call.
        case fresh(Wishes)
        /// A context that the app keeps.
        case kept(Int)
    }

    /// The way an app identifies an item.
    enum Route {
        /// The unique attributes.
        case key
        /// A query for the unique attributes.
        case query
        /// A query for the persistent reference.
        case reference
    }

    /// A request of an app.
    struct Ask {
        enum Subject {
            case item(Int, Action, AccessControl?)
            case policy(AuthenticationPolicy)
            case accessControl(AccessControl, Operation?)
        }

        var subject: Subject
        var app: AppID
        var person: Person
        var interaction: Interaction
        var namesGroup: Bool
        var place: Place
        var route: Route
        /// True if an update changes the secret.
        var replacesSecret: Bool
    }

    struct Kept {
        var model: Context
        let real: KeychainContext
        let wishes: Wishes
    }

    /// A place for an item, on both.
    struct Shelf {
        let id: SlotID
        let group: UInt8
        let isKey: Bool
        /// The keychain's identifier for the last item in this place.
        var known: ItemIdentifier?
        /// The stored secret.
        var secret = ""
    }

    let settings: DeviceSettings
    var world: World
    let keychain: Keychain
    let user = Recorder()
    var contexts: [Kept] = []
    var slots: [Shelf] = []
    var counter = 0
    /// The offset that decides when the device is in strange hands.
    let phase: Int
    var history: [String] = []
    /// A keychain's vault counts the restart at its creation as a session.
    let sessionsAhead: UInt64

    static let apps: [AppID] = [.first, AppID(rawValue: 1) ?? .first]
    static let groups: [AccessGroups] = [[group(0)], [group(0), group(1)]]
    static let requesters = [
        Requester("first app", groups: ["group 0"], app: apps[0]),
        Requester("second app", groups: ["group 1", "group 0"], app: apps[1]),
    ]

    init(_ random: inout SeededGenerator) throws {
        settings = Self.settings(&random)
        phase = Int.random(in: 0..<5, using: &random)
        world = World(Device(settings))
        keychain = try Keychain.simulated(
            settings, passcode: nil, enrolled: [], user: user, requester: Self.requesters[0])
        sessionsAhead = try keychain.device.session - world.device.session
        for _ in 0..<3 { contexts.append(try makeContext(Self.wishes(&random))) }
        for number in 0..<5 {
            let isKey = number == 4
            let group = UInt8(number == 3 ? 1 : 0)
            let control = Self.control(&random)
            let item = Item(control, group: Self.group(group), isKey: isKey)
            slots.append(Shelf(id: try world.addSlot(for: item), group: group, isKey: isKey))
        }
        var tally = ModelIsKeychainTests.Tally()
        for event in [
            Event.appInstalled(Self.apps[1], App(groups: Self.groups[1], permission: .notAsked)),
            .passcodeSet(Self.code(1)), .enrolled(Self.finger(0)), .companionPaired, .companionNear, .companionUnlocked,
        ] where !random.once(in: 6) {
            if let difference = try perform(.event(event), &tally) { Issue.record("at first, \(event): \(difference)") }
        }
        guard random.once(in: 6) else { return }
        // One wrong passcode before the last, a state that strangers hardly reach by chance.
        for number in 20..<28 as Range<UInt8> {
            for event in [Event.passcodeEntered(Self.code(number)), .timePassed(.hours(8))] {
                if let difference = try perform(.event(event), &tally) { Issue.record("\(event): \(difference)") }
            }
        }
    }

    private static func settings(_ random: inout SeededGenerator) -> DeviceSettings {
        var settings = DeviceSettings(sensor: random.pick([.none, .touchID, .touchID, .faceID, .faceID, .opticID]))
        settings.lockGrace = random.pick([.zero, .seconds(10)])
        settings.attemptEnd = random.pick(AttemptEnd.allCases)
        settings.fidelity.passcodeDelays = random.pick(Fidelity.PasscodeDelays.allCases)
        settings.fidelity.sensorReset = random.pick(Fidelity.SensorReset.allCases)
        settings.fidelity.changedSet = random.pick(Fidelity.ChangedSet.allCases)
        settings.fidelity.duplicate = random.pick(Fidelity.Duplicate.allCases)
        settings.fidelity.attributes = random.pick(Fidelity.Attributes.allCases)
        settings.fidelity.presence = random.pick(Fidelity.Presence.allCases)
        settings.fidelity.contextLifetime = random.pick(Fidelity.ContextLifetime.allCases)
        settings.fidelity.addDuringLockout = random.pick(Fidelity.AddDuringLockout.allCases)
        settings.fidelity.passcodeTimeout = random.pick(Fidelity.PasscodeTimeout.allCases)
        settings.fidelity.lockoutHit = random.pick(Fidelity.LockoutHit.allCases)
        settings.fidelity.addWithoutPasscode = random.pick(Fidelity.AddWithoutPasscode.allCases)
        return settings
    }

    func makeContext(_ wishes: Wishes) throws -> Kept {
        var words = KeychainContext.Wording()
        if wishes.hidesFallback { words.fallbackTitle = "" }
        words.forbidsInteraction = wishes.forbidsInteraction
        let real = try keychain.makeContext(words)
        try real.setReuse(wishes.reuse)
        if wishes.password != 0 { try real.setApplicationPassword(Self.password(wishes.password)) }
        var model = Context()
        model.reuse = wishes.reuse
        return Kept(model: model, real: real, wishes: wishes)
    }

    // MARK: - Names

    static func finger(_ number: UInt8) -> Finger { Finger(rawValue: number) ?? unknownFinger }
    static func code(_ number: UInt8) -> Passcode { Passcode(rawValue: number) ?? noCode }
    static func group(_ number: UInt8) -> AccessGroup { AccessGroup(rawValue: number) ?? .first }
    private static let unknownFinger = Finger(rawValue: 30)!  // swift-format-ignore: NeverForceUnwrap
    private static let noCode = Passcode(rawValue: 63)!  // swift-format-ignore: NeverForceUnwrap

    static func name(_ finger: Finger) -> String { "finger \(finger.rawValue)" }
    static func text(_ code: Passcode) throws -> SecureBytes { try SecureBytes("code \(code.rawValue)") }
    static func password(_ number: UInt8) throws -> SecureBytes { try SecureBytes("password \(number)") }

    static func simulated(_ person: Person) -> SimulatedPerson {
        SimulatedPerson(
            fingers: person.fingers.map(name), passcode: person.passcode.map { "code \($0.rawValue)" },
            applicationPassword: person.applicationPassword == 0 ? nil : "password \(person.applicationPassword)",
            wearsCompanion: person.wearsCompanion, dismisses: person.dismisses, permitsBiometry: person.permitsBiometry)
    }

    // MARK: - Playing steps on both

    /// Plays a step on both, and returns how they differ afterwards; nil if they agree.
    mutating func perform(_ step: Step, _ tally: inout ModelIsKeychainTests.Tally) throws -> String? {
        history.append("\(step)")
        let difference: String?
        switch step {
        case .event(let event): difference = try happen(event, &tally)
        case .guarded(let event, let typed): difference = try happen(event, typing: typed, &tally)
        case .makeContext(let number, let wishes):
            contexts[number] = try makeContext(wishes)
            difference = nil
        case .invalidate(let number):
            contexts[number].model.isInvalidated = true
            try contexts[number].real.invalidate()
            difference = nil
        case .ask(let ask): difference = try perform(ask, &tally)
        case .wonder(let subject, let app, let context): difference = try wonder(subject, app, context)
        }
        return try difference ?? deviceDiffers()
    }

    /// Returns how the devices differ; nil if they agree.
    private func deviceDiffers() throws -> String? {
        let real = try keychain.device
        for app in Self.apps {
            let model = world.device.conditions(for: app)
            var conditions = real.conditions(for: app)
            conditions.session -= sessionsAhead
            if model != conditions { return "the device differs: \(model) in the world, \(conditions) in the keychain" }
        }
        for (model, real) in [
            (Int(world.device.failedMatches), Int(real.failedMatches)),
            (world.device.wrongPasscodes.count, real.wrongPasscodes.count),
            (Int(world.device.passcodeReasons.bits), Int(real.passcodeReasons.bits)),
            (world.device.enrolled.count, real.enrolled.count),
        ] where model != real { return "the device differs: \(world.device) in the world, \(real) in the keychain" }
        let names = try keychain.enrolledNames.sorted()
        let expected = world.device.enrolled.map(Self.name).sorted()
        return names == expected ? nil : "\(expected) are enrolled in the world, \(names) in the keychain"
    }
}
