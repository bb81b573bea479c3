/// A reference to an item, by its primary key or its identifier.
public enum ItemReference: Hashable, Sendable {
    /// The item with this primary key.
    case key(PrimaryKey)
    /// The item with this identifier.
    case id(ItemIdentifier)
    /// A private key that is kept outside the vault, sealed by it. It can be used and nothing else.
    case sealed(SealedKey)
}

/// A stored item without its secret. It can be read while its accessibility class is open.
public struct StoredItem: Hashable, Sendable {
    /// The identifier of the item.
    public let id: ItemIdentifier
    /// The description of the item.
    public let description: ItemDescription
    /// The date of storing, in seconds since the first day of 2001.
    public let created: Double
    /// The date of the last change, in seconds since the first day of 2001.
    public let modified: Double
}
