public import AccessPolicy

/// An item without its secret: what it is, what it is found by, and what it demands.
public struct ItemDescription: Hashable, Sendable {
    /// The class.
    public var itemClass: ItemClass
    /// What it is found by, and what else is known of it.
    public var attributes: Attributes
    /// What it demands.
    public var control: AccessControl
    /// Whose it is.
    public var group: String
    /// True if it is a private key, used by operations and never read.
    public var isKey: Bool
    /// True if it asks to travel through iCloud Keychain.
    public var isSynchronizable: Bool

    /// An item of this class.
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

    /// Which item it is.
    public var primaryKey: PrimaryKey {
        PrimaryKey(itemClass, attributes, group: group, isSynchronizable: isSynchronizable)
    }
}

/// How large a secret may be.
public enum SecretSize: Sendable {
    /// 64 MiB.
    public static let limit = 64 * 1024 * 1024
    /// 16 MiB: the most that the first format of a row holds.
    static let first = 16 * 1024 * 1024
    /// Up to here it lies in the row.
    static let inRow = 4 * 1024
}
