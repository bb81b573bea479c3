internal import AccessPolicy
internal import AgentProtocol
internal import SecretService
internal import SecretVault

/// All that the Secret Service shows, in memory: a look takes no vault and no file.
struct Shelves: Sendable {
    /// One shown item.
    struct Entry: Hashable, Sendable {
        /// The record; a derived one if the secret was stored by the command.
        var record: SecretRecord
        var collection: CollectionID
        var secret: ItemIdentifier
        var control: AccessControl
        /// The time of the last change, in seconds since 1970.
        var modified: Int64
        /// True if the record is stored.
        var isStored: Bool

        /// The place on the bus; nil if the record is damaged.
        var id: ShelfItemID? { ShelfItemID(record.object, in: collection) }

        /// The item as anyone may see it; nil if the record is damaged.
        var shown: SecretItem? {
            id.map {
                SecretItem(
                    id: $0, label: record.label, attributes: record.attributes, created: UInt64(max(0, record.created)),
                    modified: UInt64(max(0, modified)))
            }
        }
    }

    /// One shown collection.
    struct Shelf: Hashable, Sendable {
        var record: CollectionRecord
        var id: CollectionID
        var modified: Int64
        /// True if the record is stored.
        var isStored: Bool

        var shown: SecretCollection {
            SecretCollection(
                id: id, label: record.label, created: UInt64(max(0, record.created)), modified: UInt64(max(0, modified))
            )
        }
    }

    /// The collections, the default one first.
    private(set) var shelves: [Shelf] = []
    private var entries: [ShelfItemID: Entry] = [:]
    /// The items that have an attribute, by a hash of its name and its value. A search compares the texts afterwards.
    private var places: [Int: [ShelfItemID]] = [:]
    /// The names of all secrets that can be read now.
    private(set) var names: Set<String> = []
    /// False while what a locked vault hides may be missing.
    private(set) var isComplete = false

    /// The folder of the default collection.
    static let usualFolder = "login"
    /// The default collection before a program has stored something, and while a locked vault hides it.
    private static let usualShelf: Shelf? = CollectionID(usualFolder).map { id in
        Shelf(
            record: CollectionRecord(object: usualFolder, folder: usualFolder, label: usualFolder, created: 0), id: id,
            modified: 0, isStored: false)
    }
    /// The alias of the default collection.
    static let usualAlias = "default"

    init() {}

    /// Creates an index of these collections. `isComplete` is true if the vault was unlocked while they were read.
    init(_ shelves: [Shelf], names: Set<String>, isComplete: Bool) {
        (self.shelves, self.names, self.isComplete) = (shelves, names, isComplete)
        arrange()
    }

    /// Adds the default collection if it is missing, and puts it first.
    private mutating func arrange() {
        if !shelves.contains(where: { $0.record.folder == Self.usualFolder }), let usual = Self.usualShelf {
            shelves.insert(usual, at: 0)
        }
        let first =
            shelves.firstIndex { $0.record.aliases.contains(Self.usualAlias) }
            ?? shelves.firstIndex { $0.record.folder == Self.usualFolder }
        if let first, first > 0 { shelves.insert(shelves.remove(at: first), at: 0) }
    }

    // MARK: - Looking

    func entry(_ id: ShelfItemID) -> Entry? { entries[id] }

    func shelf(_ id: CollectionID) -> Shelf? { shelves.first { $0.id == id } }

    /// The items of a collection, by their labels.
    func items(in collection: CollectionID) -> [Entry] {
        entries.values.filter { $0.collection == collection }.sorted {
            ($0.record.label, $0.record.object) < ($1.record.label, $1.record.object)
        }
    }

    var all: [Entry] { Array(entries.values) }

    /// Returns the items that have all these attributes, the latest first, because many clients take the first one.
    func search(_ attributes: [String: String], in collection: CollectionID?) -> [Entry] {
        var candidates: [ShelfItemID]?
        for (name, value) in attributes {
            let found = places[Self.place(name, value)] ?? []
            if found.count < candidates?.count ?? .max { candidates = found }
        }
        let found = (candidates ?? Array(entries.keys)).compactMap { entries[$0] }.filter { entry in
            (collection == nil || entry.collection == collection)
                && attributes.allSatisfy { entry.record.attributes[$0.key] == $0.value }
        }
        return found.sorted { ($0.modified, $0.record.object) > ($1.modified, $1.record.object) }
    }

    // MARK: - Changing

    /// Removes all that a locked vault hides.
    mutating func hide() {
        for shelf in shelves where shelf.record.isHidden { remove(shelf.id) }
        (isComplete, names) = (false, [])
        arrange()
    }

    mutating func insert(_ entry: Entry) {
        guard let id = entry.id else { return }
        remove(id)
        entries[id] = entry
        names.insert(entry.record.name)
        for (name, value) in entry.record.attributes { places[Self.place(name, value), default: []].append(id) }
    }

    /// Notes that a name is taken.
    mutating func note(_ name: String) { names.insert(name) }

    /// Removes an item. Its name can be used again.
    mutating func remove(_ id: ShelfItemID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        names.remove(entry.record.name)
        for (name, value) in entry.record.attributes {
            let place = Self.place(name, value)
            places[place]?.removeAll { $0 == id }
            if places[place]?.isEmpty == true { places[place] = nil }
        }
    }

    mutating func insert(_ shelf: Shelf) {
        if let place = shelves.firstIndex(where: { $0.id == shelf.id }) {
            shelves[place] = shelf
        } else {
            shelves.append(shelf)
        }
        arrange()
    }

    mutating func remove(_ collection: CollectionID) {
        for entry in items(in: collection) { if let id = entry.id { remove(id) } }
        shelves.removeAll { $0.id == collection }
    }

    private static func place(_ name: String, _ value: String) -> Int {
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(value)
        return hasher.finalize()
    }

    // MARK: - Changes

    func changes(since former: Shelves) -> [ShelfChange] {
        var changes: [ShelfChange] = []
        let before = Dictionary(former.shelves.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for shelf in shelves where before[shelf.id] == nil { changes.append(.collectionCreated(shelf.id)) }
        for (id, entry) in former.entries where entries[id] == nil && shelf(entry.collection) != nil {
            changes.append(.itemDeleted(id))
        }
        for (id, entry) in entries {
            if let other = former.entries[id] {
                if other != entry { changes.append(.itemChanged(id)) }
            } else {
                changes.append(.itemCreated(id))
            }
        }
        for shelf in former.shelves where self.shelf(shelf.id) == nil { changes.append(.collectionDeleted(shelf.id)) }
        for shelf in shelves {
            if let former = before[shelf.id], former.record != shelf.record {
                changes.append(.collectionChanged(shelf.id))
            }
        }
        return changes
    }
}
