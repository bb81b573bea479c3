internal import SodiumKit

/// The rows of a vault in a database of SQLite.
package final class SQLiteItems: ItemStore {
    private let connection: Connection
    private let beginning, committing, rollingBack: Statement
    private let byRow, otherByRow, byIdentifier, otherByIdentifier, attributesByRow, secretByRow: Statement
    private let rowExists, insertion, secretInsertion, removal, secretRemoval: Statement
    /// Statements that are prepared when they are first needed.
    private var prepared: [Purpose: Statement] = [:]

    /// A purpose of a statement.
    private enum Purpose: Hashable {
        case find(byRow: Bool, RowParts, RowTable)
        case each(RowParts, RowTable, [IndexColumn], isUntil: Bool)
        case other(String)
    }

    /// Uses the tables of a connection, which has to be laid out.
    package init(_ connection: Connection) throws {
        self.connection = connection
        beginning = try connection.prepare("BEGIN IMMEDIATE")
        committing = try connection.prepare("COMMIT")
        rollingBack = try connection.prepare("ROLLBACK")
        // A running statement cannot look anything else up. While a caller uses one record, the other statement finds
        // another.
        byRow = try connection.prepare(Self.finding(.record, in: .items, byRow: true))
        otherByRow = try connection.prepare(Self.finding(.record, in: .items, byRow: true))
        byIdentifier = try connection.prepare(Self.finding(.record, in: .items, byRow: false))
        otherByIdentifier = try connection.prepare(Self.finding(.record, in: .items, byRow: false))
        attributesByRow = try connection.prepare(Self.finding(.attributes, in: .items, byRow: true))
        secretByRow = try connection.prepare("SELECT row, secret FROM secrets WHERE row = ?")
        rowExists = try connection.prepare("SELECT 1 FROM items WHERE row = ?")
        let columns = IndexColumn.allCases.map(\.name)
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        insertion = try connection.prepare(
            "INSERT INTO items (row, class, id, record, attributes, \(columns.joined(separator: ", "))) "
                + "VALUES (?, ?, ?, ?, ?, \(places))")
        secretInsertion = try connection.prepare("INSERT INTO secrets (row, secret) VALUES (?, ?)")
        removal = try connection.prepare("DELETE FROM items WHERE row = ?")
        secretRemoval = try connection.prepare("DELETE FROM secrets WHERE row = ?")
    }

    package var version: UInt32 { connection.dataVersion }

    package var isInTransaction: Bool { connection.isInTransaction }

    // MARK: - Finding

    package func find(_ place: RowPlace, _ parts: RowParts, in table: RowTable) throws -> RowLease? {
        let statement: Statement
        var known: Int64?
        switch place {
        case .row(let row):
            statement = try finder(parts, in: table, byRow: true)
            statement.bind(1, row)
            known = row
        case .id(let id):
            statement = try finder(parts, in: table, byRow: false)
            statement.bind(1, id.bytes)
        }
        guard try statement.step() else {
            statement.reset()
            return nil
        }
        return Self.lease(statement, parts, table, row: known ?? statement.number(0), of: statement)
    }

    private func finder(_ parts: RowParts, in table: RowTable, byRow isByRow: Bool) throws -> Statement {
        if table == .items {
            if parts == .record {
                if isByRow { return byRow.isRunning ? otherByRow : byRow }
                return byIdentifier.isRunning ? otherByIdentifier : byIdentifier
            }
            if isByRow && parts == .attributes { return attributesByRow }
            if isByRow && parts == .secret { return secretByRow }
        }
        return try statement(for: .find(byRow: isByRow, parts, table)) {
            Self.finding(parts, in: table, byRow: isByRow)
        }
    }

    private static func finding(_ parts: RowParts, in table: RowTable, byRow isByRow: Bool) -> String {
        selecting(parts, in: table) + " WHERE \(isByRow ? "\(table.name).row" : "id") = ?"
    }

    /// Returns the start of a query. The number of the row comes first, and then each of the parts.
    private static func selecting(_ parts: RowParts, in table: RowTable, notIndexed: Bool = false) -> String {
        var values = ["\(table.name).row"]
        if parts.contains(.record) { values.append("record") }
        if parts.contains(.attributes) { values.append("attributes") }
        if parts.contains(.secret) { values.append("secret") }
        if table == .setAside { values.append("date") }
        return "SELECT \(values.joined(separator: ", ")) FROM \(table.name)" + (notIndexed ? " NOT INDEXED" : "")
            + (parts.contains(.secret) && table == .items ? " LEFT JOIN secrets ON secrets.row = items.row" : "")
    }

    /// Returns a lease on the row on which a statement stands.
    private static func lease(
        _ statement: Statement, _ parts: RowParts, _ table: RowTable, row: Int64, of owner: (any RowOwner)?
    ) -> RowLease {
        var place: Int32 = 0
        func next(_ part: RowParts) -> UnsafeRawBufferPointer? {
            guard parts.contains(part) else { return nil }
            place += 1
            return statement.bytes(place)
        }
        let (record, attributes, secret) = (next(.record), next(.attributes), next(.secret))
        return RowLease(
            row: row, record: record, attributes: attributes, secret: secret,
            date: table == .setAside ? statement.number(place + 1) : nil, of: owner)
    }

    package func each(
        _ search: RowSearch, _ parts: RowParts, in table: RowTable, _ body: (borrowing RowLease) throws -> Void
    ) throws {
        if search.readsAll { try connection.execute("PRAGMA cache_size = -\(Tables.smallCache)") }
        defer { if search.readsAll { try? connection.execute("PRAGMA cache_size = -\(Tables.cache)") } }
        let statement = try searcher(search, parts, table)
        bind(search, to: statement)
        defer { statement.reset() }
        while try statement.step() {
            try body(Self.lease(statement, parts, table, row: statement.number(0), of: nil))
        }
    }

    package func has(_ search: RowSearch, in table: RowTable) throws -> Bool {
        let statement = try searcher(search, [], table)
        bind(search, to: statement)
        defer { statement.reset() }
        return try statement.step()
    }

    private func bind(_ search: RowSearch, to statement: Statement) {
        statement.bind(1, Int64(search.itemClass?.number ?? 0))
        for (place, one) in search.columns.enumerated() {
            one.tag.withBytes { statement.bind(Int32(place) + 2, $0) }
        }
        if let lastDate = search.lastDate { statement.bind(Int32(search.columns.count) + 2, lastDate) }
    }

    private func searcher(_ search: RowSearch, _ parts: RowParts, _ table: RowTable) throws -> Statement {
        let columns = search.columns.map(\.column)
        return try statement(for: .each(parts, table, columns, isUntil: search.lastDate != nil)) {
            var conditions = ["(?1 = 0 OR class = ?1)"]
            for (place, column) in columns.enumerated() { conditions.append("\(column.name) = ?\(place + 2)") }
            if search.lastDate != nil { conditions.append("date <= ?\(columns.count + 2)") }
            // Without columns, every row of the table is looked at. No index stands in for it, because one could differ.
            return Self.selecting(parts, in: table, notIndexed: columns.isEmpty) + " WHERE "
                + conditions.joined(separator: " AND ")
        }
    }

    private func statement(for purpose: Purpose, _ sql: () -> String) throws -> Statement {
        if let statement = prepared[purpose] { return statement }
        let statement = try connection.prepare(sql())
        prepared[purpose] = statement
        return statement
    }

    private func statement(_ sql: String) throws -> Statement { try statement(for: .other(sql)) { sql } }

    // MARK: - Changing

    package func put(_ item: SealedItem) throws {
        rowExists.bind(1, item.row)
        guard try rowExists.firstNumber() == nil else { throw VaultError.rowTaken }
        if item.isSecretApart {
            secretInsertion.bind(1, item.row)
            secretInsertion.bind(2, item.secret)
            try secretInsertion.run()
        }
        insertion.bind(1, item.row)
        insertion.bind(2, Int64(item.itemClass.number))
        insertion.bind(3, item.id.bytes)
        insertion.bind(4, item.isSecretApart ? item.record : item.record + item.secret)
        insertion.bind(5, item.attributes)
        for (column, tag) in item.columns {
            let place = IndexColumn.places[column] ?? 0
            tag.withBytes { insertion.bind(place, $0) }
        }
        try insertion.run()
    }

    package func remove(_ row: Int64, from table: RowTable) throws {
        switch table {
        case .items:
            try run(removal, row)
            try run(secretRemoval, row)
        case .setAside: try run(statement("DELETE FROM removed WHERE row = ?"), row)
        }
    }

    package func removeAll(from table: RowTable) throws {
        switch table {
        case .items:
            try statement("DELETE FROM items").run()
            try statement("DELETE FROM secrets").run()
        case .setAside: try statement("DELETE FROM removed").run()
        }
    }

    package func setAside(_ row: Int64, at date: Int64) throws {
        let copy = try statement(
            "INSERT INTO removed (row, date, secret, \(Self.kept)) SELECT row, ?2, "
                + "(SELECT secret FROM secrets WHERE secrets.row = items.row), \(Self.kept) FROM items WHERE row = ?1")
        copy.bind(1, row)
        copy.bind(2, date)
        try copy.run()
        try remove(row, from: .items)
    }

    package func putBack(_ row: Int64) throws {
        try run(
            statement("INSERT INTO items (row, \(Self.kept)) SELECT row, \(Self.kept) FROM removed WHERE row = ?"), row)
        try run(
            statement(
                "INSERT INTO secrets (row, secret) SELECT row, secret FROM removed WHERE row = ? AND secret IS NOT NULL"
            ),
            row)
        try remove(row, from: .setAside)
    }

    /// The columns of a row that stay while it is set aside, besides its number.
    private static let kept =
        "class, id, record, attributes, " + IndexColumn.allCases.map(\.name).joined(separator: ", ")

    private func run(_ statement: Statement, _ row: Int64) throws {
        statement.bind(1, row)
        try statement.run()
    }

    // MARK: - Transactions

    package func begin(_ kind: RowTransaction) throws {
        switch kind {
        case .change: try beginning.run()
        case .largeChange:
            // Rows in random places change nearly all pages of a large database, and SQLite would otherwise write and
            // read each of them again and again.
            try connection.execute("PRAGMA cache_spill = OFF")
            keepsPages = true
            do { try beginning.run() } catch {
                endKeepingPages()
                throw error
            }
        case .look: try connection.execute("BEGIN")
        }
    }

    package func commit() throws {
        defer { endKeepingPages() }
        try committing.run()
    }

    package func rollBack() {
        // If that fails, the transaction is still open, and the next one does not begin.
        if isInTransaction { try? rollingBack.run() }
        endKeepingPages()
    }

    /// True if every page that the open transaction changes stays in memory until the commit.
    private var keepsPages = false

    private func endKeepingPages() {
        guard keepsPages, !isInTransaction else { return }
        keepsPages = false
        try? connection.execute("PRAGMA cache_spill = ON")
    }

    // MARK: - Verifying

    package func faults() throws -> [String] {
        let check = try connection.prepare("PRAGMA integrity_check(20)")
        var lines: [String] = []
        do {
            while try check.step() { lines.append(check.text(0)) }
        } catch let error as StorageError where error.isCorruption {
            lines.append(error.message)
        }
        return lines.filter { $0 != "ok" }
    }

    package func strayedSecrets() throws -> [Int64] {
        let strayed = try connection.prepare("SELECT row FROM secrets WHERE row NOT IN (SELECT row FROM items)")
        var rows: [Int64] = []
        while try strayed.step() { rows.append(strayed.number(0)) }
        return rows
    }

    package func difference(from record: RecordView) throws -> String? {
        let header = record.header
        let look = try statement(
            "SELECT class, id, \(IndexColumn.allCases.map(\.name).joined(separator: ", ")) FROM items WHERE row = ?")
        look.bind(1, header.row)
        defer { look.reset() }
        guard try look.step(), look.number(0) == Int64(header.itemClass.number), let id = look.bytes(1),
            id.elementsEqual(header.id.bytes)
        else { return "its class or its identifier differs from its header" }
        let tags = Dictionary(record.columnTags) { $1 }
        for (place, column) in IndexColumn.allCases.enumerated() {
            let stored = look.bytes(Int32(place) + 2)
            guard stored.map({ $0.count == Tag.count ? Tag($0.bytes) : Tag.none }) == tags[column] else {
                return "its column \(column.name) differs from its header"
            }
        }
        return nil
    }
}

extension Statement: RowOwner {
    func endLease() { reset() }
}

extension RowTable {
    fileprivate var name: String {
        switch self {
        case .items: "items"
        case .setAside: "removed"
        }
    }
}

extension IndexColumn {
    /// The places of the columns among the values of the `INSERT` statement.
    fileprivate static let places = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($0.element, Int32($0.offset) + 6) })
}
