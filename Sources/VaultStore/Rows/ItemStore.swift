/// The sealed rows of a vault. A store of rows knows no key and decides nothing: it finds, keeps and removes what was sealed.
///
/// Every implementation keeps the laws of `ItemStoreTests`. A vault has its rows in ``SQLiteItems``.
package protocol ItemStore: AnyObject {
    /// A number that differs after a commit by any program. Read it while a lease is open, or right after a transaction
    /// began or ended.
    var version: UInt32 { get }
    /// True if a transaction is open. A store may roll one back by itself after an error.
    var isInTransaction: Bool { get }

    /// Returns the row at a place with some of its parts; nil if there is none.
    ///
    /// While a lease on a record is open, one other record can be found in the same way. A third one is a mistake of the
    /// caller, and ends the program.
    func find(_ place: RowPlace, _ parts: RowParts, in table: RowTable) throws -> RowLease?
    /// Calls `body` with every row that a search finds, in no particular order.
    func each(
        _ search: RowSearch, _ parts: RowParts, in table: RowTable, _ body: (borrowing RowLease) throws -> Void) throws
    /// Returns true if a search finds a row.
    func has(_ search: RowSearch, in table: RowTable) throws -> Bool

    /// Adds the row of an item.
    ///
    /// - Throws: ``VaultError/rowTaken`` if there is a row of this number.
    func put(_ item: SealedItem) throws
    /// Removes a row, if it is there.
    func remove(_ row: Int64, from table: RowTable) throws
    /// Removes every row.
    func removeAll(from table: RowTable) throws
    /// Moves the row of an item to those that are set aside, with the date of its deletion.
    func setAside(_ row: Int64, at date: Int64) throws
    /// Moves a row that was set aside back to the items. There must be none in its place.
    func putBack(_ row: Int64) throws

    /// Begins a transaction.
    func begin(_ kind: RowTransaction) throws
    /// Commits the open transaction.
    func commit() throws
    /// Rolls the open transaction back. Does nothing if there is none.
    func rollBack()

    /// Returns the inconsistencies that the store itself finds in what it has stored, in words.
    func faults() throws -> [String]
    /// Returns the numbers of stored secrets whose row is missing.
    func strayedSecrets() throws -> [Int64]
    /// Returns how the values by which the store finds a row of the items differ from its record, in words; nil if they
    /// do not.
    func difference(from record: RecordView) throws -> String?
}

/// The kind of a transaction.
package enum RowTransaction: Sendable {
    /// It changes some rows.
    case change
    /// It changes so many rows that the store should keep them in memory until the commit.
    case largeChange
    /// It changes nothing, and sees the rows as of one moment.
    case look
}

extension ItemStore {
    /// Returns true if there is a row at a place.
    package func has(_ place: RowPlace, in table: RowTable = .items) throws -> Bool {
        switch try find(place, [], in: table) {
        case .some: true
        case .none: false
        }
    }

    /// Returns the rows of the items that were written by commits after this one, in the order of the commits.
    ///
    /// A record has the number of its commit, so this reads records and no list of changes. The numbers count only once
    /// the tags of the records have been checked. A row that was removed is in no record: to follow removals, compare the
    /// numbers of all rows.
    package func changes(since commit: UInt64) throws -> [RowChange] {
        var changes: [RowChange] = []
        try each(RowSearch(readsAll: true), .record, in: .items) { lease in
            guard let record = lease.record, let version = Header.version(in: record) else {
                throw VaultError.damaged(.item(lease.row))
            }
            if version > commit { changes.append(RowChange(commit: version, row: lease.row)) }
        }
        return changes.sorted { ($0.commit, $0.row) < ($1.commit, $1.row) }
    }
}

/// A row as one commit left it.
package struct RowChange: Hashable, Sendable {
    /// The number of the commit.
    package let commit: UInt64
    package let row: Int64

    package init(commit: UInt64, row: Int64) {
        self.commit = commit
        self.row = row
    }
}
