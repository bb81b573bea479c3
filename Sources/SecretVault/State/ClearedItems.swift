/// The invalidated items that requests have found. They count as deleted, and the next write deletes them.
struct ClearedItems {
    private var versions: [ItemIdentifier: UInt64] = [:]

    var isEmpty: Bool { versions.isEmpty }

    /// Adds this version of an item.
    mutating func insert(_ header: Header) { versions[header.id] = header.version }

    /// Returns true if this version of an item counts as deleted.
    func contains(_ header: Header) -> Bool { !versions.isEmpty && versions[header.id] == header.version }

    /// Removes and returns all identifiers, with their versions.
    mutating func takeAll() -> [ItemIdentifier: UInt64] {
        defer { versions.removeAll() }
        return versions
    }

    /// Adds the items from before a transaction that was rolled back, because their deletion was rolled back with it.
    mutating func restore(_ former: Self) { versions.merge(former.versions) { $1 } }
}
