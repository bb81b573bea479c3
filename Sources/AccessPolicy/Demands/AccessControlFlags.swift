/// The flags of an access policy: Apple's `SecAccessControlCreateFlags`, bit for bit.
public struct AccessControlFlags: OptionSet, Hashable, Sendable {
    /// The bits, as Apple numbers them. Unknown bits are preserved and mean nothing.
    public let rawValue: UInt

    /// Creates the set of flags with exactly these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Biometry, with the device passcode as the fallback.
    public static let userPresence = Self(.userPresence)
    /// Any finger or face that is enrolled when the item is used.
    public static let biometryAny = Self(.biometryAny)
    /// Biometry with the set of fingers or faces that was enrolled when the item was stored. An enrollment change
    /// closes this way for good.
    public static let biometryCurrentSet = Self(.biometryCurrentSet)
    /// The device passcode. Biometry does not satisfy it.
    public static let devicePasscode = Self(.devicePasscode)
    /// A paired and unlocked companion nearby, such as a watch. Apple's older name for the flag is `watch`.
    public static let companion = Self(.companion)
    /// One of the required factors is enough.
    public static let or = Self(.or)
    /// All required factors are needed. This is also the meaning without the flag.
    public static let and = Self(.and)
    /// The factors guard the use of a private key instead of the reading of data.
    public static let privateKeyUsage = Self(.privateKeyUsage)
    /// The application password, in addition to every other factor.
    public static let applicationPassword = Self(.applicationPassword)

    /// Every flag and its name, in the order of the bits.
    public static let named: [(flag: Self, name: String)] = AccessControlFlag.allCases.map { (Self($0), $0.name) }

    package init(_ flag: AccessControlFlag) { self.init(rawValue: flag.rawValue) }

    /// The flags in the set, in the order of the bits.
    package var members: [AccessControlFlag] { AccessControlFlag.allCases.filter { contains(Self($0)) } }
}
