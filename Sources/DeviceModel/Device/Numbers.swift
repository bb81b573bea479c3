public import AccessPolicy

// The model identifies fingers, passcodes and apps by numbers, so that a device is a flat value. Its callers keep the
// names.

/// A finger, a face or a pair of eyes that a sensor can distinguish from others.
public struct Finger: RawRepresentable, Hashable, Sendable {
    /// The number, which is less than 32.
    public let rawValue: UInt8

    /// Creates the finger with this number; nil if the number is 32 or more.
    public init?(rawValue: UInt8) {
        guard rawValue < 32 else { return nil }
        self.rawValue = rawValue
    }

    private init(number: UInt8) { rawValue = number }

    /// A finger that no sensor knows. Enrollments have smaller numbers.
    public static let unknown = Self(number: 31)
}

/// A set of fingers.
public typealias Fingers = BitSet<Finger, UInt32>

/// A passcode that a person can enter. Two passcodes are the same if their numbers are.
public struct Passcode: RawRepresentable, Hashable, Sendable {
    /// The number, which is less than 64.
    public let rawValue: UInt8

    /// Creates the passcode with this number; nil if the number is 64 or more.
    public init?(rawValue: UInt8) {
        guard rawValue < 64 else { return nil }
        self.rawValue = rawValue
    }
}

/// A set of passcodes.
public typealias Passcodes = BitSet<Passcode, UInt64>

/// The number of an app on a device.
public struct AppID: RawRepresentable, Hashable, Sendable {
    /// The number, which is less than ``capacity``.
    public let rawValue: UInt8

    /// The number of apps that a device has room for.
    public static let capacity = 5

    /// Creates the number of an app; nil if it is ``capacity`` or more.
    public init?(rawValue: UInt8) {
        guard rawValue < Self.capacity else { return nil }
        self.rawValue = rawValue
    }

    private init(number: UInt8) { rawValue = number }

    /// The first app.
    public static let first = Self(number: 0)
}
