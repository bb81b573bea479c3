public import AccessPolicy

/// The factors that were asked for, one entry each time.
public struct Prompts: Hashable, Sendable, RandomAccessCollection, CustomStringConvertible {
    /// How a prompt ended.
    public enum Ending: UInt8, CaseIterable, Sendable {
        /// The person canceled it, or took the fallback, without trying.
        case canceled
        /// The person tried, and it was not right.
        case failed
        /// The person gave the factor.
        case authenticated
    }

    /// Four bits for each: two for the factor, two for the ending.
    private var word: UInt64 = 0
    /// How many there were; the list has room for fifteen, and no call asks half as often.
    public private(set) var count = 0

    /// No prompt.
    public init() {}

    mutating func add(_ factor: Factor) {
        guard count < 15 else { return }
        word |= UInt64(factor.rawValue) << (4 * UInt64(count))
        count += 1
    }

    /// Records what an answer to the last prompt came to. Canceling after a wrong answer leaves it failed.
    mutating func record(_ result: Sheet.Result) {
        guard count > 0 else { return }
        let ending: Ending
        switch result {
        case .authenticated: ending = .authenticated
        case .wrong, .unavailable: ending = .failed
        case .fallback, .ended: return
        }
        let shift = 4 * UInt64(count - 1) + 2
        word = word & ~(3 << shift) | UInt64(ending.rawValue) << shift
    }

    /// Returns how the prompt at this place ended.
    public func ending(at position: Int) -> Ending {
        precondition(indices.contains(position), "no such prompt")
        guard let ending = Ending(rawValue: UInt8(word >> (4 * UInt64(position) + 2) & 3)) else {
            preconditionFailure("a prompt is kept with the number of its ending")
        }
        return ending
    }

    /// The factors, in order.
    public var description: String { "[" + map { $0.name }.joined(separator: ", ") + "]" }

    /// Always zero.
    public var startIndex: Int { 0 }
    /// How many there were.
    public var endIndex: Int { count }
    /// The factor that was asked for at this place.
    public subscript(position: Int) -> Factor {
        precondition(indices.contains(position), "no such prompt")
        guard let factor = Factor(rawValue: UInt8(word >> (4 * UInt64(position)) & 3)) else {
            preconditionFailure("a prompt is kept by the number of its factor")
        }
        return factor
    }
}
