public import AccessPolicy

/// An attacker or an owner: what they know and carry, how the device comes to them, and what they can do.
///
/// A profile is data only. The prover gives it the moves that follow from it, and the device model decides which of
/// them succeed. ``all`` lists the shipped profiles.
public struct Profile: Hashable, Sendable {
    /// The name in kebab-case, such as "passcode-thief".
    public var name: String
    /// A description of the person in one sentence.
    public var summary: String
    /// The passwords and codes that they know.
    public var knows: Knowledge
    /// The fingers and the companions that they have on them.
    public var carries: Belongings
    /// The state in which the device comes to them.
    public var holds: Hold
    /// The abilities that they have besides using what they know and carry.
    public var can: Abilities
    /// The time that they have, or nil if it is unlimited.
    public var time: TimeSpan?
    /// True if they ask through an app outside the item's access group.
    public var asksFromOtherGroup: Bool
    /// The assumptions that apply wherever the profile is used, unless a claim states others.
    public var assumes: Assumptions.Stated
    /// True for the owner. The enrolled fingers and the passcode at the beginning are theirs.
    public var isOwner: Bool

    /// Creates a profile.
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

/// A password or a code that a person knows.
public enum Known: UInt8, CaseIterable, Sendable {
    /// The passcode that the owner has set.
    case passcode
    /// The application password that the item is stored under.
    case applicationPassword
    /// The password of an encrypted backup.
    case backupPassword
    /// The password of the Apple Account that the device is signed in to, and whatever its second factor asks for. Pairing a
    /// watch takes it.
    case appleAccount
    /// The passcode of the owner's other device.
    case otherPasscode
}

/// A set of passwords and codes that a person knows.
public typealias Knowledge = BitSet<Known, UInt8>

/// A finger, a face or a companion that a person has on them.
public enum Belonging: UInt8, CaseIterable, Sendable {
    /// A finger or a face that the device does not know.
    case ownFinger
    /// The owner's fingers or face: the owner acts, or is forced to.
    case ownersFinger
    /// The owner's companion, unlocked.
    case ownersCompanion
    /// A companion of their own, which they can pair.
    case ownCompanion
    /// A device of their own, which they can sign in to the owner's account if they know its password.
    case ownDevice
}

/// A set of fingers and companions that a person has on them.
public typealias Belongings = BitSet<Belonging, UInt8>

/// The state in which a device comes to a person.
public enum Hold: UInt8, CaseIterable, Sendable {
    /// The owner unlocked the device a moment ago.
    case unlocked
    /// The device is locked, and has not restarted since the last unlock. ``Assumptions/held`` says how long ago it was
    /// locked.
    case locked
    /// The device is switched off.
    case poweredOff
    /// The device does not come to them. They have an encrypted backup of it, and another device.
    case backup
    /// The owner erased the device.
    case erased
    /// No device of the owner comes to them, and no backup.
    case nothing
}

/// A kind of move that a person can try with the device in hand.
///
/// The device still decides whether the move succeeds. If its settings ask for the passcode, the person needs it.
public enum Ability: UInt8, CaseIterable, Sendable {
    /// Type guesses at the passcode.
    case guess
    /// Show the sensor a finger that is not enrolled.
    case tryFinger
    /// Lock the device, and hold its buttons.
    case lock
    /// Switch the device off and on.
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
    /// Forget the paired companion, and pair their own if they know the Apple Account's password.
    case pair
    /// Allow or refuse the app the use of biometry.
    case permit
    /// Make a backup.
    case backUp
    /// Restore a backup onto this device or another.
    case restore
    /// Erase the device.
    case erase
}

/// A set of abilities.
public typealias Abilities = BitSet<Ability, UInt16>

extension Known: NamedChoice, CustomStringConvertible {
    /// The word for it in files and reports.
    public var name: String {
        switch self {
        case .passcode: "passcode"
        case .applicationPassword: "applicationPassword"
        case .backupPassword: "backupPassword"
        case .appleAccount: "appleAccount"
        case .otherPasscode: "otherPasscode"
        }
    }

    /// The word for it in files and reports.
    public var description: String { name }
}

extension Belonging: NamedChoice, CustomStringConvertible {
    /// The word for it in files and reports.
    public var name: String {
        switch self {
        case .ownFinger: "ownFinger"
        case .ownersFinger: "ownersFinger"
        case .ownersCompanion: "ownersCompanion"
        case .ownCompanion: "ownCompanion"
        case .ownDevice: "ownDevice"
        }
    }

    /// The word for it in files and reports.
    public var description: String { name }
}

extension Hold: NamedChoice, CustomStringConvertible {
    /// The word for it in files and reports.
    public var name: String {
        switch self {
        case .unlocked: "unlocked"
        case .locked: "locked"
        case .poweredOff: "poweredOff"
        case .backup: "backup"
        case .erased: "erased"
        case .nothing: "nothing"
        }
    }

    /// The word for it in files and reports.
    public var description: String { name }
}

extension Ability: NamedChoice, CustomStringConvertible {
    /// The word for it in files and reports.
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

    /// The word for it in files and reports.
    public var description: String { name }
}
