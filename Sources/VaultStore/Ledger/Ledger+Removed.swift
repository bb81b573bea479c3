internal import SodiumKit

// The rows of deleted items whose deletion can be undone. They are set aside unchanged, and the ledger has a sum over them,
// so that nothing comes back that the vault did not set aside. A transaction is open.

extension Ledger {
    /// Sets a row aside, with the date of its deletion. The row of an earlier deletion under the same primary key makes
    /// way.
    package mutating func setAside(row: Int64, at date: Int64, in store: Store) throws {
        guard let entry = try store.entry(of: row, in: .items) else { return }
        try forgetRemoved(row: row, in: store)
        try store.items.setAside(row, at: date)
        removed.add(entry)
        items.remove(entry)
    }

    /// Puts a row back that was set aside. There must be none in its place.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` if the rows that were set aside are not those that are there now.
    package mutating func putBack(row: Int64, in store: Store) throws {
        guard try store.sumsOfRemoved() == removed, let entry = try store.entry(of: row, in: .setAside) else {
            throw VaultError.damaged(.item(row))
        }
        try store.items.putBack(row)
        removed.remove(entry)
        items.add(entry)
    }

    /// Deletes a row that was set aside.
    package mutating func forgetRemoved(row: Int64, in store: Store) throws {
        var rest = removed
        do {
            if let entry = try store.entry(of: row, in: .setAside) { rest.remove(entry) }
        } catch VaultError.damaged {
            return try forgetAllRemoved(in: store)
        }
        try store.items.remove(row, from: .setAside)
        try keep(rest, in: store)
    }

    /// Deletes the rows that were set aside at this date or before.
    package mutating func forgetRemoved(until date: Int64, in store: Store) throws {
        var rest = removed
        var rows: [Int64] = []
        do {
            try store.items.each(RowSearch(until: date), .all, in: .setAside) { lease in
                rest.remove(try store.entry(of: lease, in: .setAside))
                rows.append(lease.row)
            }
        } catch VaultError.damaged {
            return try forgetAllRemoved(in: store)
        }
        for row in rows { try store.items.remove(row, from: .setAside) }
        try keep(rest, in: store)
    }

    /// Deletes every row that was set aside. The vault does so too if it cannot count one of them: it did not write that
    /// row, and keeps none.
    package mutating func forgetAllRemoved(in store: Store) throws {
        try store.items.removeAll(from: .setAside)
        removed = ItemSums()
    }

    private mutating func keep(_ rest: ItemSums, in store: Store) throws {
        removed = try store.items.has(RowSearch(), in: .setAside) ? rest : ItemSums()
    }
}

extension Store {
    /// Returns the sums over the rows that are set aside.
    package func sumsOfRemoved() throws -> ItemSums {
        var sums = ItemSums()
        try items.each(RowSearch(), .all, in: .setAside) { sums.add(try entry(of: $0, in: .setAside)) }
        return sums
    }

    /// Returns true if a row was set aside after this date.
    package func isRemoved(row: Int64, after date: Int64) throws -> Bool {
        guard let lease = try items.find(.row(row), [], in: .setAside) else { return false }
        return lease.date.map { $0 > date } ?? false
    }

    /// Returns true if an item has the identifier of a row that was set aside.
    package func hasOtherItem(as row: Int64) throws -> Bool {
        guard let id = try idOfRemoved(row) else { return false }
        return try items.has(.id(id))
    }

    private func idOfRemoved(_ row: Int64) throws -> ItemIdentifier? {
        guard let lease = try items.find(.row(row), .record, in: .setAside) else { return nil }
        return try record(of: lease).header.id
    }
}
