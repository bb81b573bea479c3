internal import AccessPolicy
internal import DeviceModel

/// How two demands stand to each other, for one profile.
public struct Comparison: Hashable, Sendable {
    /// How the first stands to the second.
    public enum Relation: String, CaseIterable, Sendable {
        /// Wherever the one opens, the other does.
        case equal
        /// Wherever the first opens the second does, and not the other way round.
        case stronger
        /// Wherever the second opens the first does, and not the other way round.
        case weaker
        /// Each opens somewhere where the other does not.
        case incomparable
    }

    /// One of the two.
    public enum Side: Int, CaseIterable, Sendable {
        /// The first.
        case first
        /// The second.
        case second

        /// The other one.
        public var other: Side { self == .first ? .second : .first }
    }

    /// What only one of the two grants.
    public struct Difference: Hashable, Sendable {
        /// Which of them.
        public let side: Side
        /// What is granted of it, and not of the other; or for `destroy`, which of them is lost, while the other is not.
        public let aim: Aim
        /// In how many of the situations that were gone through it is so.
        public let situations: Int
        /// How to come to the nearest of them, and the request that the one grants.
        public let story: Story
    }

    /// Whom it is about.
    public let profile: Profile
    /// The assumptions.
    public let assumptions: Assumptions
    /// How large the search was.
    public let extent: Extent
    /// True if everything was gone through.
    public let isComplete: Bool
    /// What only one of them grants, aim by aim.
    public let differences: [Difference]
    /// Where one of them is lost for good and the other is not. A lost item opens to nobody, so this alone makes none the weaker.
    public let losses: [Difference]

    /// How the first stands to the second; nil where there was no room to find out.
    public var relation: Relation? {
        let firstOpensMore = differences.contains { $0.side == .first }
        let secondOpensMore = differences.contains { $0.side == .second }
        if firstOpensMore && secondOpensMore { return .incomparable }
        if !isComplete { return nil }
        return firstOpensMore ? .weaker : secondOpensMore ? .stronger : .equal
    }

    /// Compares the first two items of `scene`, both of which are there in every situation: what somebody of `profile` can come to is
    /// the same for both, so they are compared situation by situation.
    ///
    /// Anybody may delete, whatever the demand, so what is deleted tells nothing of it; but that one is lost where the other lives
    /// is told apart, as is what a demand does to those whom it keeps out.
    public init(
        _ scene: Scene, for profile: Profile, aims: [Aim] = [.read, .use, .list, .overwrite],
        assuming stated: Assumptions.Stated = .init(), limits: Limits = Limits()
    ) {
        self.profile = profile
        assumptions = Assumptions(stated, else: profile.assumes)
        var search = Search(scene, [profile], assuming: assumptions, limits: limits)
        search.run()
        extent = search.extent
        isComplete = search.end == .complete
        var wanted = Facts()
        for side in Side.allCases {
            wanted.formUnion(Facts(aims, of: side.rawValue))
            wanted.insert(.isGone, of: side.rawValue)
        }
        var opened: [Nearest] = []
        var lost: [Nearest] = []
        for number in 0..<search.found.count {
            let situation = search.situation(number)
            let facts = situation.facts(among: wanted, at: scene.items, for: search.actors[0], reuse: scene.reuse)
            for side in Side.allCases {
                for aim in aims {
                    guard let fact = aim.facts.first(where: { facts.contains($0, of: side.rawValue) }),
                        !facts.holds(aim, of: side.other.rawValue)
                    else { continue }
                    Nearest.note(side, aim, fact, at: number, in: &opened)
                }
                if facts.contains(.isGone, of: side.rawValue), !facts.contains(.isGone, of: side.other.rawValue) {
                    Nearest.note(side, .destroy, .isGone, at: number, in: &lost)
                }
            }
        }
        differences = opened.map { $0.told(by: search) }
        losses = lost.map { $0.told(by: search) }
    }
}

/// The nearest situation in which one of the two stands alone, and how many there are.
private struct Nearest {
    let side: Comparison.Side
    let aim: Aim
    let fact: Fact
    let number: Int
    var count = 1

    /// Situations come in the order of their distance.
    static func note(_ side: Comparison.Side, _ aim: Aim, _ fact: Fact, at number: Int, in all: inout [Nearest]) {
        if let place = all.firstIndex(where: { $0.side == side && $0.aim == aim }) {
            all[place].count += 1
        } else {
            all.append(Nearest(side: side, aim: aim, fact: fact, number: number))
        }
    }

    func told(by search: Search) -> Comparison.Difference {
        let length = search.found.path(to: number).count + fact.steps
        let way = Way(situation: number, requests: fact.requests, item: side.rawValue, length: length)
        return Comparison.Difference(side: side, aim: aim, situations: count, story: search.story(way))
    }
}

extension Facts {
    /// Returns true if any of the facts that are `aim` is in it.
    func holds(_ aim: Aim, of item: Int) -> Bool { aim.facts.contains { contains($0, of: item) } }
}

extension Comparison.Side: CustomStringConvertible {
    /// The word that reports have for it.
    public var name: String {
        switch self {
        case .first: "first"
        case .second: "second"
        }
    }

    /// The name.
    public var description: String { name }
}
