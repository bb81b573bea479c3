internal import AccessPolicy
public import DeviceModel

/// The situations that somebody can bring about, and the moves between them: what a search went through, to be looked at.
public struct Graph: Sendable {
    /// One situation.
    public struct Node: Hashable, Sendable {
        /// Its number in the search, which grows with the distance.
        public let number: Int
        /// How many steps it is away.
        public let depth: Int
        /// What is so there, in a few words each, the most telling in front.
        public let labels: [String]
        /// True if what the claim is about can be had there.
        public let opens: Bool
        /// True if no person can ever use the item again, because it is lost for good, invalidated or absent.
        public let isGone: Bool
        /// True if the story comes through it.
        public let isInStory: Bool
        /// How many moves lead from here to situations that are left out.
        public let movesLeftOut: Int
    }

    /// One move that leads to another situation.
    public struct Edge: Hashable, Sendable {
        /// From which node: its place among those shown.
        public let from: Int
        /// To which.
        public let to: Int
        /// What is done, in words.
        public let words: String
        /// True if it is a step of the story.
        public let isInStory: Bool
    }

    /// Whom it is about.
    public let profile: Profile
    /// The assumptions.
    public let assumptions: Assumptions
    /// How the device is made.
    public let settings: DeviceSettings
    /// What is looked for.
    public let aim: Aim
    /// The nearest situations, and those of the story.
    public let nodes: [Node]
    /// The moves between them.
    public let edges: [Edge]
    /// The shortest story; nil where what is looked for is never had.
    public let story: Story?
    /// How large the search was.
    public let extent: Extent
    /// True if everything was gone through.
    public let isComplete: Bool

    /// How many situations are left out.
    public var leftOut: Int { extent.situations - nodes.count }

    /// What somebody of `profile` can bring about in `scene`, who is after `aim` at the item in this place; no more than so many
    /// situations, but for those of the story.
    public init(
        _ scene: Scene, by profile: Profile, to aim: Aim, of item: Int = 0, showing most: Int = 300,
        assuming stated: Assumptions.Stated = .init(), limits: Limits = Limits()
    ) {
        self.profile = profile
        self.aim = aim
        settings = scene.world.device.settings
        assumptions = Assumptions(stated, else: profile.assumes)
        var search = Search(scene, [profile], assuming: assumptions, about: item, limits: limits)
        search.run()
        extent = search.extent
        isComplete = search.end == .complete

        let wanted = Facts([aim], of: item)
        func facts(_ situation: Situation) -> Facts {
            situation.facts(among: wanted, at: scene.items, for: search.actors[0], reuse: scene.reuse)
        }
        var goal = Search(
            scene, [profile], assuming: assumptions, about: item, for: wanted, limits: limits)
        goal.looksForShortest = true
        goal.run()
        let way = goal.way(to: aim, of: item)
        story = way.map { goal.story($0) }
        let steps = way.map { search.steps(of: goal.found.path(to: $0.situation)) } ?? []
        let inStory = way == nil ? [] : Set([0] + steps.map { $0.to })

        var numbers = Array(0..<min(max(1, most), search.found.count))
        numbers += inStory.filter { $0 >= numbers.count }.sorted()
        let places = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($0.element, $0.offset) })
        let teller = Story(
            scene: scene, people: [profile], item: item, assumptions: assumptions, before: [], authentication: nil,
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
                            words: teller.words(of: Story.Step(move: move, reason: .nothingNeeded, prompts: Prompts())),
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
    /// The situations that these moves lead through, one after another.
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
