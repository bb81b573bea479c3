internal import AccessPolicy

/// The flags of an access policy: the factors to authenticate before an item is opened or a private key is used.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
    /// The bits, with Apple's numbers.
    public let rawValue: CFOptionFlags

    /// Creates the set with these bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    private init(_ flags: AccessControlFlags) { self.init(rawValue: flags.rawValue) }

    /// Biometry, or else the device passcode.
    public static let userPresence = Self(.userPresence)
    /// Any enrolled finger or face.
    public static let biometryAny = Self(.biometryAny)
    /// The former name of ``biometryAny``.
    public static let touchIDAny = biometryAny
    /// A finger or face, while the enrolled set is the one that the item was stored under.
    public static let biometryCurrentSet = Self(.biometryCurrentSet)
    /// The former name of ``biometryCurrentSet``.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The device passcode.
    public static let devicePasscode = Self(.devicePasscode)
    /// A paired, unlocked companion nearby.
    public static let companion = Self(.companion)
    /// The former name of ``companion``.
    public static let watch = companion
    /// One of the given factors is enough.
    public static let or = Self(.or)
    /// All of the given factors are needed.
    public static let and = Self(.and)
    /// The flags guard the use of a private key.
    public static let privateKeyUsage = Self(.privateKeyUsage)
    /// An application password is needed as well.
    public static let applicationPassword = Self(.applicationPassword)

    /// These flags as the rules know them.
    var forPolicy: AccessControlFlags { AccessControlFlags(rawValue: rawValue) }
}
