internal import AccessPolicy
internal import DeviceModel

/// A breadth-first search of every situation that some people can bring about.
///
/// The search goes level by level. Several tasks can expand parts of a level at the same time, and the search merges
/// their expansions in the order of the parts. So it finds the same situations in the same order with any number of
/// tasks.
struct Search: Sendable {
    let scene: Scene
    let assumptions: Assumptions
    let actors: [Actor]
    /// The person whose requests count as facts.
    private var asker: Actor { actors[0] }
    /// The facts still to be found. It is empty if the search is for every situation.
    private(set) var wanted: Facts
    private let looksForAll: Bool
    /// True if the search may end once no undiscovered path can beat the shortest one found, by any of the wanted
    /// facts.
    var looksForShortest = false
    /// True if the search may end with the first level at which its items are gone for good.
    var endsOnceGone = false
    /// The items that the search is about.
    private let subjects: [SlotID]
    /// The file that the search is about, if it is about one.
    private let file: Int?
    /// The item that moves may delete, if the search is about one item.
    ///
    /// Deleting one item changes nothing for another, so a search about several items makes no such moves. If deleting
    /// is the last step to an aim, it is a fact instead of a move.
    private let deletable: [SlotID]
    /// Returns true for the situations in which facts count.
    let counts: @Sendable (Situation) -> Bool
    /// Returns true for the moves that the search makes.
    private let allows: @Sendable (Move) -> Bool
    let limits: SearchLimits
    let codec: Codec
    private(set) var found: Found
    /// The first number of each level that is done, and of the next one.
    private var levels = [0]
    /// The first situation in which each fact was found to hold.
    private(set) var firsts: [(fact: Fact, place: Int, number: Int, depth: Int)] = []
    /// The number of the first situation in which all its items are gone for good.
    private(set) var firstGone: Int?
    /// The number of moves that were made.
    private(set) var generated = 0
    private(set) var end: End?

    /// The reason why a search ended.
    enum End: Hashable, Sendable {
        /// The search found everything that it looked for.
        case found
        /// The search went through every situation.
        case complete
        /// The search met its limit.
        case outOfRoom
    }

    enum Subject: Hashable, Sendable {
        /// Every item and file.
        case all
        /// The item at this index.
        case item(Int)
        /// The file at this index.
        case file(Int)

        init(_ place: Int, of aim: Aim) { self = aim.isAboutFile ? .file(place) : .item(place) }
    }

    /// Creates a search that begins where the device comes to the first of `profiles`. All of them make the moves that
    /// `allows` accepts.
    init(
        _ scene: Scene, _ profiles: [Profile], assuming assumptions: Assumptions, about subject: Subject = .all,
        for wanted: Facts = Facts(),
        once counts: @escaping @Sendable (Situation) -> Bool = { _ in true },
        allowing allows: @escaping @Sendable (Move) -> Bool = { _ in true }, limits: SearchLimits = SearchLimits()
    ) {
        self.scene = scene
        self.assumptions = assumptions
        self.allows = allows
        actors = Actor.company(profiles, at: scene, assuming: assumptions)
        switch subject {
        case .all: (subjects, deletable, file) = (scene.items, [], nil)
        case .item(let item): (subjects, deletable, file) = ([scene.items[item]], [scene.items[item]], nil)
        case .file(let place): (subjects, deletable, file) = ([], [], place)
        }
        self.wanted = wanted
        looksForAll = wanted.isEmpty
        self.counts = counts
        self.limits = limits
        let beginning = scene.beginning(for: profiles[0], assuming: assumptions)
        codec = Codec(beginning, alike: actors[0].alike)
        found = Found(codec.key(beginning))
    }

    /// The distance of the farthest level that is done, in steps.
    var depth: Int { max(0, levels.count - 2) }

    func situation(_ number: Int) -> Situation { codec.situation(found.keys[number]) }

    /// All situations found so far.
    var situations: some Sequence<Situation> { found.keys.lazy.map { codec.situation($0) } }

    // MARK: - Running

    /// Runs the search to its end on the caller's thread.
    mutating func run() {
        while end == nil {
            merge([expanded(level)])
        }
    }

    /// The next level: the situations that the last one led to.
    private var level: Range<Int> { levels[levels.count - 1]..<found.count }

    /// Divides the next level into parts that are long enough to be worth a task each.
    func parts(at tasks: Int) -> [Range<Int>] {
        let level = level
        let wanted = min(tasks * 4, level.count / 256)
        if tasks < 2 || wanted < 2 { return [level] }
        let size = (level.count + wanted - 1) / wanted
        return stride(from: level.lowerBound, to: level.upperBound, by: size).map {
            $0..<min($0 + size, level.upperBound)
        }
    }

    /// The result of expanding a part of a level.
    struct Expansion: Sendable {
        var facts: [(number: Int, facts: Facts)] = []
        var successors: [(key: SituationKey, from: UInt32, move: UInt16)] = []
        var generated = 0
        var firstGone: Int?
    }

