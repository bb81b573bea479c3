public import SodiumKit

/// What a backup is sealed under, besides keys of its own.
public struct BackupProtection: ~Copyable, Sendable {
    let passphrase: SecureBytes?
    /// Nil where there is no passphrase.
    let cost: StretchCost?

    /// A passphrase of the backup's own. What may leave the device opens with it anywhere.
    public init(_ passphrase: consuming SecureBytes, cost: StretchCost) {
        self.passphrase = .some(passphrase)
        self.cost = cost
    }

    /// The device alone: the backup opens nowhere else, and anybody can open it here who has the device file.
    public init() {
        passphrase = nil
        cost = nil
    }

    /// Throws unless this is enough: a real vault takes a passphrase that costs something to guess, and none is empty.
    borrowing func requireEnough(isReal: Bool) throws(VaultError) {
        try requireCost(cost, isReal: isReal)
        switch passphrase {
        case .some(let passphrase): if passphrase.count == 0 { throw .passcodeLength(0) }
        case .none: break
        }
    }

    /// Stretches the passphrase, which takes as long as the cost says. Returns nil if there is none.
    borrowing func stretched(_ salt: [UInt8]) throws(SodiumError) -> Key? {
        switch passphrase {
        case .some(let passphrase): try cost?.stretch(passphrase, salt: salt)
        case .none: nil
        }
    }
}

/// Throws unless a vault takes a backup of this cost; nil is one that lies under the device alone. A real vault makes none that
/// a guess could open or that whoever has a copy of its device file could make, and so takes none in.
func requireCost(_ cost: StretchCost?, isReal: Bool) throws(VaultError) {
    guard isReal else { return }
    guard let cost else { throw .realVault(.passphrase) }
    guard cost.isEnoughForRealVaults else { throw .realVault(.cost) }
}

/// What became of an export.
public struct ExportReport: Hashable, Sendable {
    /// Why an item was left out.
    public enum Reason: String, Hashable, Sendable {
        /// It never leaves: a private key, or one that goes with the passcode.
        case neverLeaves = "it never leaves this device"
        /// It asks for a proof that nobody gave.
        case asksForAuthentication = "it asks for a proof that was not given"
        /// It is lost.
        case lost = "it is lost: nothing opens it any more"
    }

    /// How many items are in the backup.
    public var written = 0
    /// What is not, and why.
    public var leftOut: [ItemIdentifier: Reason] = [:]
    /// The rows that are damaged, and so are not in it either.
    public var damaged: [Int64] = []
}

/// What became of an import.
public struct ImportReport: Hashable, Sendable {
    /// How many items came in.
    public var added = 0
    /// How many were there already, and stay as they are.
    public var duplicates = 0
    /// How many belong to another device.
    public var ofAnotherDevice = 0
    /// How many this device cannot store as it is.
    public var refused = 0
}
