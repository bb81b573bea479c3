public import AccessPolicy

/// A kind of biometric sensor, with Apple's figures for it (semantics 7.2).
public enum SensorKind: UInt8, CaseIterable, Sendable {
    /// No sensor.
    case none = 0
    /// A sensor for fingers.
    case touchID = 1
    /// A sensor for faces.
    case faceID = 2
    /// A sensor for pairs of eyes.
    case opticID = 3

    /// The largest number of enrollments.
    public var capacity: Int {
        switch self {
        case .none: 0
        case .touchID: 5
        case .faceID: 2
        case .opticID: 1
        }
    }

    /// True if the settings can remove a single enrollment. For faces and eyes they only remove all.
    public var forgetsOneByOne: Bool {
        switch self {
        case .touchID: true
        case .none, .faceID, .opticID: false
        }
    }

    /// The number of failed matches after which a prompt accepts no more.
    public var triesOnSheet: Int {
        switch self {
        case .none: 0
        case .touchID: 3
        case .faceID, .opticID: 2
        }
    }

    /// The number of failed matches after which a prompt shows its fallback.
    public var missesBeforeFallback: Int {
        switch self {
        case .none: 0
        case .touchID: 1
        case .faceID, .opticID: 2
        }
    }

    /// True if an app must declare a usage text and ask the user for permission to use the sensor.
    public var needsPermission: Bool {
        switch self {
        case .none, .touchID: false
        case .faceID, .opticID: true
        }
    }

    /// Apple's name for the sensor, such as "Touch ID"; nil if there is none.
    package var productName: String? {
        switch self {
        case .none: nil
        case .touchID: "Touch ID"
        case .faceID: "Face ID"
        case .opticID: "Optic ID"
        }
    }

    /// The number of failed matches in a row, anywhere on the device, that lock biometry out.
    public static let lockoutLimit: UInt8 = 5
}

extension SensorKind: NamedChoice, CustomStringConvertible {
    /// The name of the sensor in scenario files, messages and reports.
    public var name: String {
        switch self {
        case .none: "none"
        case .touchID: "touchID"
        case .faceID: "faceID"
        case .opticID: "opticID"
        }
    }

    /// The name of the sensor.
    public var description: String { name }
}
