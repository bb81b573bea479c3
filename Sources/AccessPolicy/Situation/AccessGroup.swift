/// An access group of items and apps. The caller of the model assigns the numbers.
public struct AccessGroup: RawRepresentable, Hashable, Sendable {
    /// The number of the group, which is less than 32.
    public let rawValue: UInt8

    /// Creates the group with this number; nil if the number is 32 or more.
    public init?(rawValue: UInt8) {
        guard rawValue < 32 else { return nil }
        self.rawValue = rawValue
    }

    private init(number: UInt8) { rawValue = number }

    /// The first group.
    public static let first = Self(number: 0)
    /// The access group of tokens. An app with any access group can read it by naming it. No app can write to it.
    public static let token = Self(number: 31)
}

/// A set of access groups.
public typealias AccessGroups = BitSet<AccessGroup, UInt32>
