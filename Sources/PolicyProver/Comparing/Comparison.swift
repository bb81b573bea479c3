internal import AccessPolicy
internal import DeviceModel

/// A comparison of two access policies for one person, situation by situation.
public struct Comparison: Hashable, Sendable {
    /// The strength of the first policy relative to the second.
    public enum Relation: String, CaseIterable, Sendable {
        /// Both grant the same in every situation.
        case equal
        /// The second grants everything that the first grants, and more.
        case stronger
        /// The first grants everything that the second grants, and more.
        case weaker
        /// Each grants something that the other does not.
        case incomparable
    }

    /// One of the two policies.
    public enum Side: Int, CaseIterable, Sendable {
        /// The first policy.
        case first
        /// The second policy.
        case second

        /// The other policy.
        public var other: Side { self == .first ? .second : .first }
    }

    /// Something that only one of the two policies grants.
    public struct Difference: Hashable, Sendable {
        /// The policy that grants it.
        public let side: Side
        /// The aim that it grants and the other does not. For ``Aim/destroy``, the item under it is gone and the other
        /// is not.
        public let aim: Aim
        /// The number of situations in which that is so.
        public let situations: Int
        /// The moves to the nearest of these situations, and the request that is granted there.
        public let story: Attack
    }

    /// The person who gets the device.
    public let profile: Profile
    /// The assumptions of the search.
    public let assumptions: Assumptions
    /// The size of the search.
    public let extent: Extent
    /// True if the search went through every situation.
    public let isComplete: Bool
    /// The aims that only one of the policies grants.
    public let differences: [Difference]
    /// The cases in which one item is gone for good and the other is not. They make neither policy weaker: a gone item
    /// opens to no person.
    public let losses: [Difference]

    /// The strength of the first policy relative to the second, or nil if the search met its limit before it could
    /// tell.
    public var relation: Relation? {
        let firstOpensMore = differences.contains { $0.side == .first }
        let secondOpensMore = differences.contains { $0.side == .second }
        if firstOpensMore && secondOpensMore { return .incomparable }
        if !isComplete { return nil }
        return firstOpensMore ? .weaker : secondOpensMore ? .stronger : .equal
    }

    /// Compares the policies of the first two items of `scene`.
    ///
    /// Both items are there in every situation, so the person makes the same moves against both. No move deletes an
    /// item, because deleting ignores the access policy. Events that invalidate one item and not the other show up in
    /// ``losses``.
    public init(
        _ scene: Scene, for profile: Profile, aims: [Aim] = [.read, .use, .list, .overwrite],
        assuming stated: Assumptions.Stated = .init(), limits: SearchLimits = SearchLimits()
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

/// The nearest situation in which only one of the two policies grants something, and the number of such situations.
private struct Nearest {
    let side: Comparison.Side
    let aim: Aim
    let fact: Fact
    let number: Int
    var count = 1

    /// Counts a situation. The caller passes situations in the order of their distance, so the first is the nearest.
    static func note(_ side: Comparison.Side, _ aim: Aim, _ fact: Fact, at number: Int, in all: inout [Nearest]) {
        if let place = all.firstIndex(where: { $0.side == side && $0.aim == aim }) {
            all[place].count += 1
        } else {
            all.append(Nearest(side: side, aim: aim, fact: fact, number: number))
        }
    }

    func told(by search: Search) -> Comparison.Difference {
        let length = search.found.path(to: number).count + fact.steps
        let way = Way(
            situation: number, deeds: search.deeds(of: fact, on: side.rawValue, at: number), item: side.rawValue,
            length: length)
        return Comparison.Difference(side: side, aim: aim, situations: count, story: search.story(way))
    }
}

extension Facts {
    /// Returns true if the set has a fact that means `aim` for this item.
    func holds(_ aim: Aim, of item: Int) -> Bool { aim.facts.contains { contains($0, of: item) } }
}

extension Comparison.Side: CustomStringConvertible {
    /// The word for it in reports.
    public var name: String {
        switch self {
        case .first: "first"
        case .second: "second"
        }
    }

    /// The word for it in reports.
    public var description: String { name }
}
