public import AccessPolicy

/// Somebody who may come to hold a device, or who owns it: what they know, carry, hold and can do. Nothing of them is code.
public struct Profile: Hashable, Sendable {
    /// What they are called, in kebab-case.
    public var name: String
    /// Who they are, in a sentence.
    public var summary: String
    /// What they know.
    public var knows: Knowledge
    /// What they have on them.
    public var carries: Belongings
    /// How the device comes to them.
    public var holds: Hold
    /// What they can do besides using what they know and carry.
    public var can: Abilities
    /// How long they have; nil for as long as they like.
    public var time: TimeSpan?
    /// True if they ask through an app of another access group than the item's.
    public var asksFromOtherGroup: Bool
    /// The assumptions wherever the profile is used, unless a claim states others.
    public var assumes: Assumptions.Stated
    /// True for the owner: the fingers and the passcode that the device knows are theirs.
    public var isOwner: Bool

    /// Somebody.
    public init(
        name: String, summary: String, knows: Knowledge = [], carries: Belongings = [], holds: Hold,
        can: Abilities = [], time: TimeSpan? = nil, asksFromOtherGroup: Bool = false, isOwner: Bool = false,
        assumes: Assumptions.Stated = Assumptions.Stated()
    ) {
        self.name = name
        self.summary = summary
        self.knows = knows
        self.carries = carries
        self.holds = holds
        self.can = can
        self.time = time
        self.asksFromOtherGroup = asksFromOtherGroup
        self.isOwner = isOwner
        self.assumes = assumes
    }
}

/// What somebody knows.
public enum Known: UInt8, CaseIterable, Sendable {
    /// The passcode that the owner has set.
    case passcode
    /// The application password that the item is stored under.
    case applicationPassword
    /// The password of an encrypted backup.
    case backupPassword
    /// The password of the Apple Account that the device is signed in to, without which no watch is paired.
    case appleAccount
}

/// A set of what somebody knows.
public typealias Knowledge = BitSet<Known, UInt8>

/// What somebody has on them.
public enum Belonging: UInt8, CaseIterable, Sendable {
    /// A finger or a face that the device does not know.
    case ownFinger
    /// The owner's fingers or face: they are the owner, or the owner is made to.
    case ownersFinger
    /// The owner's companion, unlocked.
    case ownersCompanion
    /// A companion of their own, which they may pair.
    case ownCompanion
}

/// A set of what somebody has on them.
public typealias Belongings = BitSet<Belonging, UInt8>

/// How a device comes to somebody.
public enum Hold: UInt8, CaseIterable, Sendable {
    /// Unlocked, a moment ago, by its owner.
    case unlocked
    /// Locked, and not restarted since it was last unlocked; `Assumptions.held` says how long ago.
    case locked
    /// Switched off.
    case poweredOff
    /// Not at all: they have an encrypted backup of it, and another device.
    case backup
    /// Erased, by its owner.
    case erased
}

/// Something that somebody can do with a device in their hands. That they can do it does not say that the device lets them:
/// what its settings ask the passcode for, it asks them for.
public enum Ability: UInt8, CaseIterable, Sendable {
    /// Type passcodes that they do not know to be right.
    case guess
    /// Show the sensor a finger that it does not know.
    case tryFinger
    /// Lock it, and hold its buttons.
    case lock
    /// Switch it off and on.
    case reboot
    /// Let time pass.
    case wait
    /// Enroll a finger or a face of their own.
    case enroll
    /// Remove fingers or faces, one by one or all of them.
    case remove
    /// Set a passcode of their own, or change it to that.
    case changePasscode
    /// Remove the passcode.
    case removePasscode
    /// Forget the companion, and pair their own, where they know the Apple Account.
    case pair
    /// Permit the app the use of biometry, or refuse it.
    case permit
    /// Make a backup.
    case backUp
    /// Put a backup onto this device or another.
    case restore
    /// Erase the device.
    case erase
}

/// A set of what somebody can do.
public typealias Abilities = BitSet<Ability, UInt16>

extension Known: NamedChoice, CustomStringConvertible {
    /// The word that files and reports have for it.
    public var name: String {
        switch self {
        case .passcode: "passcode"
        case .applicationPassword: "applicationPassword"
        case .backupPassword: "backupPassword"
        case .appleAccount: "appleAccount"
        }
    }

    /// The name.
    public var description: String { name }
}

extension Belonging: NamedChoice, CustomStringConvertible {
    /// The word that files and reports have for it.
    public var name: String {
        switch self {
        case .ownFinger: "ownFinger"
        case .ownersFinger: "ownersFinger"
        case .ownersCompanion: "ownersCompanion"
        case .ownCompanion: "ownCompanion"
        }
    }

    /// The name.
    public var description: String { name }
}

extension Hold: NamedChoice, CustomStringConvertible {
    /// The word that files and reports have for it.
    public var name: String {
        switch self {
        case .unlocked: "unlocked"
        case .locked: "locked"
        case .poweredOff: "poweredOff"
        case .backup: "backup"
        case .erased: "erased"
        }
    }

    /// The name.
    public var description: String { name }
}

extension Ability: NamedChoice, CustomStringConvertible {
    /// The word that files and reports have for it.
    public var name: String {
        switch self {
        case .guess: "guess"
        case .tryFinger: "tryFinger"
        case .lock: "lock"
        case .reboot: "reboot"
        case .wait: "wait"
        case .enroll: "enroll"
        case .remove: "remove"
        case .changePasscode: "changePasscode"
        case .removePasscode: "removePasscode"
        case .pair: "pair"
        case .permit: "permit"
        case .backUp: "backUp"
        case .restore: "restore"
        case .erase: "erase"
        }
    }

    /// The name.
    public var description: String { name }
}
