/// A move in the account of the device's owner.
///
/// "Their own device" is one that does not come from the scene: the attacker's, or a new one of the owner.
public enum AccountMove: UInt8, CaseIterable, Sendable {
    /// Signs in to the account with a device of their own.
    case signIn = 0
    /// Has the device at hand bring their own into the circle.
    case joinBySponsor
    /// Joins with their own device and the passcode of the device at hand.
    case joinByPasscode
    /// Joins with their own device and the passcode of the owner's other device.
    case joinByOtherPasscode
    /// Has the owner's other device bring their own into the circle.
    case joinByOther
    /// Begins a new circle with a device of their own.
    case resetCircle
    /// Begins a new circle with the owner's other device.
    case resetByOther
    /// Has their own device bring the device at hand into its circle.
    case bringIn
    /// Removes the device at hand from the account. The other device takes note.
    case removal
    /// The device at hand was erased, which ends its part in the account.
    case handErased
    /// Lets the items of the account arrive on their own device, which is the device at hand from then on.
    case arrive

    /// True if the circle is new afterwards, and keeps nothing of the former one.
    var beginsCircle: Bool { self == .resetCircle || self == .resetByOther }

    /// True if the device at hand has to be unlocked for it.
    var needsUnlockedHand: Bool {
        switch self {
        case .joinBySponsor, .bringIn: true
        case .signIn, .joinByPasscode, .joinByOtherPasscode, .joinByOther, .resetCircle, .resetByOther, .removal,
            .handErased, .arrive:
            false
        }
    }
}

extension AccountMove {
    /// The move as a verb phrase, and the reason why it succeeds.
    var told: (words: String, reason: String) {
        switch self {
        case .signIn:
            (
                "signs in to the owner's account with a device of their own",
                "they know the account's password and pass its second factor"
            )
        case .joinBySponsor:
            ("has the device bring theirs into the circle", "the device is unlocked and in the circle")
        case .joinByPasscode:
            (
                "joins the circle with the passcode of the device",
                "they know the passcode, which opens the device's record"
            )
        case .joinByOtherPasscode:
            (
                "joins the circle with the passcode of the owner's other device",
                "they know that passcode, which opens the other device's record"
            )
        case .joinByOther:
            ("has the other device bring theirs into the circle", "the other device is in the circle, and theirs")
        case .resetCircle: ("begins a new circle with a device of their own", "a device that is signed in may")
        case .resetByOther: ("begins a new circle with the other device", "a device that is signed in may")
        case .bringIn: ("brings the device into their circle", "the device is unlocked and out of its circle")
        case .removal:
            ("removes the device from the account, and the other device takes note", "the account lists the device")
        case .handErased: ("erases the device", "an erased device is signed out")
        case .arrive:
            ("lets the items of the account arrive on a device of their own", "their device is in the circle")
        }
    }
}
