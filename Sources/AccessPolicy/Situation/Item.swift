/// The identity of an item. The caller of the model assigns the numbers.
public struct ItemID: RawRepresentable, Hashable, Sendable {
    /// The number of the item.
    public let rawValue: UInt64

    /// Creates the identity with this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The facts about an item that a decision depends on. It holds no secret.
public struct Item: Hashable, Sendable {
    /// The access policy.
    public var control: AccessControl
    /// The binding since the item was stored; nil for an item that is not stored yet, which no request can open.
    public var binding: Binding?
    /// The access group.
    public var group: AccessGroup
    /// The identity.
    public var id: ItemID
    /// True if the item is a private key in the enclave, which apps use but never read.
    public var isKey: Bool
    /// True if the item is to sync through iCloud Keychain.
    public var isSynchronizable: Bool

    /// Creates an item with an access policy.
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
