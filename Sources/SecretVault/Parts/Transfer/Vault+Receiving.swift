internal import AccessPolicy
internal import Glibc
package import SodiumKit

extension Vault {
    /// A vault that has come from another machine.
    package struct Received: Sendable {
        /// The vault, locked.
        package let vault: Vault
        /// The code that retires the old vault; nil if that one stays in use.
        package let retirementCode: String?
        /// The items that opened on the old machine and do not open on this one. Those of a locked class are left out.
        package let invalidated: [ItemDescription]
        /// The faults of the old vault, which the new one has as well; empty if it was intact.
        package let findings: [VerifyFinding]
    }

    /// A file that ``transfer(to:_:isKept:for:in:)`` wrote, whose passphrase was right.
    package struct OpenedTransfer: ~Copyable {
        fileprivate let reader: TransferReader
        fileprivate let key: Key
    }

    /// Throws unless the file at `path` is a whole transfer, of a cost that a real vault writes. Call this before you ask the
    /// user for its passphrase. Only the passphrase shows whether the file was changed.
    package static func requireTransfer(at path: String) throws(VaultError) {
        do {
            let reader = try TransferReader(path)
            try requireCost(reader.head.cost, isReal: true)
            try reader.requireAllPieces()
        } catch { throw inOurWords(error, path) }
    }

    /// Opens the file of a transfer with its passphrase.
    ///
    /// - Throws: ``VaultError/wrongPassphrase(_:)`` if the passphrase is wrong.
    package static func openTransfer(
        at path: String, passphrase: borrowing SecureBytes
    ) throws(VaultError) -> OpenedTransfer {
        do {
            try Sodium.start()
            let reader = try TransferReader(path)
            let outer = try reader.head.cost.stretch(passphrase, salt: reader.head.salt)
            guard let key = try reader.key(under: outer) else { throw VaultError.wrongPassphrase(path) }
            return OpenedTransfer(reader: reader, key: key)
        } catch { throw inOurWords(error, path) }
    }

    /// Creates the vault of a transfer in a folder that does not exist yet. Everything is verified before the folder
    /// gets its name. If this fails, it leaves nothing behind.
    ///
    /// - Parameters:
    ///   - transfer: The opened file.
    ///   - path: The path of the folder.
    ///   - settings: Returns the settings for this machine.
    ///   - confirm: Checks the passcode of the vault, which is locked, and throws if it is wrong.
    package static func receive(
        _ transfer: borrowing OpenedTransfer, at path: String,
        settings: ([UInt8]) throws -> [UInt8] = { $0 }, confirm: (Vault) throws -> Void = { _ in }
    ) throws(VaultError) -> Received {
        do {
            let folder = try VaultFolder(path)
            var code: String?
            var (invalidated, findings): ([ItemDescription], [VerifyFinding]) = ([], [])
            try folder.create { building in
                let isKept = try unpack(transfer, into: building)
                let vault = Vault(try VaultState.open(building, Patience(), nil))
                defer { vault.close() }
                try requireCost(transfer.reader.head.cost, isReal: vault.kind == .real)
                code = try vault.run { vault in
                    let store = vault.store
                    return isKept ? nil : try store.locked { try vault.retirementCode }
                }
                let changed = try settings(try vault.settings)
                try confirm(vault)
                let lost = try vault.run { vault in
                    let before = try vault.invalidatedItems()
                    try vault.settle(changed)
                    return try vault.invalidatedItems().subtracting(before)
                }
                // With the passcode this decrypts every item that needs no further authentication. The file is as it was
                // written, so the old vault has the same faults.
                findings = try vault.verify().findings
                invalidated = try vault.run { $0.described(lost) }
            }
            do {
                let vault = Vault(try VaultState.open(folder, Patience(), nil))
                return Received(vault: vault, retirementCode: code, invalidated: invalidated, findings: findings)
            } catch {
                folder.remove()  // no code was shown for it
                throw error
            }
        } catch {
            throw inOurWords(error, path)
        }
    }

    /// Writes the files of the vault into its folder. Returns true if the old vault stays in use.
    private static func unpack(
        _ transfer: borrowing OpenedTransfer, into building: VaultFolder
    ) throws -> Bool {
        var isKept = false
        let database = try Descriptor(building.database, O_RDWR | O_CREAT | O_EXCL)
        try transfer.reader.each(transfer.key) { device in
            isKept = device.isKept
            _ = try DeviceBlocks(
                at: building.device, vaultID: device.vaultID, fixedKey: device.fixedKey, eraseKey: device.eraseKey,
                counter: device.counter)
        } database: { bytes, offset in
            try database.write(bytes, at: offset)
        }
        try database.synchronize()
        _ = try VaultLock(building.lock, creating: true, patience: Patience())
        // The file is checked before SQLite may write to it.
        _ = try Connection.version(ofFileAt: building.database)
        let connection = try Connection(building.database, patience: Patience())
        try connection.keepLog()
        return isKept
    }
}
