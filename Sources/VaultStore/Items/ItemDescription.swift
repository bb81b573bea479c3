public import AccessPolicy

/// An item without its secret: class, attributes, access policy and access group.
public struct ItemDescription: Hashable, Sendable {
    /// The class.
    public var itemClass: ItemClass
    /// The attributes, by which the item is found.
    public var attributes: Attributes
    /// The access policy.
    public var control: AccessControl
    /// The access group.
    public var group: String
    /// True if the item is a private key, which operations use and no request reads.
    public var isKey: Bool
    /// True if the item is to be synchronized through iCloud Keychain.
    public var isSynchronizable: Bool
    /// True if an authentication that a session has kept may open the item. See `ReuseLimit` in AccessPolicy.
    public var allowsReuse = false

    /// Creates the description of an item.
    public init(
        _ itemClass: ItemClass, _ attributes: Attributes, _ control: AccessControl, group: String,
        isKey: Bool = false, isSynchronizable: Bool = false
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.control = control
        self.group = group
        self.isKey = isKey
        self.isSynchronizable = isSynchronizable
    }

    /// The name that lists show: the account of a password, or the label of anything else; empty if there is none.
    package var name: String {
        let attribute: AttributeName =
            switch itemClass {
            case .genericPassword, .internetPassword: .account
            case .key, .certificate, .identity: .label
            }
        return if case .string(let text) = attributes[attribute] { text } else { "" }
    }

    /// The primary key, which identifies the item.
    public var primaryKey: PrimaryKey {
        PrimaryKey(itemClass, attributes, group: group, isSynchronizable: isSynchronizable)
    }
}

/// Sizes of secrets.
public enum SecretSize: Sendable {
    /// The largest size in bytes: 64 MiB.
    public static let limit = 64 * 1024 * 1024
    /// The largest size of a secret that is stored in its row.
    package static let inRow = 4 * 1024
}
