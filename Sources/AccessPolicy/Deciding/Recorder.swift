/// Something that wants to know which rules fired.
///
/// The recorder is a parameter of deciding, so that the traced and the untraced path are one function, and the recorder
/// that records nothing costs nothing.
protocol Recorder {
    mutating func record(_ rule: Rule)
}

struct NoRecorder: Recorder {
    /// A value without a size has no address of its own, and the thread sanitizer would look at what is there.
    private var place: UInt8 = 0

    mutating func record(_ rule: Rule) {}
}

/// The rules that fired in one decision, in the order in which they did. Kept in place, without an allocation.
public struct Trace: Sendable {
    /// More than the longest decision fires; a test holds that against every decision there is.
    static let capacity = 16

    private var rules = InlineArray<16, Rule>(repeating: .contextInvalidated)
    /// How many rules fired.
    public private(set) var count = 0

    /// A trace of nothing yet.
    public init() {}
}

extension Trace: Recorder {
    package mutating func record(_ rule: Rule) {
        precondition(count < Self.capacity, "a decision fired more rules than a trace holds")
        rules[count] = rule
        count += 1
    }
}

extension Trace: RandomAccessCollection {
    /// Always zero.
    public var startIndex: Int { 0 }
    /// How many rules fired.
    public var endIndex: Int { count }
    /// The rule that fired at this place.
    public subscript(position: Int) -> Rule {
        precondition(position < count, "no such place in the trace")
        return rules[position]
    }
}
