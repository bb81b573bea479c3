public import AccessPolicy
public import SodiumKit

/// What an update changes of an item besides its secret. What is nil stays.
public struct ItemChanges: Hashable, Sendable {
    /// All attributes anew.
    public var attributes: Attributes?
    /// Attributes that become these while the others stay.
    public var merging = Attributes()
    /// Another demand; the item is bound anew to what there is.
    public var control: AccessControl?
    /// Another access group.
    public var group: String?
    /// True if it asks to travel.
    public var isSynchronizable: Bool?
    /// When it is said to have been stored, in seconds since the first day of 2001; when it was changed is not to be said.
    public var created: Double?

    /// These changes.
    public init(
        attributes: Attributes? = nil, control: AccessControl? = nil, group: String? = nil,
        isSynchronizable: Bool? = nil
    ) {
        self.attributes = attributes
        self.control = control
        self.group = group
        self.isSynchronizable = isSynchronizable
    }
}

/// What an update does to the secret.
public enum SecretChange: ~Copyable, Sendable {
    /// It stays.
    case keep
    /// It becomes another.
    case replace(SecureBytes)
    /// It goes; the item stays.
    case remove
}
