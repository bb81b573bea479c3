public import AccessPolicy
public import SecretVault

/// A query for items, and the parts of them to return.
///
/// A query that names only a class matches every item of that class which belongs to the caller and does not sync.
public struct ItemQuery: Hashable, Sendable {
    /// A filter for items that sync through iCloud Keychain.
    public enum Synchronizable: Hashable, Sendable {
        /// Items that do not sync.
        case no
        /// Items that sync.
        case yes
        /// Items of both kinds.
        case either
    }

    /// The number of results to return.
    public enum Limit: Hashable, Sendable {
        /// One result.
        case one
        /// At most this many results. Zero means none, -1 means all, and any smaller number means one (semantics 3.4).
        case upTo(Int)
        /// All results.
        case all
    }

    /// The parts of an item to return. An empty set only checks that the item exists.
    public struct Parts: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8
        /// Creates the set with these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The secret.
        public static let data = Parts(rawValue: 1)
        /// The attributes.
        public static let attributes = Parts(rawValue: 2)
        /// The persistent reference.
        public static let reference = Parts(rawValue: 4)
    }

    /// The item class; nil only with a reference.
    public var itemClass: ItemClass?
    /// The attributes that items have to match, under Apple's names.
    public var attributes: Attributes
    /// The access group to search; nil for all of the caller's.
    public var group: String?
    /// The filter for items that sync.
    public var synchronizable = Synchronizable.no
    /// The accessibility class that items have to match; nil for any.
    public var accessible: Accessibility?
    /// The persistent reference of one item. A query with a reference has no other condition but a class.
    public var reference: ItemIdentifier?
    /// The number of results. Without a limit, a search returns one item, and an update or deletion applies to all.
    public var limit: Limit?
    /// The parts of each item to return.
    public var wanted: Parts = []

    /// Creates a query for items of this class with these attributes.
    public init(_ itemClass: ItemClass, _ attributes: Attributes = [:], group: String? = nil, wanted: Parts = []) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.group = group
        self.wanted = wanted
    }

    /// Creates a query for the item with this persistent reference.
    public init(_ reference: ItemIdentifier, wanted: Parts = []) {
        self.reference = reference
        self.wanted = wanted
        attributes = [:]
    }
}

extension ItemQuery {
    /// Throws if the query makes no sense, whatever call it is for.
    func requireMeaning() throws(ItemRequestError) {
        if let itemClass {
            _ = try attributes.converted(for: itemClass)
        } else if reference == nil {
            throw .noClass
        }
    }

    /// Returns the search that the vault runs; nil if the query has a reference.
    func search(for requester: Requester) throws(ItemRequestError) -> ItemSearch? {
        if reference != nil {
            let saysMore = !attributes.values.isEmpty || group != nil || accessible != nil || synchronizable != .no
            if saysMore { throw .referenceWithMore }
            return nil
        }
        guard let itemClass else { throw .noClass }
        var search = ItemSearch(itemClass)
        for (name, value) in try attributes.converted(for: itemClass).values {
            if name == AttributeName.creationDate.rawValue, case .date(let date) = value {
                search.created = date
            } else if name == AttributeName.modificationDate.rawValue, case .date(let date) = value {
                search.modified = date
            } else if let column = IndexColumn(name: name) {
                search.attributes[column] = value
            } else {
                search.others[name] = value
            }
        }
        search.groups = group.map { [$0] } ?? requester.groups
        search.protection = accessible
        search.isSynchronizable =
            switch synchronizable {
            case .no: false
            case .yes: true
            case .either: nil
            }
        return search
    }

    /// The largest number of results.
    package var count: Int {
        switch limit {
        case nil, .one: 1
        case .upTo(-1): .max
        case .upTo(let count): count < 0 ? 1 : count
        case .all: .max
        }
    }

    /// Returns the item that the query most likely means, so that the vault can look it up before it searches.
    ///
    /// The query has to name every unique attribute of its class and nothing else, and only one group can hold the
    /// item.
    func named(for requester: Requester) -> (item: ItemReference, itemClass: ItemClass)? {
        guard let itemClass, reference == nil, accessible == nil, synchronizable != .either,
            attributes.values.count == itemClass.uniqueAttributes.count,
            itemClass.uniqueAttributes.allSatisfy({ attributes[$0] != nil }),
            let group = group ?? (requester.groups.count == 1 ? requester.groups.first : nil),
            let attributes = try? attributes.converted(for: itemClass)
        else { return nil }
        let key = PrimaryKey(itemClass, attributes, group: group, isSynchronizable: synchronizable == .yes)
        return (.key(key), itemClass)
    }
}
