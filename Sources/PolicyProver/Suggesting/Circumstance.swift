public import AccessPolicy
internal import DeviceModel

/// A circumstance that an owner meets sooner or later, in which they may still need their items.
public enum Circumstance: UInt8, CaseIterable, Sendable {
    /// The device is unlocked, and the owner has everything at hand.
    case atHand
    /// The device is locked, and an app works in the background.
    case locked
    /// The device was restarted and has not been unlocked since.
    case restarted
    /// The sensor cannot read the owner's finger, because it is wet or hurt.
    case unreadable
    /// The owner does not remember the passcode, or does not want to type it in front of others.
    case withoutPasscode
    /// The watch is away.
    case withoutCompanion
    /// The owner does not remember the application password.
    case withoutApplicationPassword
    /// The owner enrolled another finger.
    case enrolled
    /// The owner reset the sensor and enrolled the same fingers again.
    case reset
    /// The owner removed the passcode and set it again.
    case passcodeRemoved
    /// The owner restored the device from its encrypted backup.
    case restored
    /// The owner restored the encrypted backup onto another device and set that up.
    case moved

    /// The circumstance in a few words.
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

    /// Returns the number of prompts for an owner who uses the item at this index, or nil if the device denies it.
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

/// The cost of an access policy for its owner: the number of prompts in each circumstance, and those in which the owner
/// is denied.
public struct Burden: Hashable, Sendable {
    private let prompts: [Int?]

    /// Works out the cost of the item at this index of `scene`.
    public init(of item: Int, in scene: Scene) {
        prompts = Circumstance.allCases.map { $0.prompts(of: item, in: scene) }
    }

    /// Returns the number of prompts that the owner answers, or nil if the device denies the owner the item.
    public func prompts(_ circumstance: Circumstance) -> Int? { prompts[Int(circumstance.rawValue)] }

    /// The circumstances in which the device denies the owner the item.
    public var failures: [Circumstance] { Circumstance.allCases.filter { prompts($0) == nil } }

    /// Returns true if this asks no more than `other` in every circumstance.
    public func isNoMore(than other: Burden) -> Bool {
        zip(prompts, other.prompts).allSatisfy { mine, theirs in
            guard let theirs else { return true }
            return mine.map { $0 <= theirs } ?? false
        }
    }

    /// Returns true if this asks less than `other` in some circumstance and more in none.
    public func isLess(than other: Burden) -> Bool { isNoMore(than: other) && self != other }
}

extension Circumstance: NamedChoice, CustomStringConvertible {
    /// The word for it in reports.
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

    /// The word for it in reports.
    public var description: String { name }
}
