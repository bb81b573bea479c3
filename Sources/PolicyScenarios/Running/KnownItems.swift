internal import SecretVault

/// What a stage knows of what is stored, by the places of the items in their scenario.
struct KnownItems {
    /// What each is known by for life, once it was stored.
    private(set) var identifiers: [ItemIdentifier?]
    /// The bytes that a read has to bring out.
    private(set) var secrets: [[UInt8]?]
    private var places: [ItemIdentifier: Int] = [:]

    init(count: Int) {
        identifiers = Array(repeating: nil, count: count)
        secrets = Array(repeating: nil, count: count)
    }

    /// Takes note that an item was stored with this secret.
    mutating func store(_ place: Int, as identifier: ItemIdentifier, _ secret: [UInt8]?) {
        if let former = identifiers[place], places[former] == place { places[former] = nil }
        identifiers[place] = identifier
        secrets[place] = secret
        places[identifier] = place
    }

    /// Takes note that these items have another secret now.
    mutating func change(_ places: [Int], to secret: [UInt8]?) {
        for place in places { secrets[place] = secret }
    }

    /// Which item is known by this; nil for one that was not declared.
    func place(of identifier: ItemIdentifier) -> Int? { places[identifier] }
}
