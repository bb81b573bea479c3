/// A factor that a user can give in a prompt. The cases are in prompting order: the easiest for the user comes first.
public enum Factor: UInt8, CaseIterable, Sendable {
    /// A match of a finger, a face or a pair of eyes.
    case biometry = 0
    /// A confirmation on a paired and unlocked companion nearby, such as a watch.
    case companion = 1
    /// The device passcode.
    case passcode = 2
    /// The application password: a password of an app for its items, which the app supplies or the user enters.
    case applicationPassword = 3

    /// The name of the factor, such as `application password`.
    public var name: String {
        switch self {
        case .biometry: "biometry"
        case .companion: "companion"
        case .passcode: "passcode"
        case .applicationPassword: "application password"
        }
    }
}

/// A set of factors. It is iterated in prompting order.
public typealias FactorSet = BitSet<Factor, UInt8>

/// The minimal sets of factors that satisfy a constraint, in the order in which to prompt for them.
///
/// Each set is one way: all of its factors are needed. `biometry, or companion and passcode` are two ways.
///
/// Apple's flags ask for one or for all of at most three requirements. So three ways are enough, and the list fits in
/// one machine word.
public struct Ways: Hashable, Sendable, RandomAccessCollection {
    /// Three sets of eight bits each, and the count in the top byte.
    private var word: UInt32 = 0

    /// Creates an empty list of ways, which nothing satisfies.
    public init() {}

    /// Creates a list of at most three ways.
    public init(_ ways: FactorSet...) {
        for way in ways { append(way) }
    }

    /// The largest number of ways of a constraint.
    public static let capacity = 3

    /// Adds a way, to prompt for after the others.
    public mutating func append(_ way: FactorSet) {
        precondition(count < Self.capacity, "a constraint has at most three ways")
        word |= UInt32(way.bits) &<< (8 * UInt32(count))
        word += 1 << 24
    }

    /// The position of the first way, which is always zero.
    public var startIndex: Int { 0 }
    /// The position after the last way.
    public var endIndex: Int { Int(word &>> 24) }
    /// The way at this position.
    public subscript(position: Int) -> FactorSet {
        precondition(indices.contains(position), "no such way")
        return FactorSet(bits: UInt8(truncatingIfNeeded: word &>> (8 * UInt32(position))))
    }

    /// All factors of all ways.
    public var factors: FactorSet { reduce(into: FactorSet()) { $0 = $0.union($1) } }
}
