public import AccessPolicy
public import DeviceModel

/// A device as its owner leaves it, with what is stored on it: where every search begins.
public struct Scene: Hashable, Sendable {
    /// The device, unlocked, and what is stored on it.
    public internal(set) var world: World
    /// Where the items are, in the order in which they were named.
    public internal(set) var items: [SlotID] = []
    /// Who was enrolled when they were stored.
    let enrolled: Fingers
    /// How old an unlock by biometry may be to count as biometry for the app that asks (`touchIDAuthenticationAllowableReuseDuration`).
    public var reuse = TimeSpan.zero

    /// The application password that items are stored under.
    static let applicationPassword: UInt8 = 1
    /// How many fingers a scene tells apart as the owner's.
    public static let mostFingers = 5

    /// A device made like this, set up by its owner with a passcode, so many fingers and a companion, on which `items` are stored.
    ///
    /// A sensor has room for at most so many. Fails where an item cannot be stored.
    public init(
        _ settings: DeviceSettings = DeviceSettings(), hasPasscode: Bool = true, fingers: Int = 1,
        hasCompanion: Bool = true,
        storing items: [Item]
    ) throws(NotStored) {
        try self.init(
            settings, hasPasscode: hasPasscode, fingers: fingers, companion: hasCompanion ? .ready : .notPaired,
            app: App(), storing: items)
    }

    /// The same with a companion that is there, and with `app` for the app that asks for the items.
    public init(
        _ settings: DeviceSettings, hasPasscode: Bool, fingers: Int, companion: CompanionState, app: App,
        storing items: [Item]
    ) throws(NotStored) {
        var world = World(Device(settings))
        world.apply(.appInstalled(.first, app))
        if hasPasscode { world.apply(.passcodeSet(.owners)) }
        for number in 0..<UInt8(max(0, min(fingers, Self.mostFingers))) { world.apply(.enrolled(.numbered(number))) }
        if companion != .notPaired { world.apply(.companionPaired) }
        if companion == .locked || companion == .ready { world.apply(.companionNear) }
        if companion == .ready { world.apply(.companionUnlocked) }
        if let group = AccessGroup(rawValue: 1) { world.apply(.appInstalled(.other, App(groups: [group]))) }
        var places: [SlotID] = []
        for item in items {
            places.append(
                try world.store(
                    item, applicationPassword: item.control.needsApplicationPassword ? Self.applicationPassword : 0))
        }
        self.world = world
        self.items = places
        enrolled = world.device.enrolled
    }

    /// What happens before the device comes to somebody of `profile`, event by event.
    package func prelude(for profile: Profile) -> [Event] {
        var events: [Event] = []
        let device = world.device
        let closes = TimeSpan.seconds(1) + device.settings.lockGrace
        switch profile.holds {
        case .unlocked:
            // It was last unlocked a moment ago, by biometry where there is any.
            guard device.passcode != nil else { break }
            var locked = device
            events = [.lock, .timePassed(closes)]
            for event in events { _ = locked.apply(event) }
            let match = locked.enrolled.first { _ in true }.map(Event.presented)
            // After a long grace biometry does not unlock it any more.
            let isMatched = match.map { locked.apply($0).refusal == nil } ?? false
            events.append(match.flatMap { isMatched ? $0 : nil } ?? .passcodeEntered(.owners))
        case .locked:
            if device.passcode != nil { events = [.lock, .timePassed(closes)] }
        case .poweredOff: events = [.reboot]
        case .backup: events = [.backupTaken(encrypted: true)]
        case .erased: return [.erase]  // which forgets the companion
        }
        let isOwnersCompanionThere = profile.carries.contains(.ownersCompanion)
        if device.companion.isNear && !isOwnersCompanionThere { events.append(.companionAway) }
        return events
    }

    /// The device in the hands of somebody of `profile`.
    func beginning(for profile: Profile) -> Situation {
        var world = world
        for event in prelude(for: profile) { world.apply(event) }
        return Situation(world: world, timeLeft: profile.timeLimit)
    }
}

extension Profile {
    /// How long they have, as far as it is counted: a year is longer than all delays and limits one after another.
    var timeLimit: TimeSpan? { time.flatMap { $0 > .hours(365 * 24) ? nil : $0 } }
}

/// A world, and what of the story so far matters beside it.
struct Situation: Hashable, Sendable {
    var world: World
    /// How much time is left to whoever holds the device; nil for as long as they like.
    var timeLeft: TimeSpan?
    /// Whether the companion that is paired is another than the owner's.
    var isCompanionNew = false
    /// Whether the enrolments have changed since the beginning.
    var hasSeenEnrolmentChange = false
}
