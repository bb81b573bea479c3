/// What must be proved to use an item: Apple's `SecAccessControlCreateFlags`, bit for bit.
public struct AccessControlFlags: OptionSet, Hashable, Sendable {
    /// The bits as Apple numbers them. Unknown bits are kept here and mean nothing.
    public let rawValue: UInt

    /// The flags with exactly these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Someone who belongs here: biometry when it is usable, else the device passcode.
    public static let userPresence = Self(.userPresence)
    /// Any finger or face enrolled at the time of use.
    public static let biometryAny = Self(.biometryAny)
    /// Biometry, and the enrollments must still be those of the moment the item was stored.
    public static let biometryCurrentSet = Self(.biometryCurrentSet)
    /// The device passcode; biometry does not do.
    public static let devicePasscode = Self(.devicePasscode)
    /// A paired, unlocked companion nearby. Apple's older name is `watch`.
    public static let companion = Self(.companion)
    /// One of several constraints is enough.
    public static let or = Self(.or)
    /// All of several constraints are needed, which is also what their absence means.
    public static let and = Self(.and)
    /// The constraint guards the use of a private key instead of the reading of data.
    public static let privateKeyUsage = Self(.privateKeyUsage)
    /// A password of the application is needed on top of everything else.
    public static let applicationPassword = Self(.applicationPassword)

    /// Every flag with its name, in the order of the bits.
    public static let named: [(flag: Self, name: String)] = AccessControlFlag.allCases.map { (Self($0), $0.name) }

    /// The set of this flag alone.
    package init(_ flag: AccessControlFlag) { self.init(rawValue: flag.rawValue) }

    /// The flags in the set, in the order of the bits.
    package var members: [AccessControlFlag] { AccessControlFlag.allCases.filter { contains(Self($0)) } }
}
