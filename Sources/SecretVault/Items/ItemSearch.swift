public import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// A search for items. Every attribute that it names has to be equal; others may be anything.
public struct ItemSearch: Hashable, Sendable {
    /// The class; nil for any.
    public var itemClass: ItemClass?
    /// The values to look for, by column.
    public var attributes: [IndexColumn: AttributeValue]
    /// The access groups to look in; nil for any.
    public var groups: [String]?
    /// True if it travels; nil for either.
    public var isSynchronizable: Bool?
    /// Attributes that have no index column. They are compared in items whose class is open; a locked item is found whatever
    /// they are.
    public var others: [String: AttributeValue] = [:]
    /// When it is readable, by its class; nil for any.
    public var protection: Accessibility?
    /// When it was stored, in seconds since the first day of 2001; nil for any time.
    public var created: Double?
    /// When it was last changed.
    public var modified: Double?

    /// A search for this.
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

/// An item that a search has come upon. Nothing of it is open yet.
public struct FoundItem: Sendable {
    /// The item's identifier.
    public let id: ItemIdentifier
    /// Its class.
    public let itemClass: ItemClass
    /// Its access policy.
    public let control: AccessControl
    /// True if it fits the search. False for a locked item if the search names attributes without a column.
    public let isCertain: Bool
}

extension Store {
    /// Lends the record of every item whose class and columns a search names, in no particular order. Names are compared by
    /// their hashes, so locked items are among them.
    func eachRecord(matching search: ItemSearch, _ body: (RecordView) throws -> Void) throws {
        let columns = search.attributes.keys.sorted { $0.rawValue < $1.rawValue }
        let statement = try searcher(columns)
        defer { statement.reset() }
        statement.bind(1, Int64(search.itemClass?.number ?? 0))
        for (place, column) in columns.enumerated() {
            guard let value = search.attributes[column] else { continue }
            column.tag(value, fixed.index).withBytes { statement.bind(Int32(place) + 2, $0) }
        }
        while try statement.step() {
            let row = statement.number(0)
            guard let bytes = statement.bytes(1) else { throw VaultError.damaged(.item(row)) }
            let record = try RecordView(bytes, row: row, fixed.header)
            // The columns were believed to find it; what the header says is what counts.
            let tags = columns.isEmpty ? [] : record.columnTags
            for column in columns {
                guard let value = search.attributes[column],
                    tags.contains(where: { $0.0 == column && $0.1 == column.tag(value, fixed.index) })
                else { throw VaultError.damaged(.item(row)) }
            }
            if let itemClass = search.itemClass, record.header.itemClass != itemClass {
                throw VaultError.damaged(.item(row))
            }
            try body(record)
        }
    }

    private func searcher(_ columns: [IndexColumn]) throws -> Statement {
        if let known = searchers[columns] { return known }
        let conditions = columns.enumerated().map { " AND \($0.element.name) = ?\($0.offset + 2)" }.joined()
        let statement = try connection.prepare(
            "SELECT row, record FROM items WHERE (?1 = 0 OR class = ?1)" + conditions)
        searchers[columns] = statement
        return statement
    }
}
