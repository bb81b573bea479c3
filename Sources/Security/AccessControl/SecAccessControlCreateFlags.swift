internal import AccessPolicy

/// What has to be proved before an item is opened, or a private key used.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
    /// The bits, by Apple's numbers.
    public let rawValue: CFOptionFlags

    /// The flags with these bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    private init(_ flags: AccessControlFlags) { self.init(rawValue: flags.rawValue) }

    /// Biometry if it can be used, else the device passcode.
    public static let userPresence = Self(.userPresence)
    /// Any enrolled finger or face.
    public static let biometryAny = Self(.biometryAny)
    /// The former name of ``biometryAny``.
    public static let touchIDAny = biometryAny
    /// A finger or face while the enrollments are those of the moment when the item was stored.
    public static let biometryCurrentSet = Self(.biometryCurrentSet)
    /// The former name of ``biometryCurrentSet``.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The device passcode.
    public static let devicePasscode = Self(.devicePasscode)
    /// A paired, unlocked companion nearby.
    public static let companion = Self(.companion)
    /// The former name of ``companion``.
    public static let watch = companion
    /// One of several is enough.
    public static let or = Self(.or)
    /// All of several are needed.
    public static let and = Self(.and)
    /// The flags guard the use of a private key.
    public static let privateKeyUsage = Self(.privateKeyUsage)
    /// A password of the application is needed as well.
    public static let applicationPassword = Self(.applicationPassword)

    /// The same flags in the words of the rules.
    var forPolicy: AccessControlFlags { AccessControlFlags(rawValue: rawValue) }
}
