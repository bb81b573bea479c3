/// The result of proving a claim.
public struct Verdict: Hashable, Sendable {
    /// The answer of a proof.
    public enum Answer: Hashable, Sendable {
        /// The claim is true: the search left nothing out that could make it false.
        case holds
        /// The claim is false.
        case fails
        /// The search met its limit without an answer.
        case undecided
    }

    /// The answer.
    public var answer: Answer
    /// The shortest story behind the answer: a counterexample to the claim, or the moves that a person can make.
    ///
    /// It is nil if the search itself is the reason, because no sequence of moves shows that something is impossible.
    public var story: Attack?
    /// The size of the search.
    public var extent: Extent
    /// The assumptions under which the answer is true.
    public var assumptions: Assumptions
    /// True if the answer relies on a backup from which the owner restores the item.
    public var reliesOnBackup: Bool

    package init(
        answer: Answer, story: Attack?, extent: Extent, assumptions: Assumptions, reliesOnBackup: Bool = false
    ) {
        self.answer = answer
        self.story = story
        self.extent = extent
        self.assumptions = assumptions
        self.reliesOnBackup = reliesOnBackup
    }
}

/// The size of a search.
public struct Extent: Hashable, Sendable {
    /// The number of different situations that it found.
    public var situations: Int
    /// The number of steps to the farthest of them.
    public var depth: Int
    /// The number of moves that it made.
    public var moves: Int
    /// The number of bytes that it needed to remember the situations.
    public var bytes: Int

    /// Creates the size of a search from its counts.
    package init(situations: Int, depth: Int, moves: Int, bytes: Int) {
        self.situations = situations
        self.depth = depth
        self.moves = moves
        self.bytes = bytes
    }
}

extension Search {
    /// The size of the search so far.
    var extent: Extent { Extent(situations: found.count, depth: depth, moves: generated, bytes: found.bytes) }
}
