// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy

/// What a context can be asked to prove.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LAPolicy: Int, Hashable, Sendable, CaseIterable {
    /// A finger, a face or a pair of eyes.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// Biometry, or else the device passcode.
    case deviceOwnerAuthentication = 2
    /// The companion.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// Biometry or the companion.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4

    /// The former name of ``deviceOwnerAuthenticationWithCompanion``.
    public static let deviceOwnerAuthenticationWithWatch = deviceOwnerAuthenticationWithCompanion
    /// The former name of ``deviceOwnerAuthenticationWithBiometricsOrCompanion``.
    public static let deviceOwnerAuthenticationWithBiometricsOrWatch =
        deviceOwnerAuthenticationWithBiometricsOrCompanion

    /// The same in the words of the rules.
    var forPolicy: AuthenticationPolicy {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics: .biometry
        case .deviceOwnerAuthentication: .presence
        case .deviceOwnerAuthenticationWithCompanion: .companion
        case .deviceOwnerAuthenticationWithBiometricsOrCompanion: .biometryOrCompanion
        }
    }

    /// True if a success says something of who is enrolled.
    var isBiometric: Bool {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion: true
        case .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithCompanion: false
        }
    }

    /// True if biometry is tried for it.
    var triesBiometry: Bool { self != .deviceOwnerAuthenticationWithCompanion }
}

/// What kind of sensor a device has.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LABiometryType: Int, Hashable, Sendable {
    /// None, or nobody has looked yet.
    case none = 0
    /// Fingers.
    case touchID = 1
    /// Faces.
    case faceID = 2
    /// Pairs of eyes.
    case opticID = 4

    /// The former name of ``none``.
    public static let LABiometryNone = none
}

/// What kind of companion there is.
public struct LACompanionType: OptionSet, Hashable, Sendable {
    /// The bits, by Apple's numbers.
    public let rawValue: Int
    /// The kinds with these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// A watch.
    public static let watch = Self(rawValue: 1 << 0)
    /// A Mac.
    public static let mac = Self(rawValue: 1 << 1)
}

/// What can be handed to a context.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LACredentialType: Int, Hashable, Sendable {
    /// A password of the application.
    case applicationPassword = 0
    /// The PIN of a smart card, of which there are none here.
    case smartCardPIN = -3
}

/// What an access control is asked about.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LAAccessControlOperation: Int, Hashable, Sendable, CaseIterable {
    /// Storing an item.
    case createItem = 0
    /// Reading one.
    case useItem = 1
    /// Making a key.
    case createKey = 2
    /// Signing with one.
    case useKeySign = 3
    /// Decrypting with one.
    case useKeyDecrypt = 4
    /// Agreeing on a key with one.
    case useKeyKeyExchange = 5

    /// The operation of an access control; nil for whether something could be stored.
    var forPolicy: AccessPolicy.Operation? {
        switch self {
        case .createItem, .createKey: nil
        case .useItem, .useKeyDecrypt: .readData
        case .useKeySign: .sign
        case .useKeyKeyExchange: .agree
        }
    }
}

/// The longest time for which an unlock of the device by biometry counts in a context, in seconds.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: Double = 300

extension LAPolicy {
    /// The name that records have for it.
    package var name: String {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics: "deviceOwnerAuthenticationWithBiometrics"
        case .deviceOwnerAuthentication: "deviceOwnerAuthentication"
        case .deviceOwnerAuthenticationWithCompanion: "deviceOwnerAuthenticationWithCompanion"
        case .deviceOwnerAuthenticationWithBiometricsOrCompanion: "deviceOwnerAuthenticationWithBiometricsOrCompanion"
        }
    }
}

extension LAAccessControlOperation {
    /// The name that records have for it.
    package var name: String {
        switch self {
        case .createItem: "createItem"
        case .useItem: "useItem"
        case .createKey: "createKey"
        case .useKeySign: "useKeySign"
        case .useKeyDecrypt: "useKeyDecrypt"
        case .useKeyKeyExchange: "useKeyKeyExchange"
        }
    }
}
