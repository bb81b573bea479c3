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
    /// Returns the search for rows of the class and with the columns that the search names. Columns are compared by their
    /// hashes, so it finds locked items too.
    func rows(_ indexKey: borrowing Key, readsAll: Bool = false) -> RowSearch {
        var columns: [(column: IndexColumn, tag: Tag)] = []
        for column in attributes.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            if let value = attributes[column] { columns.append((column, column.tag(value, indexKey))) }
        }
        return RowSearch(itemClass, columns, readsAll: readsAll)
    }

    /// Returns the hashes of the groups that the search names; nil for any group.
    func groupTags(_ indexKey: borrowing Key) -> [Tag]? {
        guard let groups else { return nil }
        return groups.map { groupTag($0, indexKey) }
    }

    /// Returns true if an item is in one of these groups, and is synchronizable or not as the search wants.
    func includes(_ header: Header, _ groups: [Tag]?) -> Bool {
        if let groups, !groups.contains(header.group) { return false }
        return isSynchronizable == nil || header.isSynchronizable == isSynchronizable
    }

    /// True if the search names nothing but class, columns and groups.
    var isByColumns: Bool { others.isEmpty && protection == nil && created == nil && modified == nil }
}
