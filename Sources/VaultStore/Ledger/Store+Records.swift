internal import SodiumKit

extension Store {
    /// Returns the record of a row, valid until the lease ends. Its tag is checked.
    package func record(of lease: borrowing RowLease) throws -> RecordView {
        guard let bytes = lease.record else { throw VaultError.damaged(.item(lease.row)) }
        return try RecordView(bytes, row: lease.row, fixed.header)
    }

    /// Calls `body` with the record of every row that a search finds, in no particular order, and with the other parts that
    /// are wanted.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` for a row that is not what the vault wrote.
    package func eachRecord(
        _ search: RowSearch, and parts: RowParts = [], in table: RowTable = .items,
        _ body: (RecordView, borrowing RowLease) throws -> Void
    ) throws {
        try items.each(search, parts.union(.record), in: table) { lease in
            let record = try self.record(of: lease)
            // The columns found the row, but only the header is protected by a tag. If the two differ, the row is
            // damaged.
            for one in search.columns where !record.hasTag(one.tag, in: one.column) {
                throw VaultError.damaged(.item(lease.row))
            }
            if let itemClass = search.itemClass, record.header.itemClass != itemClass {
                throw VaultError.damaged(.item(lease.row))
            }
            try body(record, lease)
        }
    }

    /// Returns the numbers of all rows, in order.
    package func allRows() throws -> [Int64] {
        var rows: [Int64] = []
        try items.each(RowSearch(), [], in: .items) { rows.append($0.row) }
        return rows.sorted()
    }
}
