internal import AccessPolicy
internal import DeviceModel

/// A search for the situations from which the owner can still reach an aim, moving alone after an attacker.
struct Recovery: Sendable {
    private let search: Search
    private let wanted: Facts
    private let owner: Int
    /// The situations of the first search with the owner's own time, and all that the owner reaches from them.
    private(set) var found: Found
    /// For each situation of the first search, its number in `found`.
    private var starts: [Int] = []
    /// For each situation, whether the owner can reach the aim from it.
    private var isMarked: [Bool] = []
    /// The number of moves that were made.
    private(set) var generated = 0
    /// True if there were more situations than the limit allows.
    private(set) var isOutOfRoom = false

    init(_ search: Search, first count: Int, _ aim: Aim, of item: Int) {
        self.search = search
        wanted = Facts([aim], of: item)
        owner = search.actors.count - 1
        found = Found(Self.carriedOver(0, of: search))
        for number in 0..<count {
            let key = Self.carriedOver(number, of: search)
            _ = found.add(key, from: 0, by: 0)
            starts.append(found.number(of: key))
        }
    }

    private static func carriedOver(_ number: Int, of search: Search) -> SituationKey {
        let key = search.found.keys[number]
        let time = search.actors[search.actors.count - 1].profile.timeLimit
        if time == nil, search.actors[0].profile.timeLimit == nil { return key }
        var situation = search.codec.situation(key)
        situation.timeLeft = time
        return search.codec.key(situation)
    }

    /// Returns true if the owner can reach the aim from the situation with this number in the first search.
    func succeeds(from number: Int) -> Bool { isMarked[starts[number]] }

    mutating func run() {
        var origins: [(to: Int, from: Int)] = []
        let fresh = lookAtAll(&origins)
        mark(fresh, &origins)
    }

    /// Marks the situations in which the owner reaches the aim at once, tries every move in the others, and returns the
    /// marked ones.
    private mutating func lookAtAll(_ origins: inout [(to: Int, from: Int)]) -> [Int] {
        var fresh: [Int] = []
        var number = 0
        while number < found.count {
            let situation = search.codec.situation(found.keys[number])
            let facts = situation.facts(
                among: wanted, at: search.scene.items, for: search.actors[owner], reuse: search.scene.reuse)
            isMarked.append(!facts.isEmpty)
            if !facts.isEmpty {
                fresh.append(number)
            } else if !search.isOver(situation) {
                var next: [(key: SituationKey, move: UInt16)] = []
                search.eachMove(in: situation, where: { $0.actor == owner }) { index, _, situation in
                    next.append((search.codec.key(situation), UInt16(index)))
                }
                generated += next.count
                for (key, move) in next {
                    if !found.contains(key), found.count < search.limits.situations {
                        _ = found.add(key, from: UInt32(number), by: move)
                    }
                    if found.contains(key) {
                        origins.append((found.number(of: key), number))
                    } else {
                        isOutOfRoom = true
                    }
                }
            }
            number += 1
        }
        return fresh
    }

    /// Marks every situation from which a chain of moves leads to one of `fresh`.
    private mutating func mark(_ fresh: [Int], _ origins: inout [(to: Int, from: Int)]) {
        var fresh = fresh
        origins.sort { $0.to < $1.to }
        while let number = fresh.popLast() {
            var at = origins.partitioningIndex { $0.to >= number }
            while at < origins.count, origins[at].to == number {
                let from = origins[at].from
                if !isMarked[from] {
                    isMarked[from] = true
                    fresh.append(from)
                }
                at += 1
            }
        }
    }
}

extension Array {
    /// Returns the first index at which `holds` is true. It must be true at every later index as well.
    fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
