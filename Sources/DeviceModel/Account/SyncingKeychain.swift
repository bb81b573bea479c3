public import AccessPolicy

/// The keychain of one device, as its account sees it.
///
/// It decides by itself whether an item can be opened or stored now: as for any request, by the state of its class key.
public protocol SyncingKeychain: Sendable {
    /// The place of a primary key on this device. Two items with one primary key have one place.
    associatedtype Place: Hashable & Sendable
    /// A mark that grows with each change of an item. Of two items, the one that was changed later has the greater one.
    associatedtype Mark: Comparable & Sendable
    /// An item as it travels: all that a receiving device stores.
    associatedtype Content: Sendable
    /// The name of an item in records, which also orders items that one change wrote.
    associatedtype Label: Comparable & Sendable
    /// The error of a keychain that cannot be used.
    associatedtype Failure: Error

    /// Returns every synchronizable item, in any order.
    mutating func rows() throws(Failure) -> [SyncRow<Self>]
    /// Returns the place of an item that arrives, and its name.
    mutating func place(of content: Content) throws(Failure) -> Place
    /// Returns the name of an item that travels.
    func label(of content: Content) -> Label
    /// Opens an item for sending. Returns nil while its class key is unavailable.
    mutating func content(at place: Place) throws(Failure) -> Content?
    /// Stores an item that arrives in its place, in which another may be. Returns its mark; nil while its class key is
    /// unavailable.
    mutating func put(_ content: Content) throws(Failure) -> Mark?
    /// Removes an item, in any state of the device.
    mutating func remove(at place: Place) throws(Failure)
}

/// A synchronizable item on a device, without what is sealed.
public struct SyncRow<Keychain: SyncingKeychain>: Sendable {
    /// The place of its primary key.
    public var place: Keychain.Place
    /// The mark, which changes with each change of the item.
    public var mark: Keychain.Mark
    /// The facts about the item that a decision depends on.
    public var item: Item
    /// The view of the item.
    public var view: SyncView
    /// The name of the item in records; nil while its class key is unavailable.
    public var label: Keychain.Label?
    /// True if the item is larger than a record may be.
    public var isTooLarge: Bool

    /// Creates a row.
    public init(
        place: Keychain.Place, mark: Keychain.Mark, item: Item, view: SyncView, label: Keychain.Label?,
        isTooLarge: Bool = false
    ) {
        self.place = place
        self.mark = mark
        self.item = item
        self.view = view
        self.label = label
        self.isTooLarge = isTooLarge
    }
}
