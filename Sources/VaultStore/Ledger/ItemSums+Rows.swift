internal import SodiumKit

// Every row of an item is written and deleted here, so that the sums always count it. A transaction is open.

extension ItemSums {
    /// Writes the row of an item.
    package mutating func insert(_ item: SealedItem, into store: Store) throws {
        store.rowExists.bind(1, item.row)
        guard try store.number(store.rowExists) == nil else { throw VaultError.rowTaken }
        if item.isSecretApart {
            store.writeSecret.bind(1, item.row)
            store.writeSecret.bind(2, item.secret)
            try store.writeSecret.run()
        }
        let insert = store.insert
        insert.bind(1, item.row)
        insert.bind(2, Int64(item.itemClass.number))
        insert.bind(3, item.id.bytes)
        insert.bind(4, item.isSecretApart ? item.record : item.record + item.secret)
        insert.bind(5, item.attributes)
        for (column, tag) in item.columns {
            let place = IndexColumn.places[column] ?? 0
            tag.withBytes { insert.bind(place, $0) }
        }
        try insert.run()
        add(
            try Entry(
                row: item.row, version: item.version, header: item.tag, secret: item.secret.span.bytes,
                attributes: item.attributes.span.bytes, store.fixed.sum))
    }

    package mutating func remove(row: Int64, from store: Store) throws {
        guard let entry = try store.entry(of: row) else { return }
        remove(entry)
        for statement in [store.delete, store.deleteSecret] {
            statement.bind(1, row)
            try statement.run()
        }
    }

    /// Deletes every row.
    package mutating func removeAll(from store: Store) throws {
        try store.deleteAll.run()
        try store.deleteAllSecrets.run()
        self = Self()
    }
}

extension Store {
    /// Returns the entry of a row in the sums; nil if there is no such row.
    package func entry(of row: Int64) throws -> ItemSums.Entry? {
        rowToRemove.bind(1, row)
        defer { rowToRemove.reset() }
        guard try rowToRemove.step() else { return nil }
        guard let bytes = rowToRemove.bytes(1) else { throw VaultError.damaged(.item(row)) }
        return try entry(of: try RecordView(bytes, row: row, fixed.header))
    }

    package func entry(of record: RecordView) throws -> ItemSums.Entry {
        let row = record.header.row
        let entry: ItemSums.Entry?? = try withSealedAttributes(row) { attributes in
            if !record.header.isSecretApart {
                return try ItemSums.Entry(
                    row: row, version: record.header.version, header: record.tag, secret: record.secret.bytes,
                    attributes: attributes.bytes, fixed.sum)
            }
            readSecret.bind(1, row)
            return try withBytes(readSecret) { secret in
                try ItemSums.Entry(
                    row: row, version: record.header.version, header: record.tag, secret: secret.bytes,
                    attributes: attributes.bytes, fixed.sum)
            }
        }
        guard case .some(.some(let entry)) = entry else { throw VaultError.damaged(.item(row)) }
        return entry
    }

    private func withSealedAttributes<Result>(
        _ row: Int64, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
        readAttributes.bind(1, row)
        return try withBytes(readAttributes, body)
    }
}

extension IndexColumn {
    /// The places of the columns among the values of the `INSERT` statement.
    fileprivate static let places = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($0.element, Int32($0.offset) + 6) })
}
