internal import SodiumKit

// Every row of an item is written and removed here, so that the sums always count it. A transaction is open.

extension ItemSums {
    /// Writes the row of an item.
    package mutating func insert(_ item: SealedItem, into store: Store) throws {
        try store.items.put(item)
        add(
            try Entry(
                row: item.row, version: item.version, header: item.tag, secret: item.secret.span.bytes,
                attributes: item.attributes.span.bytes, store.fixed.sum))
    }

    /// Removes the row of an item, if it is there.
    package mutating func remove(row: Int64, from store: Store) throws {
        guard let entry = try store.entry(of: row, in: .items) else { return }
        remove(entry)
        try store.items.remove(row, from: .items)
    }

    /// Removes every row.
    package mutating func removeAll(from store: Store) throws {
        try store.items.removeAll(from: .items)
        self = Self()
    }
}

extension Store {
    /// Returns the entry of a row in the sums; nil if there is no such row.
    func entry(of row: Int64, in table: RowTable) throws -> ItemSums.Entry? {
        guard let lease = try items.find(.row(row), .all, in: table) else { return nil }
        return try entry(of: lease, in: table)
    }

    /// Returns the entry of a row with all its parts in the sums.
    func entry(of lease: borrowing RowLease, in table: RowTable) throws -> ItemSums.Entry {
        try entry(of: record(of: lease), lease, in: table)
    }

    /// Returns the entry of a row in the sums, of which the record has been checked.
    package func entry(
        of record: RecordView, _ lease: borrowing RowLease, in table: RowTable
    ) throws -> ItemSums.Entry {
        let (row, isApart) = (lease.row, record.header.isSecretApart)
        // In the rows that are set aside, the secret lies in the row itself, and none lies there that the record has too.
        if table == .setAside, isApart != (lease.secret != nil) { throw VaultError.damaged(.item(row)) }
        guard let attributes = lease.attributes, let secret = isApart ? lease.secret : record.secret else {
            throw VaultError.damaged(.item(row))
        }
        return try ItemSums.Entry(
            row: row, version: record.header.version, header: record.tag, secret: secret.bytes,
            attributes: attributes.bytes, fixed.sum)
    }
}
