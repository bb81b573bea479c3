public import DeviceModel
package import LinuxSystem
public import SodiumKit
internal import Synchronization

extension Vault {
    /// Writes what may leave the device into a new file at `path`, which only its owner may read where the file system knows
    /// owners.
    ///
    /// On a device of Apple's, and on a simulated one, nothing that asks for a proof is taken along. A real vault takes what
    /// the passcode alone opens, if `context` holds it. What is left out is named; nothing is, when the effects say that the
    /// device refused.
    public func export(
        to path: String, _ protection: borrowing BackupProtection, in context: VaultContext? = nil
    ) throws(VaultError) -> (effects: Effects, report: ExportReport) {
        try export(to: path, protection, in: context, placing: NewFile.Calls())
    }

    /// Exports with other calls into the system, for tests in which these fail.
    package func export(
        to path: String, _ protection: borrowing BackupProtection, in context: VaultContext? = nil,
        placing calls: NewFile.Calls
    ) throws(VaultError) -> (effects: Effects, report: ExportReport) {
        try protection.requireEnough(isReal: kind == .real)
        let head = BackupHead(cost: protection.cost)
        if let refusal = try run({ try $0.refusalOfBackup(isEncrypted: head.cost != nil) }) {
            return (refusal, ExportReport())
        }
        let outer = try inVaultWords { try protection.stretched(head.salt) }
        return try run(in: context) { try $0.export(to: path, head, under: outer, in: $1, calls) }
    }

    /// Throws where no backup can be written to `path`: something is there already, or its folder takes no file. To be asked
    /// before anybody types a passphrase for it. Nothing is left behind.
    public static func requireBackupCanBeWritten(to path: String) throws(VaultError) {
        do { _ = try BackupWriter(path) } catch { throw inOurWords(error, path) }
    }

    /// Returns what checking a passphrase for the backup at `path` costs; nil for one that lies under a device alone and takes
    /// no passphrase. The backup says so itself, and anybody may have written it: tell the user before it is spent. Throws
    /// where this vault takes in no backup of that cost, and for what is no backup.
    public func cost(ofBackupAt path: String) throws(VaultError) -> StretchCost? { try reader(of: path).head.cost }

    /// Brings in what a backup holds: all of it or nothing. What is there already stays.
    ///
    /// A real vault takes in no backup that costs less than one of its own, or that lies under a device alone.
    public func importBackup(
        from path: String, passphrase: borrowing SecureBytes
    ) throws(VaultError) -> ImportReport {
        let reader = try reader(of: path)
        let outer = try stretched(passphrase, for: reader)
        return try run { try $0.importBackup(reader, under: outer) }
    }

    /// Brings in what a backup holds that is sealed under this device alone.
    public func importBackup(from path: String) throws(VaultError) -> ImportReport {
        let reader = try reader(of: path)
        let outer = try stretchedNothing(for: reader)
        return try run { try $0.importBackup(reader, under: outer) }
    }

    /// Puts a backup onto this device, which erases it first. A backup that is damaged, or that the passphrase does not open,
    /// erases nothing.
    package func restore(
        from path: String, passphrase: borrowing SecureBytes
    ) throws(VaultError) -> (effects: Effects, report: ImportReport) {
        let reader = try reader(of: path)
        let outer = try stretched(passphrase, for: reader)
        return try run { try $0.restore(reader, under: outer) }
    }

    /// The same for a backup that is sealed under this device alone.
    package func restore(from path: String) throws(VaultError) -> (effects: Effects, report: ImportReport) {
        let reader = try reader(of: path)
        let outer = try stretchedNothing(for: reader)
        return try run { try $0.restore(reader, under: outer) }
    }

    /// One at a time for the whole process: several backups that ask for much at once must not take the memory together.
    private static let stretching = Turn()

    private func reader(of path: String) throws(VaultError) -> BackupReader {
        let reader = try inVaultWords { try BackupReader(path) }
        try requireCost(reader.head.cost, isReal: kind == .real)
        return reader
    }

    /// What a passphrase stretches to, as the backup asks for; nil where it lies under a device alone. It takes as long as the
    /// backup says, and keeps nobody waiting meanwhile.
    private func stretched(
        _ passphrase: borrowing SecureBytes, for reader: BackupReader
    ) throws(VaultError) -> Key? {
        guard let cost = reader.head.cost else { return nil }
        return try inVaultWords { try Self.stretching.held { try cost.stretch(passphrase, salt: reader.head.salt) } }
    }

    /// Nothing, where the backup needs no passphrase.
    private func stretchedNothing(for reader: BackupReader) throws(VaultError) -> Key? {
        if reader.head.cost != nil { throw .wrongPassphrase(reader.path) }
        return nil
    }
}

/// Work that only one thread at a time may do.
private final class Turn: Sendable {
    private let mutex = Mutex(())

    func held<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        var result: Result?
        try mutex.withLock { _ in result = .some(try body()) }
        switch consume result {
        case .some(let result): return result
        case .none: preconditionFailure("the body has given a result or thrown")
        }
    }
}
