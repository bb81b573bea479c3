internal import AccessPolicy
internal import DeviceModel

/// Every situation that some people can bring about, breadth first.
///
/// It goes level by level. Each part of a level can be expanded by a task of its own; the search takes the expansions in, in the
/// order of the parts. So it finds the same in the same order with any number of tasks.
struct Search: Sendable {
    let scene: Scene
    let assumptions: Assumptions
    let actors: [Actor]
    /// Whose requests count as facts.
    private var asker: Actor { actors[0] }
    /// What is looked for; nothing where every situation is wanted.
    private(set) var wanted: Facts
    private let looksForAll: Bool
    /// True if it may end once no way that is still to be found can be as short as one that was, whatever fact it is by.
    var looksForShortest = false
    /// True if it may end with the first level at which its items are gone for good.
    var endsOnceGone = false
    /// The items that it is about.
    private let subjects: [SlotID]
    /// The item whose deletion is a move, if it is about one. Deleting changes nothing for another item, so a search that is about
    /// several makes no such moves: as the last step to an aim, deleting is a fact.
    private let deletable: [SlotID]
    /// Facts count only once this is so of the situation.
    let counts: @Sendable (Situation) -> Bool
    /// Which moves are made at all.
    private let allows: @Sendable (Move) -> Bool
    let limits: Limits
    let codec: Codec
    private(set) var found: Found
    /// Where the levels that were gone through begin, and the next.
    private var levels = [0]
    /// Where each fact was first seen to hold.
    private(set) var firsts: [(fact: Fact, place: Int, number: Int, depth: Int)] = []
    /// The first situation in which all its items are gone for good.
    private(set) var firstGone: Int?
    /// How many moves were made.
    private(set) var generated = 0
    private(set) var end: End?

    /// How a search ended.
    enum End: Hashable, Sendable {
        /// Everything looked for was found.
        case found
        /// Every situation that there is was gone through.
        case complete
        /// There were more than it had room for.
        case outOfRoom
    }

    /// Begins where the device comes to the first of `profiles`, all of whom make the moves that `allows` does.
    init(
        _ scene: Scene, _ profiles: [Profile], assuming assumptions: Assumptions, about item: Int? = nil,
        for wanted: Facts = Facts(),
        once counts: @escaping @Sendable (Situation) -> Bool = { _ in true },
        allowing allows: @escaping @Sendable (Move) -> Bool = { _ in true }, limits: Limits = Limits()
    ) {
        self.scene = scene
        self.assumptions = assumptions
        self.allows = allows
        actors = Actor.company(profiles, at: scene, assuming: assumptions)
        subjects = item.map { [scene.items[$0]] } ?? scene.items
        deletable = item == nil ? [] : subjects
        self.wanted = wanted
        looksForAll = wanted.isEmpty
        self.counts = counts
        self.limits = limits
        let beginning = scene.beginning(for: profiles[0], assuming: assumptions)
        codec = Codec(beginning, alike: actors[0].alike)
        found = Found(codec.key(beginning))
    }

    /// How many steps the longest of the shortest ways to a situation has, of those gone through.
    var depth: Int { max(0, levels.count - 2) }

    /// The situation of this number.
    func situation(_ number: Int) -> Situation { codec.situation(found.keys[number]) }

    /// All situations that it came to.
    var situations: some Sequence<Situation> { found.keys.lazy.map { codec.situation($0) } }

    // MARK: - Going through it

    /// Goes on until it has ended.
    mutating func run() {
        while end == nil {
            merge([expanded(level)])
        }
    }

    /// The level that comes next: the situations found by the one before.
    private var level: Range<Int> { levels[levels.count - 1]..<found.count }

    /// The next level, in as many parts as are worth it for so many tasks.
    func parts(at tasks: Int) -> [Range<Int>] {
        let level = level
        let wanted = min(tasks * 4, level.count / 256)
        if tasks < 2 || wanted < 2 { return [level] }
        let size = (level.count + wanted - 1) / wanted
        return stride(from: level.lowerBound, to: level.upperBound, by: size).map {
            $0..<min($0 + size, level.upperBound)
        }
    }

    /// Everything that a part of a level leads to.
    struct Expansion: Sendable {
        var facts: [(number: Int, facts: Facts)] = []
        var successors: [(key: Key, from: UInt32, move: UInt16)] = []
        var generated = 0
        var firstGone: Int?
    }

    /// Works out the expansion of a part of the next level.
    func expanded(_ part: Range<Int>) -> Expansion {
        var expansion = Expansion()
        var left = wanted
        // What is used for every move is taken out of the search once, not copied with it each time.
        let codec = codec
        let found = found
        for number in part {
            let key = found.keys[number]
            let situation = codec.situation(key)
            if !left.isEmpty, counts(situation) {
                let facts = situation.facts(among: left, at: scene.items, for: asker, reuse: scene.reuse)
                if !facts.isEmpty {
                    expansion.facts.append((number, facts))
                    left.subtract(facts)
                }
            }
            if isOver(situation) {
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

    /// Returns true if nothing of what is looked at is left, so that nothing more comes of it.
    func isOver(_ situation: Situation) -> Bool { subjects.allSatisfy { situation.isGoneForGood($0) } }

    /// Hands every move that somebody can make in `situation` to `body`, with its number and what it leads to.
    func eachMove(in situation: Situation, _ body: (Int, Move, Situation) -> Void) {
        eachMove(in: situation, where: allows, body)
    }

    /// The same with those moves of which `isMade` holds.
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

    /// Hands every move that a person might make in `situation` to `body`, with its number.
    func eachOffer(in situation: Situation, _ body: (Int, Move) -> Void) {
        var index = 0
        for place in actors.indices {
            actors[place].eachMove(in: situation, deleting: deletable) { deed in
                let isKeptFromOwner = situation.isBackupAttackers && !isAttacker(place) && deed.isRestore
                if !isKeptFromOwner { body(index, Move(actor: place, deed: deed)) }
                index += 1
            }
        }
    }

    /// True for the first of two people, who keeps the other from the item.
    private func isAttacker(_ actor: Int) -> Bool { actor == 0 && actors.count > 1 }

    /// Takes in the expansions of all parts of the next level, in their order.
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
        for place in scene.items.indices {
            for fact in Fact.allCases where facts.contains(fact, of: place) {
                firsts.append((fact, place, number, depth))
            }
        }
    }
}

/// How far a search goes.
public struct Limits: Hashable, Sendable {
    /// How many situations it may come to. Each takes about 110 bytes.
    public var situations: Int

    /// As many as fit into two thirds of a gigabyte, or so many.
    public init(situations: Int = 6_000_000) { self.situations = min(situations, Int(clamping: UInt32.max) - 1) }
}
