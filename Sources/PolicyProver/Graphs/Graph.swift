internal import AccessPolicy
public import DeviceModel

/// The situations that a person can bring about and the moves between them, for drawing.
public struct Graph: Sendable {
    /// A situation of the graph.
    public struct Node: Hashable, Sendable {
        /// The number of the situation in the search. Numbers grow with the distance.
        public let number: Int
        /// The distance from the beginning in steps.
        public let depth: Int
        /// A few words for each thing that is notable about the situation, the most telling first.
        public let labels: [String]
        /// True if the person reaches the aim there.
        public let opens: Bool
        /// True if no person can ever use the item again, because it is invalidated or absent.
        public let isGone: Bool
        /// True if the story passes through it.
        public let isInStory: Bool
        /// The number of moves from here to situations that the graph omits.
        public let movesLeftOut: Int
    }

    /// A move from one situation to another.
    public struct Edge: Hashable, Sendable {
        /// The index among ``Graph/nodes`` of the situation before the move.
        public let from: Int
        /// The index among ``Graph/nodes`` of the situation after the move.
        public let to: Int
        /// The move in words.
        public let words: String
        /// True if the move is a step of the story.
        public let isInStory: Bool
    }

    /// The person who moves.
    public let profile: Profile
    /// The assumptions of the search.
    public let assumptions: Assumptions
    /// The settings of the device.
    public let settings: DeviceSettings
    /// The aim that the graph looks for.
    public let aim: Aim
    /// The nearest situations, and all situations of the story.
    public let nodes: [Node]
    /// The moves between them.
    public let edges: [Edge]
    /// The shortest story, or nil if the person never reaches the aim.
    public let story: Attack?
    /// The size of the search.
    public let extent: Extent
    /// True if the search went through every situation.
    public let isComplete: Bool

    /// The number of situations that the graph omits.
    public var leftOut: Int { extent.situations - nodes.count }

    /// Searches what a person of `profile` can bring about in `scene` on the way to `aim` at the item with this index.
    ///
    /// The graph shows at most `most` situations, and those of the story in addition.
    public init(
        _ scene: Scene, by profile: Profile, to aim: Aim, of item: Int = 0, showing most: Int = 300,
        assuming stated: Assumptions.Stated = .init(), limits: SearchLimits = SearchLimits()
    ) {
        self.profile = profile
        self.aim = aim
        settings = scene.world.device.settings
        assumptions = Assumptions(stated, else: profile.assumes)
        var search = Search(scene, [profile], assuming: assumptions, about: .item(item), limits: limits)
        search.run()
        extent = search.extent
        isComplete = search.end == .complete

        let wanted = Facts([aim], of: item)
        func facts(_ situation: Situation) -> Facts {
            situation.facts(among: wanted, at: scene.items, for: search.actors[0], reuse: scene.reuse)
        }
        var goal = Search(
            scene, [profile], assuming: assumptions, about: .item(item), for: wanted, limits: limits)
        goal.looksForShortest = true
        goal.run()
        let way = goal.way(to: aim, of: item)
        story = way.map { goal.story($0) }
        let steps = way.map { search.steps(of: goal.found.path(to: $0.situation)) } ?? []
        let inStory = way == nil ? [] : Set([0] + steps.map { $0.to })

        var numbers = Array(0..<min(max(1, most), search.found.count))
        numbers += inStory.filter { $0 >= numbers.count }.sorted()
        let places = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($0.element, $0.offset) })
        let teller = Attack(
            scene: scene, people: [profile], item: item, isAboutFile: false, assumptions: assumptions, before: [],
            authentication: nil,
            steps: [], inVain: [])
        var nodes: [Node] = []
        var edges: [Edge] = []
        for number in numbers {
            let situation = search.situation(number)
            var movesLeftOut = 0
            if !search.isOver(situation) {
                search.eachMove(in: situation) { index, move, next in
                    let target = search.found.number(of: search.codec.key(next))
                    if target == number { return }
                    guard let from = places[number], let to = places[target] else {
                        movesLeftOut += 1
                        return
                    }
                    edges.append(
                        Edge(
                            from: from, to: to,
                            words: teller.words(
                                of: Attack.Step(move: move, reason: .nothingNeeded, prompts: Prompts())),
                            isInStory: steps.contains { $0 == (number, index, target) }))
                }
            }
            nodes.append(
                Node(
                    number: number, depth: search.found.path(to: number).count,
                    labels: situation.labels(of: scene, item), opens: !facts(situation).isEmpty,
                    isGone: situation.isUseless(scene.items[item]), isInStory: inStory.contains(number),
                    movesLeftOut: movesLeftOut))
        }
        self.nodes = nodes
        self.edges = edges
    }
}

extension Search {
    /// Returns the situations on the path of these moves, one step after another.
    fileprivate func steps(of moves: [Int]) -> [(from: Int, move: Int, to: Int)] {
        var steps: [(from: Int, move: Int, to: Int)] = []
        var at = 0
        for wanted in moves {
            var reached = at
            eachMove(in: codec.situation(found.keys[at])) { index, _, next in
                if index == wanted { reached = found.number(of: codec.key(next)) }
            }
            steps.append((at, wanted, reached))
            at = reached
        }
        return steps
    }
}
