/// Something that can be proved, in the order in which people are asked: what costs them least comes first.
public enum Factor: UInt8, CaseIterable, Sendable {
    /// A finger, a face or a pair of eyes.
    case biometry = 0
    /// A paired, unlocked companion nearby.
    case companion = 1
    /// The device passcode.
    case passcode = 2
    /// The password of the application.
    case applicationPassword = 3

    /// The name people write.
    public var name: String {
        switch self {
        case .biometry: "biometry"
        case .companion: "companion"
        case .passcode: "passcode"
        case .applicationPassword: "application password"
        }
    }
}

/// A set of factors, walked in asking order.
public typealias FactorSet = BitSet<Factor, UInt8>

/// The minimal sets of factors that satisfy a constraint, the one to try first in front.
///
/// Apple's k-of-n has k = 1 or k = n over at most three constraints, so three ways are enough for ever, and the list is
/// one word.
public struct Ways: Hashable, Sendable, RandomAccessCollection {
    /// Three sets of eight bits; the top byte is the count.
    private var word: UInt32 = 0

    /// No way at all.
    public init() {}

    /// The ways listed; there is room for three.
    public init(_ ways: FactorSet...) {
        for way in ways { append(way) }
    }

    /// The largest number of ways a constraint can have.
    public static let capacity = 3

    /// Adds a way to try after the others.
    public mutating func append(_ way: FactorSet) {
        precondition(count < Self.capacity, "a constraint has at most three ways")
        word |= UInt32(way.bits) << (8 * UInt32(count))
        word += 1 << 24
    }

    /// Always zero.
    public var startIndex: Int { 0 }
    /// How many ways there are.
    public var endIndex: Int { Int(word >> 24) }
    /// The way at this place.
    public subscript(position: Int) -> FactorSet {
        precondition(indices.contains(position), "no such way")
        return FactorSet(bits: UInt8(truncatingIfNeeded: word >> (8 * UInt32(position))))
    }

    /// Every factor that some way needs.
    public var factors: FactorSet { reduce(into: FactorSet()) { $0 = $0.union($1) } }
}
