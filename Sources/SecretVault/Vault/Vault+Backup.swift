public import DeviceModel
package import LinuxSystem
public import SodiumKit
internal import Synchronization

extension Vault {
    /// Writes a backup of the vault to a new file at `path`. If the file system has owners, only the owner can read the
    /// file.
    ///
    /// On an Apple device and on a simulated one, a backup leaves out every item that needs authentication. A backup of
    /// a real vault includes the items that the passcode alone opens, if `context` holds the passcode. The report names
    /// what was left out. If the effects say that the device refused, the report is empty.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - protection: The protection of the backup.
    ///   - limit: The former versions of secrets that the backup contains; nil for all that are stored.
    ///   - context: The context that holds the passcode, if there is one.
    /// - Throws: ``VaultError`` if the protection is too weak for a real vault, or the file cannot be written.
    public func export(
        to path: String, _ protection: borrowing BackupProtection, keeping limit: HistoryLimit? = nil,
        in context: VaultContext? = nil
    ) throws(VaultError) -> (effects: Effects, report: ExportReport) {
        try export(to: path, protection, keeping: limit, in: context, placing: NewFile.Calls())
    }

    /// Writes a backup with other calls into the system, so that tests can make these fail.
    package func export(
        to path: String, _ protection: borrowing BackupProtection, keeping limit: HistoryLimit? = nil,
        in context: VaultContext? = nil, placing calls: NewFile.Calls
    ) throws(VaultError) -> (effects: Effects, report: ExportReport) {
        try protection.requireEnough(isReal: kind == .real)
        let head = BackupHead(cost: protection.cost)
        if let refusal = try run({ try $0.refusalOfBackup(isEncrypted: head.cost != nil) }) {
            return (refusal, ExportReport())
        }
        let outer = try inVaultWords { try protection.stretched(head.salt) }
        return try run(in: context) { try $0.export(to: path, head, under: outer, keeping: limit, in: $1, calls) }
    }

    /// Throws if no backup can be written to `path`, because something is there already or its folder accepts no file.
    /// Call this before you ask the user for a passphrase. It leaves nothing behind.
    public static func requireBackupCanBeWritten(to path: String) throws(VaultError) {
        do { _ = try NewFileWriter(path) } catch { throw inOurWords(error, path) }
    }

    /// Throws unless the file at `path` is a whole backup that this vault accepts. Call this before you ask the user for a
    /// passphrase. Only the passphrase shows whether the file was changed.
    ///
    /// - Throws: ``VaultError`` if the file is not a backup, was cut off, or this vault accepts none of its cost.
    public func requireBackup(at path: String) throws(VaultError) {
        let reader = try reader(of: path)
        try inVaultWords { try reader.requireAllRecords() }
    }

    /// Returns the cost of checking a passphrase for the backup at `path`; nil for a backup under a device's key alone,
    /// which needs no passphrase.
    ///
    /// The backup itself states the cost, and any program may have written it. Tell the user before you spend it.
    ///
    /// - Throws: ``VaultError`` if this vault accepts no backup of that cost, or the file is not a backup.
    public func cost(ofBackupAt path: String) throws(VaultError) -> StretchCost? { try reader(of: path).head.cost }

    /// Imports everything from a backup, or nothing if that fails. Items that are in the vault already stay as they
    /// are.
    ///
    /// A real vault refuses a backup that costs less than *moderate* to check, or one under a device's key alone.
    ///
    /// - Throws: ``VaultError/wrongPassphrase(_:)`` if the passphrase is wrong, or another ``VaultError`` if the backup
    ///   is damaged or refused.
    public func importBackup(
        from path: String, passphrase: borrowing SecureBytes
    ) throws(VaultError) -> ImportReport {
        let reader = try reader(of: path)
        let outer = try stretched(passphrase, for: reader)
        return try run { try $0.importBackup(reader, under: outer) }
    }

    /// Imports everything from a backup that is sealed under this device's key alone.
    public func importBackup(from path: String) throws(VaultError) -> ImportReport {
        let reader = try reader(of: path)
        let outer = try stretchedNothing(for: reader)
        return try run { try $0.importBackup(reader, under: outer) }
    }

    /// Erases this device and restores a backup onto it. If the backup is damaged, or the passphrase does not open it,
    /// nothing is erased.
    package func restore(
        from path: String, passphrase: borrowing SecureBytes
    ) throws(VaultError) -> (effects: Effects, report: ImportReport) {
        let reader = try reader(of: path)
        let outer = try stretched(passphrase, for: reader)
        return try run { try $0.restore(reader, under: outer) }
    }

    /// Erases this device and restores a backup that is sealed under this device's key alone.
    package func restore(from path: String) throws(VaultError) -> (effects: Effects, report: ImportReport) {
        let reader = try reader(of: path)
        let outer = try stretchedNothing(for: reader)
        return try run { try $0.restore(reader, under: outer) }
    }

    /// Lets the process stretch one passphrase at a time. Otherwise several expensive backups could take its memory
    /// together.
    private static let stretching = Turn()

    private func reader(of path: String) throws(VaultError) -> BackupReader {
        let reader = try inVaultWords { try BackupReader(path) }
        try requireCost(reader.head.cost, isReal: kind == .real)
        return reader
    }

    /// Stretches a passphrase at the cost that the backup states. Returns nil for a backup under a device's key alone.
    /// The vault is free for other requests meanwhile.
    private func stretched(
        _ passphrase: borrowing SecureBytes, for reader: BackupReader
    ) throws(VaultError) -> Key? {
        guard let cost = reader.head.cost else { return nil }
        return try inVaultWords { try Self.stretching.held { try cost.stretch(passphrase, salt: reader.head.salt) } }
    }

    /// Returns nil if the backup needs no passphrase, and throws if it needs one.
    private func stretchedNothing(for reader: BackupReader) throws(VaultError) -> Key? {
        if reader.head.cost != nil { throw .wrongPassphrase(reader.path) }
        return nil
    }
}

/// A turn that only one thread at a time can have.
private final class Turn: Sendable {
    private let mutex = Mutex(())

    func held<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        var result: Result?
        try mutex.withLock { _ in result = .some(try body()) }
        switch consume result {
        case .some(let result): return result
        case .none: preconditionFailure("the body must return a result or throw")
        }
    }
}
