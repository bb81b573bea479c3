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

    /// A situation in which one opens and the other does not.
    public struct Witness: Hashable, Sendable {
        /// Whether it is the first that opens.
        public let opensFirst: Bool
        /// What is granted of the one that opens.
        public let aim: Aim
        /// How to come there, and the request that the one grants.
        public let story: Story
        /// In how many of the situations that were gone through it is so.
        public let situations: Int
    }

    /// Whom it is about.
    public let profile: Profile
    /// In how many situations each of the two is open, to some aim.
    public let open: (first: Int, second: Int)
    /// How large the search was, and whether it came to its end.
    public let extent: Extent
    /// Whether everything was gone through.
    public let isComplete: Bool
    /// The nearest difference for each aim and each direction.
    public let witnesses: [Witness]

    /// How the first stands to the second.
    public var relation: Relation {
        let firstOpensMore = witnesses.contains { $0.opensFirst }
        let secondOpensMore = witnesses.contains { !$0.opensFirst }
        return firstOpensMore ? (secondOpensMore ? .incomparable : .weaker) : secondOpensMore ? .stronger : .equal
    }

    /// Compares the first two items of `scene`, both of which are there in every situation: what somebody of `profile` can come to is
    /// the same for both, so they are compared situation by situation.
    ///
    /// A deleted item is nobody's any more, so destroying is what the other aims leave.
    public init(
        _ scene: Scene, for profile: Profile, aims: [Aim] = [.read, .use, .list, .overwrite], limits: Limits = Limits()
    ) {
        self.profile = profile
        var search = Search(scene, [profile], limits: limits)
        search.run()
        extent = search.extent
        isComplete = search.end == .complete
        var wanted = Facts()
        for item in 0..<2 { wanted.formUnion(Facts(aims, of: item)) }
        var openTo = (first: 0, second: 0)
        var nearest: [(opensFirst: Bool, aim: Aim, number: Int, count: Int)] = []
        for number in 0..<search.found.count {
            let situation = search.codec.situation(search.found.keys[number])
            let facts = situation.facts(among: wanted, at: scene.items, for: search.actors[0], reuse: scene.reuse)
            let first = aims.filter { facts.holds($0, of: 0) }
            let second = aims.filter { facts.holds($0, of: 1) }
            openTo.first += first.isEmpty ? 0 : 1
            openTo.second += second.isEmpty ? 0 : 1
            for aim in aims where first.contains(aim) != second.contains(aim) {
                let opensFirst = first.contains(aim)
                if let place = nearest.firstIndex(where: { $0.opensFirst == opensFirst && $0.aim == aim }) {
                    nearest[place].count += 1
                } else {
                    nearest.append((opensFirst, aim, number, 1))
                }
            }
        }
        open = openTo
        witnesses = nearest.map { found in
            let item = found.opensFirst ? 0 : 1
            let situation = search.codec.situation(search.found.keys[found.number])
            let facts = situation.facts(
                among: Facts([found.aim], of: item), at: scene.items, for: search.actors[0], reuse: scene.reuse)
            let requests = found.aim.facts.first { facts.contains($0, of: item) }?.requests ?? []
            let way = Way(situation: found.number, requests: requests, item: item, length: 0)
            return Witness(
                opensFirst: found.opensFirst, aim: found.aim, story: search.story(way), situations: found.count)
        }
    }

    /// Two are equal where they say the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.profile == right.profile && left.open == right.open && left.extent == right.extent
            && left.witnesses == right.witnesses
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(profile)
        hasher.combine(extent)
        hasher.combine(witnesses)
    }
}

extension Facts {
    /// Whether any of the facts that are `aim` is in it.
    func holds(_ aim: Aim, of item: Int) -> Bool { aim.facts.contains { contains($0, of: item) } }
}
