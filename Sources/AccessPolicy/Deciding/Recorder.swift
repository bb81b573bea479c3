/// A recorder of the rules that fire in a decision.
///
/// One generic function serves traced and untraced decisions, so the two cannot differ. ``NoRecorder`` costs nothing.
protocol Recorder {
    mutating func record(_ rule: Rule)
}

struct NoRecorder: Recorder {
    /// Gives the value a size. The thread sanitizer checks the address of an `inout` argument, and an empty value
    /// shares its address with other variables.
    private var place: UInt8 = 0

    mutating func record(_ rule: Rule) {}
}

/// The rules that fired in one decision, in order. It is stored inline and never allocates.
public struct Trace: Sendable {
    /// More rules than any decision fires, which a test confirms for every possible decision.
    static let capacity = 16

    private var rules = InlineArray<16, Rule>(repeating: .contextInvalidated)
    /// The number of rules that fired.
    public private(set) var count = 0

    /// Creates an empty trace.
    public init() {}
}

extension Trace: Recorder {
    /// Appends a rule that fired.
    package mutating func record(_ rule: Rule) {
        precondition(count < Self.capacity, "a decision fired more rules than a trace holds")
        rules[count] = rule
        count += 1
    }
}

extension Trace: RandomAccessCollection {
    /// The position of the first rule, which is always zero.
    public var startIndex: Int { 0 }
    /// The position after the last rule.
    public var endIndex: Int { count }
    /// The rule at this position.
    public subscript(position: Int) -> Rule {
        precondition(position < count, "no such place in the trace")
        return rules[position]
    }
}
