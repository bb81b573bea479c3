package import SodiumKit

/// The place that keeps the secrets which a Secret Service serves.
///
/// The service calls what only looks on the thread of the bus, so it has to return at once. It calls everything else, which may
/// prompt and wait for the user, on threads of its own.
package protocol SecretStore: AnyObject, Sendable {
    // MARK: - Looking

    /// All collections, the default one first.
    var collections: [SecretCollection] { get }
    /// The collections that have another name, such as `default`.
    var aliases: [String: CollectionID] { get }
    /// Returns the items of a collection.
    func items(in collection: CollectionID) -> [SecretItem]
    /// Returns an item; nil if there is none.
    func item(_ id: ShelfItemID) -> SecretItem?
    /// Returns the items that have all these attributes, in one collection or in all.
    func search(_ attributes: [String: String], in collection: CollectionID?) -> [ShelfItemID]
    /// Returns true if a caller has to unlock an item before it gets the secret.
    func isLocked(_ item: ShelfItemID, for caller: SecretCaller) -> Bool
    /// Returns true if nothing in a collection can be read or stored before it is unlocked.
    func isLocked(_ collection: CollectionID) -> Bool

    // MARK: - Asking

    /// Unlocks collections and items for a caller, with as few prompts as possible. A grant for an item counts for this
    /// caller alone, and for a few seconds. Returns those that are unlocked then.
    func unlock(_ objects: [ShelfObject], for caller: SecretCaller, _ asking: CallLifetime) throws(SecretFault)
        -> [ShelfObject]
    /// Locks collections and items. It never waits.
    func lock(_ objects: [ShelfObject], for caller: SecretCaller) throws(SecretFault)
    /// Returns the secrets of items. An item whose secret the caller does not get is left out.
    func secrets(of items: [ShelfItemID], for caller: SecretCaller, _ asking: CallLifetime) throws(SecretFault)
        -> [HandedSecret]

    // MARK: - Changing

    /// Creates a collection, and gives it an alias unless `alias` is empty. If the alias has a collection, returns that.
    func createCollection(
        _ label: String, alias: String, for caller: SecretCaller, _ asking: CallLifetime
    ) throws(SecretFault) -> CollectionID
    /// Deletes a collection and all items in it.
    func delete(_ collection: CollectionID, for caller: SecretCaller, _ asking: CallLifetime) throws(SecretFault)
    /// Gives an alias to a collection; takes it away from all if `collection` is nil.
    func setAlias(_ alias: String, to collection: CollectionID?) throws(SecretFault)
    /// Renames a collection.
    func setLabel(_ label: String, of collection: CollectionID, for caller: SecretCaller) throws(SecretFault)
    /// Stores an item. If `replaces` is true and an item of the collection has exactly these attributes, that one gets the
    /// new secret and label.
    func create(
        _ item: consuming NewSecretItem, in collection: CollectionID, replaces: Bool, for caller: SecretCaller,
        _ asking: CallLifetime
    ) throws(SecretFault) -> ShelfItemID
    /// Gives an item another secret.
    func setSecret(
        _ secret: consuming SecureBytes, contentType: String, of item: ShelfItemID, for caller: SecretCaller,
        _ asking: CallLifetime
    ) throws(SecretFault)
    /// Gives an item other attributes, or another label. Nil leaves what there is.
    func change(
        _ item: ShelfItemID, attributes: [String: String]?, label: String?, for caller: SecretCaller
    ) throws(SecretFault)
    /// Deletes an item.
    func delete(_ item: ShelfItemID, for caller: SecretCaller, _ asking: CallLifetime) throws(SecretFault)

    /// Calls a closure, on any thread, after each change of what the store shows.
    func whenChanged(_ body: @escaping @Sendable (ShelfChange) -> Void)
    /// Notes that a caller has left the bus: its grants end.
    func forget(_ caller: SecretCaller)
}

