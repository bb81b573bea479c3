public import AccessPolicy

/// The prompts of one request, in order. Each element is the factor that a prompt asked for.
public struct Prompts: Hashable, Sendable, RandomAccessCollection, CustomStringConvertible {
    /// The ending of a prompt.
    public enum Ending: UInt8, CaseIterable, Sendable {
        /// The person canceled the prompt or took the fallback, without an attempt.
        case canceled
        /// The person tried and failed.
        case failed
        /// The person gave the factor.
        case authenticated
    }

    /// Four bits for each prompt: two for the factor and two for the ending.
    private var word: UInt64 = 0
    /// The number of prompts. The list has room for fifteen, more than twice as many as any call needs.
    public private(set) var count = 0

    /// Creates an empty list of prompts.
    public init() {}

    mutating func add(_ factor: Factor) {
        guard count < 15 else { return }
        word |= UInt64(factor.rawValue) &<< (4 * UInt64(count))
        count += 1
    }

    /// Records the result of an answer to the last prompt. A prompt that is canceled after a wrong answer counts as
    /// failed.
    mutating func record(_ result: Sheet.Result) {
        guard count > 0 else { return }
        let ending: Ending
        switch result {
        case .authenticated: ending = .authenticated
        case .wrong, .unavailable: ending = .failed
        case .fallback, .ended: return
        }
        let shift = 4 * UInt64(count - 1) + 2
        word = word & ~(3 &<< shift) | UInt64(ending.rawValue) &<< shift
    }

    /// Returns the ending of the prompt at this position.
    public func ending(at position: Int) -> Ending {
        precondition(indices.contains(position), "no such prompt")
        guard let ending = Ending(rawValue: UInt8(word &>> (4 * UInt64(position) + 2) & 3)) else {
            preconditionFailure("a prompt is kept with the number of its ending")
        }
        return ending
    }

    /// The factors, in order.
    public var description: String { "[" + map { $0.name }.joined(separator: ", ") + "]" }

    /// The position of the first prompt, which is always zero.
    public var startIndex: Int { 0 }
    /// The position after the last prompt.
    public var endIndex: Int { count }
    /// The factor of the prompt at this position.
    public subscript(position: Int) -> Factor {
        precondition(indices.contains(position), "no such prompt")
        guard let factor = Factor(rawValue: UInt8(word &>> (4 * UInt64(position)) & 3)) else {
            preconditionFailure("a prompt is kept by the number of its factor")
        }
        return factor
    }
}
