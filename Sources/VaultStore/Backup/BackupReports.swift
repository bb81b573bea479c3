public import AccessPolicy
public import SodiumKit

/// The protection of a backup: a passphrase, or on a simulated device the device file alone.
public struct BackupProtection: ~Copyable, Sendable {
    package let passphrase: SecureBytes?
    /// The cost of stretching the passphrase; nil if there is none.
    package let cost: StretchCost?

    /// Creates protection by a passphrase of the backup's own. It opens items that may leave their device anywhere, and
    /// items that are bound to their device only there.
    public init(_ passphrase: consuming SecureBytes, cost: StretchCost) {
        self.passphrase = .some(passphrase)
        self.cost = cost
    }

    /// Creates protection by the device alone. The backup opens on no other device, and anyone with the device file can
    /// open it.
    public init() {
        passphrase = nil
        cost = nil
    }

    /// Throws unless the protection is enough: no passphrase may be empty, and a real vault needs one that is slow to
    /// guess.
    package borrowing func requireEnough(isReal: Bool) throws(VaultError) {
        try requireCost(cost, isReal: isReal)
        switch passphrase {
        case .some(let passphrase): if passphrase.count == 0 { throw .passcodeLength(0) }
        case .none: break
        }
    }

    /// Stretches the passphrase, which takes as long as its cost demands. Returns nil if there is none.
    package borrowing func stretched(_ salt: [UInt8]) throws(SodiumError) -> Key? {
        switch passphrase {
        case .some(let passphrase): try cost?.stretch(passphrase, salt: salt)
        case .none: nil
        }
    }
}

/// Throws unless a vault writes and imports backups of this cost; nil stands for a backup under the device alone.
///
/// A real vault writes no backup that is quick to guess. It imports none either, and none under the device alone: an
/// attacker with a copy of the device file could have written that.
package func requireCost(_ cost: StretchCost?, isReal: Bool) throws(VaultError) {
    guard isReal else { return }
    guard let cost else { throw .realVault(.passphrase) }
    guard cost.isEnoughForRealVaults else { throw .realVault(.cost) }
}

/// The result of an export.
public struct ExportReport: Hashable, Sendable {
    /// The reason why an item was left out.
    public typealias Reason = LeftBehind.Reason

    /// The number of items in the backup.
    public var written = 0
    /// The items that are not in the backup, with the reason for each.
    public var leftOut: [ItemIdentifier: Reason] = [:]
    /// The rows of damaged items, which are not in the backup either.
    public var damaged: [Int64] = []

    package init() {}
}

/// An item that a backup names, and cannot bring to another device.
public struct LeftBehind: Hashable, Sendable {
    /// The reason why it stays behind.
    public typealias Reason = LeftBehindReason

    /// The reason why it stays behind.
    public var reason: Reason
    /// The identifier; nil if the item is damaged.
    public var id: ItemIdentifier?
    /// The class; nil if the item is damaged.
    public var itemClass: ItemClass?
    /// The name that lists show; nil if it cannot be read.
    public var name: String?

    /// Creates the note about an item.
    public init(_ reason: Reason, id: ItemIdentifier? = nil, _ itemClass: ItemClass? = nil, name: String? = nil) {
        self.reason = reason
        self.id = id
        self.itemClass = itemClass
        self.name = name
    }
}

/// The result of an import.
public struct ImportReport: Hashable, Sendable {
    /// The number of items that were added.
    public var added = 0
    /// The number of items that the vault had already. They stay as they are.
    public var duplicates = 0
    /// The number of items that open only on another device.
    public var ofAnotherDevice = 0
    /// The number of items that this device cannot store in its present state.
    public var refused = 0
    /// The items that stayed behind when the backup was made, and those in it that only their own device opens.
    public var leftBehind: [LeftBehind] = []

    package init() {}
}
