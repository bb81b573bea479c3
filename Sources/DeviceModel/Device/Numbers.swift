public import AccessPolicy

// The model numbers its things, so that a device is a flat value. Names live in the shells.

/// A finger, a face or a pair of eyes that a sensor can tell from others.
public struct Finger: RawRepresentable, Hashable, Sendable {
    /// The number; below 32.
    public let rawValue: UInt8

    /// The finger with this number; nil where there is no room for it in a set.
    public init?(rawValue: UInt8) {
        guard rawValue < 32 else { return nil }
        self.rawValue = rawValue
    }

    private init(number: UInt8) { rawValue = number }

    /// A finger that is not enrolled. A sensor's enrollments are numbered below it.
    public static let unknown = Self(number: 31)
}

/// A set of fingers.
public typealias Fingers = BitSet<Finger, UInt32>

/// A passcode that somebody may type: two codes with the same number are the same code.
public struct Passcode: RawRepresentable, Hashable, Sendable {
    /// The number; below 64.
    public let rawValue: UInt8

    /// The code with this number; nil where there is no room for it in a set.
    public init?(rawValue: UInt8) {
        guard rawValue < 64 else { return nil }
        self.rawValue = rawValue
    }
}

/// A set of passcodes.
public typealias Passcodes = BitSet<Passcode, UInt64>

/// An app on the device.
public struct AppID: RawRepresentable, Hashable, Sendable {
    /// The number; below ``capacity``.
    public let rawValue: UInt8

    /// How many apps a device has room for.
    public static let capacity = 4

    /// The app with this number; nil where a device has no room for it.
    public init?(rawValue: UInt8) {
        guard rawValue < Self.capacity else { return nil }
        self.rawValue = rawValue
    }

    private init(number: UInt8) { rawValue = number }

    /// The first app.
    public static let first = Self(number: 0)
}
