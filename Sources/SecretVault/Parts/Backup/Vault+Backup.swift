internal import AccessPolicy
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
        let isEncrypted = head.cost != nil
        // A device that refuses does so before the passphrase is stretched.
        let refusal: Effects? = try run { vault in
            try vault.refresh()
            var asked = vault.device
            if asked.apply(.backupTaken(encrypted: isEncrypted)).refusal == nil { return nil }
            return try vault.happen(.backupTaken(encrypted: isEncrypted), EventKeys())
        }
        if let refusal { return (refusal, ExportReport()) }
        let outer = try inVaultWords { try protection.stretched(head.salt) }
        return try run(in: context) { vault, state in
            try vault.refresh()
            let effects = try vault.happen(.backupTaken(encrypted: isEncrypted), EventKeys())
            var report = ExportReport()
            if effects.refusal != nil { return (effects, report) }
            let store = vault.store
            let keys = try BackupKeys()
            let boxes = try keys.sealed(head, under: try vault.orDevice(outer), store.fixed.backup)
            try store.items.begin(.look)
            defer { store.items.rollBack() }
            let writer = try NewFileWriter(path, calls)
            try writer.write(head.encoded + boxes.anywhere + boxes.sameDevice)
            var records = try BackupRecords(head, keys, writer)
            for row in try store.allRows() {
                try vault.ring.requireNotLockedSince()  // a lock must not leave items out: only their policies may
                do {
                    try vault.withRow(row) { vault, record in
                        let (travel, reason) = try vault.travel(of: record, isEncrypted, in: state)
                        guard let grant = reason.grant else {
                            let reason = reason.leftOut ?? .neverLeaves
                            report.leftOut[record.header.id] = reason
                            return try records.write(vault.leftBehind(record, reason))
                        }
                        let item = try vault.backupItem(record, grant, keeping: limit, in: state)
                        try records.write(item, travel)
                        report.written += 1
                        if isEncrypted && travel == .sameDevice {
                            try records.write(vault.leftBehind(record, .thisDeviceOnly))
                        }
                    }
                } catch VaultError.damaged(.item(let damaged)) {
                    report.damaged.append(damaged)  // a damaged item must not keep the others from being saved
                    try records.write(LeftBehind(.damaged))
                }
            }
            try vault.ring.requireNotLockedSince()
            try records.end()
            try writer.finish()
            return (effects, report)
        }
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
        return try bringIn(reader, under: try stretched(passphrase, for: reader))
    }

    /// Imports everything from a backup that is sealed under this device's key alone.
    public func importBackup(from path: String) throws(VaultError) -> ImportReport {
        let reader = try reader(of: path)
        return try bringIn(reader, under: try stretchedNothing(for: reader))
    }

    private func bringIn(_ reader: BackupReader, under outer: borrowing Key?) throws(VaultError) -> ImportReport {
        try run { try $0.bringIn(reader, try $0.backupKeys(reader, under: outer)) }
    }

    /// Erases this device and restores a backup onto it. If the backup is damaged, or the passphrase does not open it,
    /// nothing is erased.
    package func restore(
        from path: String, passphrase: borrowing SecureBytes
    ) throws(VaultError) -> (effects: Effects, report: ImportReport) {
        let reader = try reader(of: path)
        return try restore(reader, under: try stretched(passphrase, for: reader))
    }

    /// Erases this device and restores a backup that is sealed under this device's key alone.
    package func restore(from path: String) throws(VaultError) -> (effects: Effects, report: ImportReport) {
        let reader = try reader(of: path)
        return try restore(reader, under: try stretchedNothing(for: reader))
    }

    private func restore(
        _ reader: BackupReader, under outer: borrowing Key?
    ) throws(VaultError) -> (effects: Effects, report: ImportReport) {
        try run { vault in
            let keys = try vault.backupKeys(reader, under: outer)
            try reader.each(keys) { _ in }
            // Erasing removes the passcode, and a real vault always has one. Import its backups into a new vault instead.
            if vault.bag.isReal { throw VaultError.realVault(.passcode) }
            let effects = try vault.happen(.restoredOntoThisDevice, EventKeys())
            if effects.refusal != nil { return (effects, ImportReport()) }
            return (effects, try vault.bringIn(reader, keys))
        }
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
