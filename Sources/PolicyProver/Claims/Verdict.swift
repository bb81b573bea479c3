/// What came of proving a claim.
public struct Verdict: Hashable, Sendable {
    /// Whether the claim is true.
    public enum Answer: Hashable, Sendable {
        /// It is; every situation that matters was looked at.
        case holds
        /// It is not.
        case fails
        /// There were more situations than the search had room for, and nothing against the claim among those it came to.
        case undecided
    }

    /// Whether the claim is true.
    public var answer: Answer
    /// The shortest story: how a claim fails, or how somebody can do what the claim says that they can. Nil where the search itself is
    /// the reason: nothing leads there, or nothing leads elsewhere.
    public var story: Story?
    /// How large the search was.
    public var extent: Extent
    /// The assumptions.
    public var assumptions: Assumptions
    /// True if the answer depends on a backup from which the owner brings back the lost item.
    public var reliesOnBackup: Bool

    package init(
        answer: Answer, story: Story?, extent: Extent, assumptions: Assumptions, reliesOnBackup: Bool = false
    ) {
        self.answer = answer
        self.story = story
        self.extent = extent
        self.assumptions = assumptions
        self.reliesOnBackup = reliesOnBackup
    }
}

/// How large a search was.
public struct Extent: Hashable, Sendable {
    /// How many situations it came to that a future can tell apart.
    public var situations: Int
    /// How many steps the farthest of them is away.
    public var depth: Int
    /// How many moves were made on the way.
    public var moves: Int
    /// How many bytes it took to remember the situations.
    public var bytes: Int

    package init(situations: Int, depth: Int, moves: Int, bytes: Int) {
        self.situations = situations
        self.depth = depth
        self.moves = moves
        self.bytes = bytes
    }
}

extension Search {
    /// How large it was.
    var extent: Extent { Extent(situations: found.count, depth: depth, moves: generated, bytes: found.bytes) }
}
