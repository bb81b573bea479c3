public import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// What to look for. Every attribute named has to be the same; others may be anything.
public struct ItemSearch: Hashable, Sendable {
    /// The class; nil for any.
    public var itemClass: ItemClass?
    /// What is looked for, by the attributes that can be.
    public var attributes: [IndexColumn: AttributeValue]
    /// The access groups to look in; nil for any.
    public var groups: [String]?
    /// True if it travels; nil for either.
    public var isSynchronizable: Bool?
    /// Attributes that have no index column. They are compared in what the items' classes open; a locked item, of which
    /// nobody can tell, is come upon.
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
    /// What it is known by for life.
    public let id: ItemIdentifier
    /// Its class.
    public let itemClass: ItemClass
    /// What it demands.
    public let control: AccessControl
    /// True if it is what is looked for; nobody can tell while it is locked and attributes without a column are asked for.
    public let isCertain: Bool
}

extension Enclave {
    /// The items that a search comes upon, locked ones as well: names are compared by their hashes.
    mutating func find(_ search: ItemSearch) throws -> [FoundItem] {
        try refresh()
        let columns = search.attributes.keys.sorted { $0.rawValue < $1.rawValue }
        let statement = try store.searcher(columns)
        defer { statement.reset() }
        statement.bind(1, Int64(search.itemClass?.number ?? 0))
        for (place, column) in columns.enumerated() {
            guard let value = search.attributes[column] else { continue }
            column.tag(value, store.fixed.index).withBytes { statement.bind(Int32(place) + 2, $0) }
        }
        var wanted: [Tag]?
        if let groups = search.groups { wanted = groups.map { groupTag($0, store.fixed.index) } }
        var found: [(item: FoundItem, created: Int64, version: UInt64)] = []
        while try statement.step() {
            let row = statement.number(0)
            guard let bytes = statement.bytes(1) else { throw VaultError.damaged(.item(row)) }
            let record = try RecordView(bytes, row: row, store.fixed.header)
            let header = record.header
            // The columns were believed to find it; what the header says is what counts.
            let tags = columns.isEmpty ? [] : record.columnTags
            for column in columns {
                guard let value = search.attributes[column],
                    tags.contains(where: { $0.0 == column && $0.1 == column.tag(value, store.fixed.index) })
                else { throw VaultError.damaged(.item(row)) }
            }
            if let itemClass = search.itemClass, header.itemClass != itemClass { throw VaultError.damaged(.item(row)) }
            if let wanted, !wanted.contains(header.group) { continue }
            if let isSynchronizable = search.isSynchronizable, header.isSynchronizable != isSynchronizable { continue }
            if cleared.contains(header) { continue }
            let meets = try meets(search, record)
            if meets == false { continue }
            let item = FoundItem(
                id: header.id, itemClass: header.itemClass, control: header.control, isCertain: meets != nil)
            found.append((item, header.created, header.version))
        }
        // The rows lie by keyed hashes, in another order in every vault; what they give is the same every time: what was
        // stored first, and of the same moment what was written first.
        if found.count > 1 { found.sort { ($0.created, $0.version) < ($1.created, $1.version) } }
        return found.map(\.item)
    }
}

extension Enclave {
    /// Returns true if an item is what is looked for in what no column says; nil where it is locked, and nobody can tell.
    private func meets(_ search: ItemSearch, _ record: RecordView) throws -> Bool? {
        let header = record.header
        if let protection = search.protection, header.control.protection != protection { return false }
        if let created = search.created, ItemDate.seconds(header.created) != created { return false }
        if let modified = search.modified, ItemDate.seconds(header.modified) != modified { return false }
        if search.others.isEmpty { return true }
        // What went with its class is not there, and another class has its name now.
        if loss(of: header.item(in: .first), under: device.conditions()) == .classDestroyed { return false }
        if !device.openClasses.contains(header.control.protection.keyClass) { return nil }
        let sealed = try seals.attributes(of: record)
        return search.others.allSatisfy { name, value in sealed.attributes[name]?.isSame(as: value) == true }
    }
}

extension Store {
    func searcher(_ columns: [IndexColumn]) throws -> Statement {
        if let known = searchers[columns] { return known }
        let conditions = columns.enumerated().map { " AND \($0.element.name) = ?\($0.offset + 2)" }.joined()
        let statement = try connection.prepare(
            "SELECT row, record FROM items WHERE (?1 = 0 OR class = ?1)" + conditions)
        searchers[columns] = statement
        return statement
    }
}
