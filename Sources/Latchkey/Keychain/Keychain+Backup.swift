internal import AccessPolicy
internal import DeviceModel
public import SecretVault
public import SodiumKit

extension Keychain {
    /// Writes what may leave the device into a new file at `path`, sealed under this passphrase. The user is asked for the
    /// passcode, and what that alone may read is taken along; what is left out is named. Where nothing can be written to
    /// `path`, nobody is asked.
    public func backUp(
        to path: String, under passphrase: consuming SecureBytes, by requester: Requester? = nil,
        in context: KeychainContext? = nil
    ) throws(KeychainError) -> ExportReport {
        do { try Vault.requireBackupCanBeWritten(to: path) } catch { throw .vault(error) }
        let context = try self.context(or: context)
        try requirePasscode(in: context, by: requester, because: "make a backup")
        let protection = BackupProtection(passphrase, cost: .ofBackups)
        let (effects, report) = try onVault { (vault) throws(VaultError) in
            try vault.export(to: path, protection, in: context.vaultContext)
        }
        if let refusal = effects.refusal { throw .refused(refusal) }
        return report
    }

    /// Returns what checking a passphrase for the backup at `path` costs; nil where it needs none. Throws where this vault takes
    /// in no such backup, and for what is none.
    public func cost(ofBackupAt path: String) throws(KeychainError) -> StretchCost? {
        try onVault { (vault) throws(VaultError) in try vault.cost(ofBackupAt: path) }
    }

    /// Brings in what a backup holds: all of it or nothing. What is there already stays. The user is asked for the passcode.
    public func importBackup(
        at path: String, under passphrase: borrowing SecureBytes, by requester: Requester? = nil,
        in context: KeychainContext? = nil
    ) throws(KeychainError) -> ImportReport {
        _ = try cost(ofBackupAt: path)
        try requirePasscode(in: try self.context(or: context), by: requester, because: "take in a backup")
        return try onVault { (vault) throws(VaultError) in
            try vault.importBackup(from: path, passphrase: passphrase)
        }
    }

    /// Looks at everything that is stored, and names what is damaged, missing or older than it was.
    public func verify() throws(KeychainError) -> VerifyReport {
        try onVault { (vault) throws(VaultError) in try vault.verify() }
    }

    private func context(or given: KeychainContext?) throws(KeychainError) -> KeychainContext {
        if let given { return given }
        return try makeContext()
    }

    /// Throws unless the passcode is proved in `context`, for which the user is asked where it is not yet.
    package func requirePasscode(
        in context: KeychainContext, by requester: Requester? = nil, because reason: String? = nil
    ) throws(KeychainError) {
        guard let control = try? AccessControl(protection: .whenUnlocked, flags: .devicePasscode) else { return }
        try context.evaluate(control, for: .readData, by: requester, because: reason)
    }
}

extension StretchCost {
    /// The cost of guessing the passphrase of a backup that a keychain writes.
    package static let ofBackups = StretchCost.moderate
}