/// A name of letters, digits and underscores, as the path of an object on the bus has it.
package struct CollectionID: Hashable, Sendable {
    package let name: String

    /// Creates an identifier. Returns nil if the name is empty or has another character.
    package init?(_ name: String) {
        let isSound = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
        }
        guard isSound, !name.isEmpty else { return nil }
        self.name = name
    }
}

/// The place of an item: its collection, and a name of the same kind in that.
package struct ShelfItemID: Hashable, Sendable {
    package let collection: CollectionID
    /// The name in the collection.
    package let name: String

    /// Creates an identifier. Returns nil if the name is empty or has a character that the path of an object cannot have.
    package init?(_ name: String, in collection: CollectionID) {
        guard CollectionID(name) != nil else { return nil }
        (self.collection, self.name) = (collection, name)
    }
}

/// A collection, or an item.
package enum ShelfObject: Hashable, Sendable {
    case collection(CollectionID)
    case item(ShelfItemID)
}

/// The part of a collection that every program may see.
package struct SecretCollection: Hashable, Sendable {
    package var id: CollectionID
    /// The name that people see.
    package var label: String
    /// The time of its creation, in seconds since 1970.
    package var created: UInt64
    /// The time of its last change, in seconds since 1970.
    package var modified: UInt64

    package init(id: CollectionID, label: String, created: UInt64, modified: UInt64) {
        (self.id, self.label, self.created, self.modified) = (id, label, created, modified)
    }
}

/// The part of an item that every program may see.
package struct SecretItem: Hashable, Sendable {
    package var id: ShelfItemID
    /// The name that people see.
    package var label: String
    /// The attributes by which programs find it. The specification says that they are no secrets.
    package var attributes: [String: String]
    /// The time of its creation, in seconds since 1970.
    package var created: UInt64
    /// The time of its last change, in seconds since 1970.
    package var modified: UInt64

    package init(id: ShelfItemID, label: String, attributes: [String: String], created: UInt64, modified: UInt64) {
        (self.id, self.label, self.attributes, self.created, self.modified) = (id, label, attributes, created, modified)
    }
}

/// An item to store.
package struct NewSecretItem: ~Copyable, Sendable {
    /// The name that people see.
    package var label: String
    /// The attributes by which programs find it.
    package var attributes: [String: String]
    package var secret: SecureBytes
    /// The kind of content of the secret, such as `text/plain`.
    package var contentType: String

    package init(label: String, attributes: [String: String], secret: consuming SecureBytes, contentType: String) {
        self.label = label
        self.attributes = attributes
        self.secret = secret
        self.contentType = contentType
    }
}

/// A secret that a caller gets. The bytes are wiped with the last reference.
package final class HandedSecret: Sendable {
    package let item: ShelfItemID
    package let bytes: SecureBytes
    package let contentType: String

    package init(_ item: ShelfItemID, _ bytes: consuming SecureBytes, contentType: String) {
        self.item = item
        self.bytes = bytes
        self.contentType = contentType
    }
}

/// A program on the bus.
package struct SecretCaller: Hashable, Sendable {
    /// The name that the bus gave to its connection, such as `:1.42`. No other connection ever gets it.
    package let connection: String
    /// The number of its process, as the bus tells it; 0 if it does not. It helps the user, and decides nothing.
    package let process: Int32

    package init(connection: String, process: Int32) {
        (self.connection, self.process) = (connection, process)
    }
}

/// A change of what a store shows.
package enum ShelfChange: Hashable, Sendable {
    case collectionCreated(CollectionID)
    /// A collection has another label, or was locked or unlocked.
    case collectionChanged(CollectionID)
    /// A collection is gone, with all items in it.
    case collectionDeleted(CollectionID)
    case itemCreated(ShelfItemID)
    /// An item has another secret, label or attributes.
    case itemChanged(ShelfItemID)
    case itemDeleted(ShelfItemID)
}
