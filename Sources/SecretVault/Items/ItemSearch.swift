public import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// A search for items. An item matches if all attributes that the search names are equal.
public struct ItemSearch: Hashable, Sendable {
    /// The class of the items; nil for any.
    public var itemClass: ItemClass?
    /// The values of attributes that have a column.
    public var attributes: [IndexColumn: AttributeValue]
    /// The access groups of the items; nil for any.
    public var groups: [String]?
    /// True for synchronizable items, false for the others, nil for both.
    public var isSynchronizable: Bool?
    /// The values of attributes that have no column. They are compared only in items whose class is open. A locked item
    /// matches with any values, see ``FoundItem/isCertain``.
    public var others: [String: AttributeValue] = [:]
    /// The accessibility class; nil for any.
    public var protection: Accessibility?
    /// The date of storing, in seconds since the first day of 2001; nil for any.
    public var created: Double?
    /// The date of the last change, in seconds since the first day of 2001; nil for any.
    public var modified: Double?

    /// Creates a search.
    public init(
        _ itemClass: ItemClass? = nil, _ attributes: [IndexColumn: AttributeValue] = [:], groups: [String]? = nil,
        isSynchronizable: Bool? = nil
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.groups = groups
        self.isSynchronizable = isSynchronizable
    }
}

/// An item that a search has found. No part of it has been decrypted for the result.
public struct FoundItem: Sendable {
    /// The identifier of the item.
    public let id: ItemIdentifier
    /// The class of the item.
    public let itemClass: ItemClass
    /// The access policy of the item.
    public let control: AccessControl
    /// True if the item matches the search. False if it may not: it is locked, and the search names attributes without
    /// a column.
    public let isCertain: Bool
}

extension ItemSearch {
    /// The columns that are compared, in a fixed order.
    var columns: [IndexColumn] { attributes.keys.sorted { $0.rawValue < $1.rawValue } }

    /// The condition in SQL. Its first value is the class, and those of the columns follow.
    var condition: String {
        "(?1 = 0 OR class = ?1)" + columns.enumerated().map { " AND \($0.element.name) = ?\($0.offset + 2)" }.joined()
    }

    /// True if the search names nothing but class, columns and groups.
    var isByColumns: Bool { others.isEmpty && protection == nil && created == nil && modified == nil }
}

extension Store {
    /// Calls `body` with the record of every item that has the class and columns of a search, in no particular order.
    /// Columns are compared by their hashes, so locked items are included.
    ///
    /// The statement begins with row and record, and ends with the search's ``ItemSearch/condition``.
    func eachRecord(
        matching search: ItemSearch, by statement: Statement, _ body: (RecordView) throws -> Void
    ) throws {
        defer { statement.reset() }
        statement.bind(1, Int64(search.itemClass?.number ?? 0))
        var wanted: [(column: IndexColumn, tag: Tag)] = []
        for column in search.columns {
            if let value = search.attributes[column] { wanted.append((column, column.tag(value, fixed.index))) }
        }
        for (place, one) in wanted.enumerated() {
            one.tag.withBytes { statement.bind(Int32(place) + 2, $0) }
        }
        while try statement.step() {
            let row = statement.number(0)
            guard let bytes = statement.bytes(1) else { throw VaultError.damaged(.item(row)) }
            let record = try RecordView(bytes, row: row, fixed.header)
            // The columns found the row, but only the header is protected by a tag. If the two differ, the row is
            // damaged.
            for one in wanted where !record.hasTag(one.tag, in: one.column) { throw VaultError.damaged(.item(row)) }
            if let itemClass = search.itemClass, record.header.itemClass != itemClass {
                throw VaultError.damaged(.item(row))
            }
            try body(record)
        }
    }

    /// Calls `body` with the record of every item that has the class and columns of a search.
    func eachRecord(matching search: ItemSearch, _ body: (RecordView) throws -> Void) throws {
        try eachRecord(matching: search, by: try searcher(search), body)
    }

    private func searcher(_ search: ItemSearch) throws -> Statement {
        let columns = search.columns
        if let known = searchers[columns] { return known }
        let statement = try connection.prepare("SELECT row, record FROM items WHERE " + search.condition)
        searchers[columns] = statement
        return statement
    }
}
