package import AccessPolicy

/// An item as a list shows it: its name and its access policy, without the rest of its attributes.
package struct ListedItem: Sendable {
    package let id: ItemIdentifier
    package let control: AccessControl
    /// True if an authentication that a session has kept may open the item.
    package let allowsReuse: Bool
    /// The text of the attribute that names the item; empty if it has none.
    package let name: String
    /// The text of the attribute with its comment; empty if it has none, or the list leaves it out.
    package let comment: String
    /// The date of storing, in seconds since the first day of 2001.
    package let created: Double
    /// The date of the last change, in seconds since the first day of 2001.
    package let modified: Double
    /// The date of its deletion, in seconds since the first day of 2001; nil for an item that is not deleted.
    package let deleted: Double?
}

/// The number of items that a list leaves out.
package struct ListCount: Hashable, Sendable {
    /// The number of items whose accessibility class is locked.
    package var locked = 0
    package var damaged = 0

    package init() {}
}
