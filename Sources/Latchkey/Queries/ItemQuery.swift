public import AccessPolicy
public import SecretVault

/// Which items are meant, and what of them is wanted. An empty query of a class means all of that class that belong to the
/// caller and do not travel.
public struct ItemQuery: Hashable, Sendable {
    /// Whether items are meant that ask to travel through iCloud Keychain.
    public enum Synchronizable: Hashable, Sendable {
        /// Those that do not.
        case no
        /// Those that do.
        case yes
        /// Either.
        case either
    }

    /// How many results are wanted.
    public enum Limit: Hashable, Sendable {
        /// One.
        case one
        /// So many, at most: none for zero, all for -1, and one for a number below that (semantics 3.4).
        case upTo(Int)
        /// All.
        case all
    }

    /// What is wanted of an item; nothing, to know that it is there.
    public struct Parts: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8
        /// The parts with these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The secret.
        public static let data = Parts(rawValue: 1)
        /// What is known of it.
        public static let attributes = Parts(rawValue: 2)
        /// What it is known by for life.
        public static let reference = Parts(rawValue: 4)
    }

    /// The class; nil only with a reference.
    public var itemClass: ItemClass?
    /// What has to be the same, under Apple's names.
    public var attributes: Attributes
    /// The access group to look in; nil for all of the caller's.
    public var group: String?
    /// Whether they travel.
    public var synchronizable = Synchronizable.no
    /// When they are readable, by their class; nil for any.
    public var accessible: Accessibility?
    /// One item, by what it is known by for life; it says everything by itself.
    public var reference: ItemIdentifier?
    /// How many results; nil for one where something is looked up, and for all where something is changed.
    public var limit: Limit?
    /// What is wanted of each.
    public var wanted: Parts = []

    /// Items of this class with these attributes.
    public init(_ itemClass: ItemClass, _ attributes: Attributes = [:], group: String? = nil, wanted: Parts = []) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.group = group
        self.wanted = wanted
    }

    /// One item.
    public init(_ reference: ItemIdentifier, wanted: Parts = []) {
        self.reference = reference
        self.wanted = wanted
        attributes = [:]
    }
}

extension ItemQuery {
    /// Throws where it cannot be understood, whatever is to become of what it finds.
    func requireMeaning() throws(RequestError) {
        if let itemClass {
            _ = try attributes.converted(for: itemClass)
        } else if reference == nil {
            throw .noClass
        }
    }

    /// What the vault looks for; nil where a reference says which one.
    func search(for requester: Requester) throws(RequestError) -> ItemSearch? {
        if reference != nil {
            let saysMore = !attributes.values.isEmpty || group != nil || accessible != nil || synchronizable != .no
            if saysMore { throw .referenceWithMore }
            return nil
        }
        guard let itemClass else { throw .noClass }
        var search = ItemSearch(itemClass)
        for (name, value) in try attributes.converted(for: itemClass).values {
            if name == "cdat", case .date(let date) = value {
                search.created = date
            } else if name == "mdat", case .date(let date) = value {
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

    var count: Int {
        switch limit {
        case nil, .one: 1
        case .upTo(-1): .max
        case .upTo(let count): count < 0 ? 1 : count
        case .all: .max
        }
    }

    /// The item that is meant most likely, where the query says all that apps tell items apart by and nothing else, and it can
    /// lie in one group only: it is looked up before anything is searched for.
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
