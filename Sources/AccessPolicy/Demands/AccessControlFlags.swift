/// What must be proved to use an item: Apple's `SecAccessControlCreateFlags`, bit for bit.
public struct AccessControlFlags: OptionSet, Hashable, Sendable {
    /// The bits as Apple numbers them. Unknown bits are kept here and mean nothing.
    public let rawValue: UInt

    /// The flags with exactly these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Someone who belongs here: biometry when it is usable, else the device passcode.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// Any finger or face enrolled at the time of use.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// Biometry, and the enrolments must still be those of the moment the item was stored.
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    /// The device passcode; biometry does not do.
    public static let devicePasscode = Self(rawValue: 1 << 4)
    /// A paired, unlocked companion nearby. Apple's older name is `watch`.
    public static let companion = Self(rawValue: 1 << 5)
    /// One of several constraints is enough.
    public static let or = Self(rawValue: 1 << 14)
    /// All of several constraints are needed, which is also what their absence means.
    public static let and = Self(rawValue: 1 << 15)
    /// The constraint guards the use of a private key instead of the reading of data.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// A password of the application is needed on top of everything else.
    public static let applicationPassword = Self(rawValue: 1 << 31)

    /// Every flag with its name, in the order of the bits.
    public static let named: [(flag: Self, name: String)] = [
        (.userPresence, "userPresence"), (.biometryAny, "biometryAny"), (.biometryCurrentSet, "biometryCurrentSet"),
        (.devicePasscode, "devicePasscode"), (.companion, "companion"), (.or, "or"), (.and, "and"),
        (.privateKeyUsage, "privateKeyUsage"), (.applicationPassword, "applicationPassword"),
    ]
}
