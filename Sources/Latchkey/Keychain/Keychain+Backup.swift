internal import AccessPolicy
internal import DeviceModel
public import SecretVault
public import SodiumKit

extension Keychain {
    /// Writes a backup of the items that may leave the device to a new file, encrypted under `passphrase`.
    ///
    /// The user is asked for the passcode first. The backup includes items that the passcode alone can open; the report
    /// names the ones left out. If no file can be written to `path`, the call throws before it prompts.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - passphrase: The passphrase.
    ///   - limit: The former versions of secrets that the backup contains; nil for all that are stored.
    ///   - requester: The program that asks.
    ///   - context: The context of the prompt; nil for a new one.
    /// - Throws: ``KeychainError/vault(_:)`` if the file cannot be written, ``KeychainError/denied(_:)`` if the user
    ///   does not authenticate, and ``KeychainError/refused(_:)`` if the device refuses to make a backup now.
    public func backUp(
        to path: String, under passphrase: consuming SecureBytes, keeping limit: HistoryLimit? = nil,
        by requester: Requester? = nil,
        in context: KeychainContext? = nil
    ) throws(KeychainError) -> ExportReport {
        do { try Vault.requireBackupCanBeWritten(to: path) } catch { throw .vault(error) }
        let context = try self.context(or: context)
        try requirePasscode(in: context, by: requester, because: "make a backup")
        let protection = BackupProtection(passphrase, cost: .ofBackups)
        let (effects, report) = try onVault(
            vault.export(to: path, protection, keeping: limit, in: context.vaultContext))
        if let refusal = effects.refusal { throw .refused(refusal) }
        return report
    }

    /// Throws unless the file at `path` is a whole backup that this vault can import. It asks for nothing.
    ///
    /// - Throws: ``KeychainError/vault(_:)`` with the reason.
    public func requireBackup(at path: String) throws(KeychainError) {
        try onVault(vault.requireBackup(at: path))
    }

    /// Returns the cost of checking a passphrase for the backup at `path`; nil if the backup needs none.
    ///
    /// - Throws: ``KeychainError/vault(_:)`` if the file is no backup or this vault cannot import it.
    public func cost(ofBackupAt path: String) throws(KeychainError) -> StretchCost? {
        try onVault(vault.cost(ofBackupAt: path))
    }

    /// Imports the items of a backup, either all of them or none. Items that exist already stay as they are. The user
    /// is asked for the passcode.
    ///
    /// - Throws: ``KeychainError/vault(_:)`` if the backup cannot be read or the passphrase is wrong, and
    ///   ``KeychainError/denied(_:)`` if the user does not authenticate.
    public func importBackup(
        at path: String, under passphrase: borrowing SecureBytes, by requester: Requester? = nil,
        in context: KeychainContext? = nil
    ) throws(KeychainError) -> ImportReport {
        _ = try cost(ofBackupAt: path)
        try requirePasscode(in: try self.context(or: context), by: requester, because: "import a backup")
        return try onVault(vault.importBackup(from: path, passphrase: passphrase))
    }

    /// Checks everything that is stored, and reports what is damaged, missing or older than it was.
    public func verify() throws(KeychainError) -> VerifyReport {
        try onVault(vault.verify())
    }

    private func context(or given: KeychainContext?) throws(KeychainError) -> KeychainContext {
        if let given { return given }
        return try makeContext()
    }

    /// Throws unless the passcode is authenticated in `context`. The user is asked for it if necessary.
    package func requirePasscode(
        in context: KeychainContext, by requester: Requester? = nil, because reason: String? = nil
    ) throws(KeychainError) {
        try context.evaluate(
            AccessControl(.whenUnlocked, allowed: .devicePasscode), for: .readData, by: requester, because: reason)
    }
}

extension StretchCost {
    /// The cost of guessing the passphrase of a backup that a keychain writes.
    package static let ofBackups = StretchCost.moderate
}
