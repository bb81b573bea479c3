/// Which access group an item or an app belongs to. The shell numbers the groups.
public struct AccessGroup: RawRepresentable, Hashable, Sendable {
    /// The number; below 32.
    public let rawValue: UInt8

    /// The group with this number; nil where there is no room for it in a set of groups.
    public init?(rawValue: UInt8) {
        guard rawValue < 32 else { return nil }
        self.rawValue = rawValue
    }

    private init(number: UInt8) { rawValue = number }

    /// The first group.
    public static let first = Self(number: 0)
    /// The group of tokens: everybody may read it by name, nobody may write to it.
    public static let token = Self(number: 31)
}

/// A set of access groups.
public typealias AccessGroups = BitSet<AccessGroup, UInt32>
