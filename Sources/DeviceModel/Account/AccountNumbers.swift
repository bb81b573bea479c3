public import AccessPolicy

/// The number of a device in its account.
public struct AccountDeviceID: RawRepresentable, Hashable, Sendable {
    /// The number, which is less than ``capacity``.
    public let rawValue: UInt8

    /// The number of devices that an account has room for.
    public static let capacity = 8

    /// Creates the number of a device; nil if it is ``capacity`` or more.
    public init?(rawValue: UInt8) {
        guard rawValue < Self.capacity else { return nil }
        self.rawValue = rawValue
    }
}

/// An identity in the circle of an account. A device that joins again gets a new one.
public struct Peer: RawRepresentable, Hashable, Sendable {
    /// The number, which is less than ``capacity``.
    public let rawValue: UInt8

    /// The number of identities that an account has room for.
    public static let capacity = 64

    /// Creates the identity with this number; nil if it is ``capacity`` or more.
    public init?(rawValue: UInt8) {
        guard rawValue < Self.capacity else { return nil }
        self.rawValue = rawValue
    }
}

/// A set of identities.
public typealias Peers = BitSet<Peer, UInt64>
