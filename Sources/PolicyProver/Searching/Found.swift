/// The situations that a search has come to, each once, with how it came to it.
struct Found: Sendable {
    private(set) var keys: [Key] = []
    /// From which situation each was come to first, and by which of the moves there.
    private var origins: [(from: UInt32, move: UInt16)] = []
    /// Where the keys are, by their hash; zero for nowhere, else one more than the place.
    private var table: [UInt32]

    init(_ first: Key) {
        table = Array(repeating: 0, count: 1 << 10)
        _ = add(first, from: 0, by: 0)
    }

    var count: Int { keys.count }

    /// How many bytes it has at its disposal.
    var bytes: Int {
        keys.capacity * MemoryLayout<Key>.stride + origins.capacity * MemoryLayout<(UInt32, UInt16)>.stride
            + table.capacity * MemoryLayout<UInt32>.stride
    }

    func contains(_ key: Key) -> Bool { table[slot(of: key)] != 0 }

    /// The number of a key that it has.
    func number(of key: Key) -> Int { Int(table[slot(of: key)]) - 1 }

    /// Takes `key` in, unless it has it. Whether it had not.
    mutating func add(_ key: Key, from: UInt32, by move: UInt16) -> Bool {
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

    private func slot(of key: Key) -> Int {
        let mask = table.count - 1
        var place = Int(truncatingIfNeeded: key.mixed) & mask
        while table[place] != 0, keys[Int(table[place]) - 1] != key { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        table = Array(repeating: 0, count: table.count * 2)
        for index in keys.indices { table[slot(of: keys[index])] = UInt32(index + 1) }
    }

    /// By which moves the search came to the situation of this number, from the first on.
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
