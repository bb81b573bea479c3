/// A Boolean as C functions of Apple's platforms take it, which a Swift Boolean literal makes.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Hashable, Sendable, CustomStringConvertible {
    /// The value.
    public let boolValue: Bool

    /// Creates a Boolean of a Swift value.
    public init(_ value: Bool) { boolValue = value }

    /// Creates a Boolean of a literal.
    public init(booleanLiteral value: Bool) { boolValue = value }

    /// The value in words: `true` or `false`.
    public var description: String { boolValue.description }
}
