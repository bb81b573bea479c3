internal import SodiumKit

// The rows of deleted items whose deletion can be undone. They lie unchanged in a table of their own, and the ledger has a
// sum over them, so that nothing comes back that the vault did not set aside. A transaction is open.

extension Ledger {
    /// Sets a row aside, with the date of its deletion. The row of an earlier deletion under the same primary key makes
    /// way.
    package mutating func setAside(row: Int64, at date: Int64, in store: Store) throws {
        guard let entry = try store.entry(of: row) else { return }
        try forgetRemoved(row: row, in: store)
        let copy = try store.statement(
            "INSERT INTO removed (row, date, secret, \(Store.kept)) SELECT row, ?2, "
                + "(SELECT secret FROM secrets WHERE secrets.row = items.row), \(Store.kept) FROM items WHERE row = ?1")
        copy.bind(1, row)
        copy.bind(2, date)
        try copy.run()
        removed.add(entry)
        try items.remove(row: row, from: store)
    }

    /// Puts a row back that was set aside. There must be none in its place.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` if the rows that were set aside are not those that are there now.
    package mutating func putBack(row: Int64, in store: Store) throws {
        guard try store.sumsOfRemoved() == removed else { throw VaultError.damaged(.item(row)) }
        for sql in [
            "INSERT INTO items (row, \(Store.kept)) SELECT row, \(Store.kept) FROM removed WHERE row = ?",
            "INSERT INTO secrets (row, secret) SELECT row, secret FROM removed WHERE row = ? AND secret IS NOT NULL",
        ] {
            let copy = try store.statement(sql)
            copy.bind(1, row)
            try copy.run()
        }
        try forgetRemoved(row: row, in: store)
        guard let entry = try store.entry(of: row) else { throw VaultError.damaged(.item(row)) }
        items.add(entry)
    }

    /// Deletes a row that was set aside.
    package mutating func forgetRemoved(row: Int64, in store: Store) throws {
        try forgetRemoved("row = ?", row, in: store)
    }

    /// Deletes the rows that were set aside at this date or before.
    package mutating func forgetRemoved(until date: Int64, in store: Store) throws {
        try forgetRemoved("date <= ?", date, in: store)
    }

    private mutating func forgetRemoved(_ condition: String, _ value: Int64, in store: Store) throws {
        var rest = removed
        do {
            try store.eachRemoved("WHERE \(condition)", value) { rest.remove($0) }
        } catch VaultError.damaged {
            // The vault did not write a row that it cannot count, so it keeps none of them.
            return try forgetAllRemoved(in: store)
        }
        let delete = try store.statement("DELETE FROM removed WHERE \(condition)")
        delete.bind(1, value)
        try delete.run()
        removed = try store.hasRemoved() ? rest : ItemSums()
    }

    /// Deletes every row that was set aside.
    package mutating func forgetAllRemoved(in store: Store) throws {
        try store.statement("DELETE FROM removed").run()
        removed = ItemSums()
    }
}

extension Store {
    /// The columns of a row that stay while it is set aside, besides its number.
    fileprivate static let kept =
        "class, id, record, attributes, " + IndexColumn.allCases.map(\.name).joined(separator: ", ")

    /// Returns the sums over the rows that are set aside.
    package func sumsOfRemoved() throws -> ItemSums {
        var sums = ItemSums()
        try eachRemoved { sums.add($0) }
        return sums
    }

    fileprivate func eachRemoved(
        _ condition: String = "", _ value: Int64? = nil, _ body: (ItemSums.Entry) -> Void
    ) throws {
        let scan = try statement("SELECT row, record, attributes, secret FROM removed \(condition)")
        if let value { scan.bind(1, value) }
        defer { scan.reset() }
        while try scan.step() {
            let row = scan.number(0)
            guard let bytes = scan.bytes(1), let attributes = scan.bytes(2) else {
                throw VaultError.damaged(.item(row))
            }
            let record = try RecordView(bytes, row: row, fixed.header)
            let apart = scan.bytes(3)
            if record.header.isSecretApart != (apart != nil) { throw VaultError.damaged(.item(row)) }
            body(
                try ItemSums.Entry(
                    row: row, version: record.header.version, header: record.tag,
                    secret: (apart ?? record.secret).bytes, attributes: attributes.bytes, fixed.sum))
        }
    }

    /// True if a row is set aside.
    fileprivate func hasRemoved() throws -> Bool { try number(statement("SELECT 1 FROM removed LIMIT 1")) != nil }

    /// Calls `body` with the record of a row that was set aside. Returns nil if there is none.
    package func withRemoved<Result>(row: Int64, _ body: (RecordView) throws -> Result) throws -> Result? {
        let statement = try statement("SELECT record FROM removed WHERE row = ?")
        statement.bind(1, row)
        return try withBytes(statement) { try body(try RecordView($0, row: row, fixed.header)) }
    }

    /// Returns true if a row was set aside after this date.
    package func isRemoved(row: Int64, after date: Int64) throws -> Bool {
        let statement = try statement("SELECT 1 FROM removed WHERE row = ? AND date > ?")
        statement.bind(1, row)
        statement.bind(2, date)
        return try number(statement) != nil
    }

    /// Returns true if a row was set aside at this date or before.
    package func hasRemoved(until date: Int64) throws -> Bool {
        let statement = try statement("SELECT 1 FROM removed WHERE date <= ? LIMIT 1")
        statement.bind(1, date)
        return try number(statement) != nil
    }

    /// Returns true if another item has the identifier of a row that was set aside.
    package func hasOtherItem(as row: Int64) throws -> Bool {
        let statement = try statement("SELECT 1 FROM items WHERE id = (SELECT id FROM removed WHERE row = ?)")
        statement.bind(1, row)
        return try number(statement) != nil
    }
}
