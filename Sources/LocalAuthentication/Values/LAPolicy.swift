// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy

/// A policy that a context evaluates.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LAPolicy: Int, Hashable, Sendable, CaseIterable {
    /// Biometry.
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

    /// The policy as the rules know it.
    var forPolicy: AuthenticationPolicy {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics: .biometry
        case .deviceOwnerAuthentication: .presence
        case .deviceOwnerAuthenticationWithCompanion: .companion
        case .deviceOwnerAuthenticationWithBiometricsOrCompanion: .biometryOrCompanion
        }
    }

    /// True if a success reveals the state of the enrolled set.
    var isBiometric: Bool {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion: true
        case .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithCompanion: false
        }
    }

    var triesBiometry: Bool { self != .deviceOwnerAuthenticationWithCompanion }
}

/// A kind of sensor.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LABiometryType: Int, Hashable, Sendable {
    /// No sensor, or no call has looked for one yet.
    case none = 0
    /// Touch ID.
    case touchID = 1
    /// Face ID.
    case faceID = 2
    /// Optic ID.
    case opticID = 4

    /// The former name of ``none``.
    public static let LABiometryNone = none
}

/// A kind of companion.
public struct LACompanionType: OptionSet, Hashable, Sendable {
    /// The bits, with Apple's numbers.
    public let rawValue: Int
    /// Creates the set with these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// A watch.
    public static let watch = Self(rawValue: 1 << 0)
    /// A Mac.
    public static let mac = Self(rawValue: 1 << 1)
}

/// A type of credential that a context accepts.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LACredentialType: Int, Hashable, Sendable {
    /// An application password.
    case applicationPassword = 0
    /// The PIN of a smart card. There are none here.
    case smartCardPIN = -3
}

/// An operation that an access control guards.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LAAccessControlOperation: Int, Hashable, Sendable, CaseIterable {
    /// Storing an item.
    case createItem = 0
    /// Reading an item.
    case useItem = 1
    /// Creating a key.
    case createKey = 2
    /// Signing with a key.
    case useKeySign = 3
    /// Decrypting with a key.
    case useKeyDecrypt = 4
    /// Agreeing on a shared secret with a key.
    case useKeyKeyExchange = 5

    /// The operation as the rules know it; nil to check whether an item could be stored.
    var forPolicy: AccessPolicy.Operation? {
        switch self {
        case .createItem, .createKey: nil
        case .useItem, .useKeyDecrypt: .readData
        case .useKeySign: .sign
        case .useKeyKeyExchange: .agree
        }
    }
}

/// The longest time, in seconds, for which an unlock of the device by biometry counts in a context.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: Double = 300

extension LAPolicy {
    /// The name in records.
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
    /// The name in records.
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
