/// Tells items apart; what the number means is the shell's business.
public struct ItemID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// The item with this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What deciding needs to know of an item.
public struct Item: Hashable, Sendable {
    /// What it demands.
    public var control: AccessControl
    /// What it was tied to when it was stored; nil for one that is not stored yet, which nothing releases.
    public var binding: Binding?
    /// Whose it is.
    public var group: AccessGroup
    /// Which one it is.
    public var id: ItemID
    /// True if it is a private key of the enclave, used by operations and never read.
    public var isKey: Bool
    /// True if it asks to travel through iCloud Keychain.
    public var isSynchronizable: Bool

    /// An item under this demand.
    public init(
        _ control: AccessControl, binding: Binding? = nil, group: AccessGroup = .first,
        id: ItemID = ItemID(rawValue: 0),
        isKey: Bool = false, isSynchronizable: Bool = false
    ) {
        self.control = control
        self.binding = binding
        self.group = group
        self.id = id
        self.isKey = isKey
        self.isSynchronizable = isSynchronizable
    }
}
