public import AccessPolicy
public import SodiumKit

/// The changes that an update makes to an item, except for its secret. A property that is nil changes nothing.
public struct ItemChanges: Hashable, Sendable {
    /// Attributes that replace all others.
    public var attributes: Attributes?
    /// Attributes that are added or replaced while the others stay.
    public var merging = Attributes()
    /// The new access policy. The item is bound to the present enrolled set and passcode.
    public var control: AccessControl?
    /// The new access group.
    public var group: String?
    /// True if the item is to be synchronizable.
    public var isSynchronizable: Bool?
    /// True if an authentication that a session has kept may open the item.
    public var allowsReuse: Bool?
    /// The new creation date, in seconds since the first day of 2001. The modification date cannot be set.
    public var created: Double?

    /// Creates changes.
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

/// The change that an update makes to a secret.
public enum SecretChange: ~Copyable, Sendable {
    /// The secret stays.
    case keep
    /// The secret is replaced.
    case replace(SecureBytes)
    /// The secret is removed, and the item stays.
    case remove
    /// One part of the secret is changed.
    case edit(SecretEdit)
}

extension SecretChange {
    /// True if the change makes a former version the present one.
    var restoresVersion: Bool {
        borrowing get {
            switch self {
            case .edit(let edit): edit.restoresVersion
            case .replace: false
            case .keep: false
            case .remove: false
            }
        }
    }

    /// The number of bytes that the change brings.
    var count: Int {
        borrowing get {
            switch self {
            case .replace(let bytes): bytes.count
            case .edit(let edit): edit.count
            case .keep: 0
            case .remove: 0
            }
        }
    }
}
