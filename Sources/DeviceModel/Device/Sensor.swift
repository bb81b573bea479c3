public import AccessPolicy

/// The kinds of biometric sensor, with what Apple says of each (semantics 7.2).
public enum SensorKind: UInt8, CaseIterable, Sendable {
    /// No sensor.
    case none = 0
    /// Fingers.
    case touchID = 1
    /// Faces.
    case faceID = 2
    /// Pairs of eyes.
    case opticID = 3

    /// How many can be enrolled.
    public var capacity: Int {
        switch self {
        case .none: 0
        case .touchID: 5
        case .faceID: 2
        case .opticID: 1
        }
    }

    /// True if its settings remove single enrolled persons. For a face or eyes they offer only to forget everyone.
    public var forgetsOneByOne: Bool {
        switch self {
        case .touchID: true
        case .none, .faceID, .opticID: false
        }
    }

    /// How many wrong answers one sheet takes.
    public var triesOnSheet: Int {
        switch self {
        case .none: 0
        case .touchID: 3
        case .faceID, .opticID: 2
        }
    }

    /// How many wrong answers it takes until a sheet shows its fallback.
    public var missesBeforeFallback: Int {
        switch self {
        case .none: 0
        case .touchID: 1
        case .faceID, .opticID: 2
        }
    }

    /// True if an app has to declare a text and ask the user before it may use the sensor.
    public var needsPermission: Bool {
        switch self {
        case .none, .touchID: false
        case .faceID, .opticID: true
        }
    }

    /// Failed matches in a row, anywhere on the device, after which biometry waits for the passcode.
    public static let lockoutLimit: UInt8 = 5
}

extension SensorKind: NamedChoice, CustomStringConvertible {
    /// The word that scenario files, messages and reports have for it.
    public var name: String {
        switch self {
        case .none: "none"
        case .touchID: "touchID"
        case .faceID: "faceID"
        case .opticID: "opticID"
        }
    }

    /// The name.
    public var description: String { name }
}
