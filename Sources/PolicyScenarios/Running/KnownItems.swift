internal import SecretVault

/// A stage's record of the stored items, by their index in the scenario.
struct KnownItems {
    /// The identifier that each item keeps for life, or nil if it was never stored.
    private(set) var identifiers: [ItemIdentifier?]
    /// The secret that a read of each item has to return.
    private(set) var secrets: [[UInt8]?]
    private var places: [ItemIdentifier: Int] = [:]

    init(count: Int) {
        identifiers = Array(repeating: nil, count: count)
        secrets = Array(repeating: nil, count: count)
    }

    /// Records that the item at this index was stored with this secret.
    mutating func store(_ place: Int, as identifier: ItemIdentifier, _ secret: [UInt8]?) {
        if let former = identifiers[place], places[former] == place { places[former] = nil }
        identifiers[place] = identifier
        secrets[place] = secret
        places[identifier] = place
    }

    /// Records that the items at these indices have another secret now.
    mutating func change(_ places: [Int], to secret: [UInt8]?) {
        for place in places { secrets[place] = secret }
    }

    /// Returns the index of the item with this identifier, or nil if the scenario declares no such item.
    func place(of identifier: ItemIdentifier) -> Int? { places[identifier] }
}