    /// Expands a part of the next level.
    func expanded(_ part: Range<Int>) -> Expansion {
        var expansion = Expansion()
        var left = wanted
        // Copies the properties that every move needs once, instead of reading them through `self` each time.
        let codec = codec
        let found = found
        for number in part {
            let key = found.keys[number]
            let situation = codec.situation(key)
            let conditions = situation.world.device.conditions()
            if !left.isEmpty, counts(situation) {
                let facts = situation.facts(
                    among: left, at: scene.items, for: asker, reuse: scene.reuse, under: conditions)
                if !facts.isEmpty {
                    expansion.facts.append((number, facts))
                    left.subtract(facts)
                }
            }
            if isOver(situation, under: conditions) {
                expansion.firstGone = expansion.firstGone ?? number
                continue
            }
            eachMove(in: situation) { index, _, next in
                expansion.generated += 1
                let nextKey = codec.key(next)
                if nextKey != key, !found.contains(nextKey) {
                    expansion.successors.append((nextKey, UInt32(number), UInt16(index)))
                }
            }
        }
        return expansion
    }

    /// Returns true if all items of the search are gone for good, so that no later situation matters. A search with files
    /// goes on: new ones can be created. One with an account goes on as well: items can come from there.
    func isOver(_ situation: Situation) -> Bool { isOver(situation, under: situation.world.device.conditions()) }

    private func isOver(_ situation: Situation, under conditions: Conditions) -> Bool {
        scene.files.count == 0 && scene.circles.modeled == nil
            && subjects.allSatisfy { situation.isGoneForGood($0, under: conditions) }
    }

    /// Calls `body` with every move that succeeds in `situation`, its number, and the situation that it leads to.
    func eachMove(in situation: Situation, _ body: (Int, Move, Situation) -> Void) {
        eachMove(in: situation, where: allows, body)
    }

    /// Calls `body` with the succeeding moves that satisfy `isMade`.
    func eachMove(
        in situation: Situation, where isMade: (Move) -> Bool, _ body: (Int, Move, Situation) -> Void
    ) {
        eachOffer(in: situation) { index, move in
            guard isMade(move) else { return }
            var next = situation
            guard next.perform(move.deed, by: actors[move.actor], reuse: scene.reuse) else { return }
            if case .event(.backupTaken) = move.deed { next.isBackupAttackers = isAttacker(move.actor) }
            body(index, move, next)
        }
    }

    /// Calls `body` with every move that a person might try in `situation`, and its number.
    func eachOffer(in situation: Situation, _ body: (Int, Move) -> Void) {
        var index = 0
        for place in actors.indices {
            // A closure that names `self` would copy it for each move.
            let restores = !situation.isBackupAttackers || isAttacker(place)
            actors[place].eachMove(in: situation, deleting: deletable, file, showsPrompts: !subjects.isEmpty) { deed in
                if restores || !deed.isRestore { body(index, Move(actor: place, deed: deed)) }
                index += 1
            }
        }
    }

    /// Returns true for the first of two people: the attacker, who tries to lock the other one out.
    private func isAttacker(_ actor: Int) -> Bool { actor == 0 && actors.count > 1 }

    /// Merges the expansions of all parts of the next level, in their order.
    mutating func merge(_ expansions: [Expansion]) {
        let level = level
        let depth = levels.count - 1
        for expansion in expansions {
            generated += expansion.generated
            firstGone = firstGone ?? expansion.firstGone
            for (number, facts) in expansion.facts {
                note(facts.intersection(wanted), at: number, depth)
                wanted.subtract(facts)
            }
        }
        for expansion in expansions {
            for (key, from, move) in expansion.successors where found.count < limits.situations {
                _ = found.add(key, from: from, by: move)
            }
        }
        levels.append(level.upperBound)
        if (wanted.isEmpty && !looksForAll) || isShortestFound || endsOnceGone && firstGone != nil {
            end = .found
        } else if found.count >= limits.situations {
            end = .outOfRoom
        } else if found.count == level.upperBound {
            end = .complete
        }
    }

    private var isShortestFound: Bool {
        looksForShortest && firsts.contains { $0.depth + $0.fact.steps <= levels.count - 1 }
    }

    private mutating func note(_ facts: Facts, at number: Int, _ depth: Int) {
        for place in 0..<max(scene.items.count, scene.files.count) {
            for fact in Fact.allCases where facts.contains(fact, of: place) {
                firsts.append((fact, place, number, depth))
            }
        }
    }
}

/// The limits of a search.
public struct SearchLimits: Hashable, Sendable {
    /// The greatest number of situations that a search may find. Each takes about 110 bytes.
    public var situations: Int

    /// Creates limits. The usual number of situations takes about two thirds of a gigabyte.
    public init(situations: Int = 6_000_000) { self.situations = min(situations, Int(clamping: UInt32.max) - 1) }
}
