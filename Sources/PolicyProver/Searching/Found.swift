/// The situations that a search has found, each once, with the move that led to it first.
struct Found: Sendable {
    private(set) var keys: [SituationKey] = []
    /// For each situation, the situation from which the search first found it and the number of the move there.
    private var origins: [(from: UInt32, move: UInt16)] = []
    /// The hash table: zero for an empty place, otherwise one more than the index of the key.
    private var table: [UInt32]

    init(_ first: SituationKey) {
        table = Array(repeating: 0, count: 1 << 10)
        _ = add(first, from: 0, by: 0)
    }

    var count: Int { keys.count }

    /// The number of bytes that its storage takes.
    var bytes: Int {
        keys.capacity * MemoryLayout<SituationKey>.stride + origins.capacity * MemoryLayout<(UInt32, UInt16)>.stride
            + table.capacity * MemoryLayout<UInt32>.stride
    }

    func contains(_ key: SituationKey) -> Bool { table[slot(of: key)] != 0 }

    /// Returns the number of `key`, which must be in the set.
    func number(of key: SituationKey) -> Int { Int(table[slot(of: key)]) - 1 }

    /// Adds `key`, and returns true if it was new.
    mutating func add(_ key: SituationKey, from: UInt32, by move: UInt16) -> Bool {
        var place = slot(of: key)
        if table[place] != 0 { return false }
        if keys.count * 2 >= table.count {
            grow()
            place = slot(of: key)
        }
        keys.append(key)
        origins.append((from, move))
        table[place] = UInt32(keys.count)
        return true
    }

    private func slot(of key: SituationKey) -> Int {
        let mask = table.count - 1
        var place = Int(truncatingIfNeeded: key.mixed) & mask
        while table[place] != 0, keys[Int(table[place]) - 1] != key { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        table = Array(repeating: 0, count: table.count * 2)
        for index in keys.indices { table[slot(of: keys[index])] = UInt32(index + 1) }
    }

    /// Returns the moves by which the search found the situation with this number, from the beginning on.
    func path(to number: Int) -> [Int] {
        var moves: [Int] = []
        var at = number
        while at != 0 {
            moves.append(Int(origins[at].move))
            at = Int(origins[at].from)
        }
        return moves.reversed()
    }
}
