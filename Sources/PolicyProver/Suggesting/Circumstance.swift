public import AccessPolicy
internal import DeviceModel

/// Something that happens to an owner sooner or later, after which they may still need what they have stored.
public enum Circumstance: UInt8, CaseIterable, Sendable {
    /// Nothing: the device is unlocked, and the owner has everything at hand.
    case atHand
    /// The device is locked, and an app works in the background.
    case locked
    /// The device was started anew and nobody has unlocked it yet.
    case restarted
    /// The sensor does not know the finger: it is wet, or hurt.
    case unreadable
    /// The passcode does not come to mind, or is not to be typed in front of others.
    case withoutPasscode
    /// The watch is away.
    case withoutCompanion
    /// The application password does not come to mind.
    case withoutApplicationPassword
    /// Another finger was enrolled.
    case enrolled
    /// The sensor was reset, and the same fingers enrolled again.
    case reset
    /// The passcode was removed, and set again.
    case passcodeRemoved
    /// The device was put back from its encrypted backup.
    case restored
    /// The encrypted backup was put onto another device, which the owner has set up.
    case moved

    /// What has happened, in a few words.
    public var words: String {
        switch self {
        case .atHand: "unlocked, with everything at hand"
        case .locked: "locked"
        case .restarted: "restarted and not unlocked yet"
        case .unreadable: "with a finger that the sensor does not read"
        case .withoutPasscode: "without the passcode"
        case .withoutCompanion: "without the watch"
        case .withoutApplicationPassword: "without the application password"
        case .enrolled: "after another finger was enrolled"
        case .reset: "after the sensor was reset"
        case .passcodeRemoved: "after the passcode was removed and set again"
        case .restored: "after a restore onto this device"
        case .moved: "after a move to another device"
        }
    }

    private var events: [Event] {
        let setUp: [Event] = [
            .passcodeSet(.owners), .enrolled(.numbered(0)), .companionPaired, .companionNear, .companionUnlocked,
        ]
        return switch self {
        case .atHand, .unreadable, .withoutPasscode, .withoutApplicationPassword: []
        case .locked: [.lock, .timePassed(.minutes(1))]
        case .restarted: [.reboot]
        case .withoutCompanion: [.companionAway]
        case .enrolled: [.enrolled(.ownersSpare)]
        case .reset: [.biometryReset, .enrolled(.numbered(0))]
        case .passcodeRemoved: [.passcodeRemoved, .passcodeSet(.owners), .enrolled(.numbered(0))]
        case .restored: [.backupTaken(encrypted: true), .restoredOntoThisDevice] + setUp
        case .moved: [.backupTaken(encrypted: true), .restoredOntoAnotherDevice] + setUp
        }
    }

    /// How many proofs the owner is asked for who then uses the item in this place of `scene`; nil where they cannot.
    func prompts(of item: Int, in scene: Scene) -> Int? {
        var world = scene.world
        for event in events { world.apply(event) }
        var owner = Person.owner(of: world.device)
        owner.applicationPassword = Scene.applicationPassword
        switch self {
        case .unreadable: owner.fingers = []
        case .withoutPasscode: owner.passcode = nil
        case .withoutCompanion: owner.wearsCompanion = false
        case .withoutApplicationPassword: owner.applicationPassword = 0
        case .atHand, .locked, .restarted, .enrolled, .reset, .passcodeRemoved, .restored, .moved: break
        }
        var context = Context()
        context.reuse = scene.reuse
        let action: Action = scene.isKey(item) ? .sign : .readData
        let call = Call(.item(scene.items[item], action, control: nil), by: owner)
        let outcome = world.perform(call, in: &context)
        return outcome.decision.isGranted ? outcome.prompts.count : nil
    }
}

/// What an item asks of its owner: for each circumstance, how many proofs, or that they do without it.
public struct Burden: Hashable, Sendable {
    private let prompts: [Int?]

    /// What the item in this place of `scene` asks of its owner.
    public init(of item: Int, in scene: Scene) {
        prompts = Circumstance.allCases.map { $0.prompts(of: item, in: scene) }
    }

    /// How many proofs the owner gives; nil where the item does not open for them.
    public func prompts(_ circumstance: Circumstance) -> Int? { prompts[Int(circumstance.rawValue)] }

    /// The circumstances in which the owner does without it.
    public var failures: [Circumstance] { Circumstance.allCases.filter { prompts($0) == nil } }

    /// Returns true if this asks no more than `other` in any circumstance.
    public func isNoMore(than other: Burden) -> Bool {
        zip(prompts, other.prompts).allSatisfy { mine, theirs in
            guard let theirs else { return true }
            return mine.map { $0 <= theirs } ?? false
        }
    }

    /// Returns true if this asks less than `other` somewhere and nowhere more.
    public func isLess(than other: Burden) -> Bool { isNoMore(than: other) && self != other }
}

extension Circumstance: NamedChoice, CustomStringConvertible {
    /// The word that reports have for it.
    public var name: String {
        switch self {
        case .atHand: "atHand"
        case .locked: "locked"
        case .restarted: "restarted"
        case .unreadable: "unreadable"
        case .withoutPasscode: "withoutPasscode"
        case .withoutCompanion: "withoutCompanion"
        case .withoutApplicationPassword: "withoutApplicationPassword"
        case .enrolled: "enrolled"
        case .reset: "reset"
        case .passcodeRemoved: "passcodeRemoved"
        case .restored: "restored"
        case .moved: "moved"
        }
    }

    /// The name.
    public var description: String { name }
}
