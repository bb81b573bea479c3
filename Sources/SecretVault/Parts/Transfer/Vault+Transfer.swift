package import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import LinuxSystem
internal import SodiumKit

extension Vault {
    /// The factors that the context of a transfer has to prove: the passcode, and biometry if an item opens no other
    /// way.
    package var factorsToTransfer: FactorSet {
        get throws(VaultError) { try run { try $0.factorsToTransfer() } }
    }

    /// Writes the whole vault into a new file at `path`, for another machine: every item, also those that no backup may
    /// contain, and the device file. The file is encrypted with a passphrase.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - protection: The passphrase.
    ///   - isKept: True if this vault stays in use. Otherwise ``retire(_:for:)`` ends it.
    ///   - caller: The program that asks.
    ///   - context: The context that has proved ``factorsToTransfer``.
    /// - Throws: ``VaultError/eventNeedsAuthentication`` if the context has not, or another ``VaultError`` if the file
    ///   cannot be written.
    package func transfer(
        to path: String, _ protection: borrowing BackupProtection, isKept: Bool, for caller: Caller,
        in context: VaultContext
    ) throws(VaultError) {
        guard let cost = protection.cost else { throw .realVault(.passphrase) }
        try protection.requireEnough(isReal: kind == .real)
        let head = TransferHead(cost: cost)
        switch try inVaultWords({ try protection.stretched(head.salt) }) {
        case .some(let outer):
            try run(in: context) { vault, state in
                let factors = try vault.factorsToTransfer()
                if factors.contains(where: { state.context[$0] == nil }) { throw VaultError.eventNeedsAuthentication }
                let file = try NewFileWriter(path)
                let hour = vault.device.now.milliseconds
                vault.audit.add(.event, isKept ? "transferred, kept" : "transferred", by: caller, hour: hour)
                let store = vault.store
                let snapshot = try store.locked {
                    // So that the new vault has the record of the transfer.
                    try vault.transaction(lasting: true) { _ in }
                    return try Snapshot(of: store, isKept: isKept)
                }
                var writer = try TransferWriter(head, under: outer, file)
                try snapshot.device.encoded().withBytes { try writer.write($0) }
                try writer.finish(with: snapshot.database)
            }
        case .none: throw .realVault(.passphrase)
        }
    }

    /// Destroys the keys of this copy of the vault for good, and closes it. `code` is the one that another machine
    /// showed when it had received the vault.
    ///
    /// - Throws: ``VaultError/wrongRetirementCode`` if the other machine has not received what this vault contains now.
    package func retire(_ code: String, for caller: Caller) throws(VaultError) {
        try run { vault in
            try vault.refresh()
            let store = vault.store
            try store.locked {
                let hour = vault.device.now.milliseconds
                guard RetirementCode.isSame(code, try vault.retirementCode) else {
                    vault.audit.add(.event, "retire, wrong", by: caller, hour: hour)
                    throw VaultError.wrongRetirementCode
                }
                vault.audit.add(.event, "retired", by: caller, hour: hour)
                try vault.transaction(lasting: true) { _ in }
                // A crash may have left two erase keys, and the new one needs a slot.
                if try store.keys.eraseKeys().hasOlder { _ = try store.readKeybag() }
                try store.keys.add(try Key.random())
                try store.keys.keep(.newest)
                // Nothing opens the keybag any more. A new generation tells programs that have the vault open.
                try? vault.transaction { try $0.writeKeybag(under: try Key.random()) }
            }
        }
        closeItself()
    }

    /// Deletes the files of a vault that is closed, and its folder if nothing else is in it. Returns true if the folder is
    /// gone.
    package static func removeFiles(at path: String) -> Bool {
        guard let folder = try? VaultFolder(path) else { return false }
        folder.remove()
        return !folder.exists
    }
}

/// A vault at one moment: its device, and a copy of its database without a log. The file of the copy has no name, so
/// nothing of it is left.
private final class Snapshot {
    let device: TransferredDevice
    let database: Descriptor

    /// Copies the vault. Call it under the lock of the vault, outside of a transaction.
    init(of store: Store, isKept: Bool) throws {
        guard store.lock != nil, let folder = SystemPath.split(store.path)?.above else {
            throw VaultError.noVault(store.path)
        }
        let path = VaultFolder.snapshot(in: folder)
        unlink(path)
        defer { unlink(path) }
        database = try Descriptor(path, O_RDWR | O_CREAT | O_EXCL)
        try store.connection.write(toFileAt: path)
        device = try TransferredDevice(of: store, isKept: isKept)
    }
}

extension TransferredDevice {
    /// Reads the device of a vault. Call it under the lock of the vault.
    init(of store: Store, isKept: Bool) throws {
        let fixedKey = try store.keys.fixedKey()
        let eraseKey = try store.eraseKeyInUse()
        let counter = try store.keys.counter()
        self.init(store.keys.vaultID, fixedKey, eraseKey, counter, isKept)
    }
}
