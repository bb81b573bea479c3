/// Invalidated items that a request has met. They are not there any more, and the next write deletes them.
struct ClearedItems {
    private var versions: [ItemIdentifier: UInt64] = [:]

    var isEmpty: Bool { versions.isEmpty }

    /// Takes note that this version of an item is gone.
    mutating func insert(_ header: Header) { versions[header.id] = header.version }

    /// Returns true if this version of an item is gone.
    func contains(_ header: Header) -> Bool { !versions.isEmpty && versions[header.id] == header.version }

    /// Returns all of them with their versions, and forgets them.
    mutating func takeAll() -> [ItemIdentifier: UInt64] {
        defer { versions.removeAll() }
        return versions
    }

    /// Adds those of before a transaction that was rolled back. Their deletion was rolled back with it.
    mutating func restore(_ former: Self) { versions.merge(former.versions) { $1 } }
}
