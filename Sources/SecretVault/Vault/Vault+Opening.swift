internal import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import KeyKit
internal import LinuxSystem
public import SodiumKit

extension Vault {
    /// The result of creating a vault: the vault, unlocked, and the recovery key. Keep the recovery key now; the vault
    /// never returns it again.
    public struct Created: Sendable {
        /// The vault.
        public let vault: Vault
        /// The key that sets a new passcode after the owner has forgotten the present one; nil if the options asked for
        /// none.
        public let recoveryKey: RecoveryKey?
    }

    /// Throws if another user could replace a vault that is created at `path`. Folders above it may still be missing.
    /// Call this before you ask for a passcode.
    package static func requireSafe(newPlace path: String) throws(VaultError) {
        do {
            if let parent = try PathTrust.openParent(ofNew: path) {
                throw VaultError.unsafePath(path, .openParent(parent))
            }
        } catch PathTrust.TrustError.unreadable(let code) {
            throw .system(code, on: path)
        } catch {
            throw error as? VaultError ?? .system(path, code: EINVAL, text: "\(error)")
        }
    }

    /// Throws if the folder at `path` exists and its own user cannot write to it. Call this before you look for
    /// something in the folder.
    package static func requireWritable(folder path: String) throws(VaultError) {
        let folder = try VaultFolder(path)
        try folder.requireWritable(folder.path, mayBeMissing: true)
    }

    /// Creates a vault in a folder that does not exist yet. If this fails, it leaves nothing behind.
    ///
    /// - Throws: ``VaultError`` if the folder exists, the path is not safe, or the options do not suit a real vault.
    public static func create(
        at path: String, _ options: VaultOptions, passcode: borrowing SecureBytes
    ) throws(VaultError) -> Created {
        try create(at: path, options, try Birth.made(options, passcode, path))
    }

    /// Creates a vault without a passcode, like a device fresh from the box. Only a simulated vault can be without one.
    ///
    /// - Throws: ``VaultError/realVault(_:)`` for a real vault, or another ``VaultError`` if the folder cannot be
    ///   created.
    public static func create(at path: String, _ options: VaultOptions) throws(VaultError) -> Created {
        try create(at: path, options, try Birth.made(options, path))
    }

    private static func create(
        at path: String, _ options: VaultOptions, _ birth: Birth
    ) throws(VaultError) -> Created {
        do {
            let folder = try build(at: path, options, birth)
            do {
                let vault = try Vault(opening: folder, options.patience, birth)
                return Created(vault: vault, recoveryKey: birth.recoveryKey)
            } catch {
                folder.remove()  // No one has seen its recovery key.
                throw error
            }
        } catch {
            throw inOurWords(error, path)
        }
    }

    private static func build(
        at path: String, _ options: VaultOptions, _ birth: Birth
    ) throws -> VaultFolder {
        let folder = try VaultFolder(path)
        try folder.create { building in
            let keys = try DeviceBlocks(creating: building.device)
            _ = try VaultLock(building.lock, creating: true, patience: Patience(milliseconds: options.patience))
            try prepare(building.database)
            let connection = try Connection.ofNewVault(
                at: building.database, pageSize: options.pageSize, patience: Patience(milliseconds: options.patience))
            try birth.write(to: connection, keys)
            try connection.emptyLog()
        }
        return folder
    }

    /// Creates a vault in memory. It behaves like any other vault, but ends with the last reference to it, and keeps no
    /// audit log.
    public static func inMemory(
        _ options: VaultOptions = .simulated(), passcode: borrowing SecureBytes
    ) throws(VaultError) -> Created {
        try inMemory(try Birth.made(options, passcode, "memory"), isAudited: options.isAuditedInMemory)
    }

    /// Creates a vault in memory without a passcode, like a device fresh from the box.
    public static func inMemory(_ options: VaultOptions = .simulated()) throws(VaultError) -> Created {
        try inMemory(try Birth.made(options, "memory"), isAudited: options.isAuditedInMemory)
    }

    private static func inMemory(_ birth: Birth, isAudited: Bool) throws(VaultError) -> Created {
        do {
            let keys = try DeviceBlocks(creating: nil)
            let connection = try Connection.inMemory()
            let opened = try birth.write(to: connection, keys, isLaidOut: true)
            let store = try Store(connection, keys, FixedKeys(keys.fixedKey()), nil, path: "memory")
            var vault = try VaultState(
                store, opened.bag, opened.ledger, isAudited: isAudited, clock: birth.clock)
            try birth.unlock(&vault)
            return Created(vault: Vault(vault), recoveryKey: birth.recoveryKey)
        } catch {
            throw inOurWords(error, "memory")
        }
    }

    /// Opens the vault in this folder. The vault is locked. If it cannot be opened, its files stay as they are.
    ///
    /// - Throws: ``VaultError`` if the folder is not a vault, is not safe, is damaged, or has a newer format.
    public static func open(at path: String, patience: Int32 = 10_000) throws(VaultError) -> Vault {
        do {
            return try Vault(opening: try VaultFolder(path), patience, nil)
        } catch {
            throw inOurWords(error, path)
        }
    }

    /// Opens a vault with another file layer, another store for the device keys, or another clock, so that tests can
    /// make these fail.
    package static func open(
        at path: String, patience: Int32 = 10_000, fileSystem: String? = nil, keys: (any DeviceKeyStore)? = nil,
        clock: VaultClock? = nil
    ) throws(VaultError) -> Vault {
        do {
            let patience = Patience(milliseconds: patience)
            try Sodium.start()
            return Vault(
                try VaultState.open(
                    try VaultFolder(path), patience, fileSystem: fileSystem, keys: keys, clock: clock, nil))
        } catch {
            throw inOurWords(error, path)
        }
    }

    /// Creates the database file with the permissions of a vault, so that it never has others.
    private static func prepare(_ database: String) throws {
        _ = try Descriptor(database, O_RDWR | O_CREAT | O_EXCL)
    }

    private convenience init(opening folder: VaultFolder, _ patience: Int32, _ birth: Birth?) throws {
        try Sodium.start()
        self.init(try VaultState.open(folder, Patience(milliseconds: patience), clock: birth?.clock, birth))
    }
}

extension VaultState {
    /// Opens the state of the vault in `folder`. If it cannot be opened, its files stay as they are.
    static func open(
        _ folder: VaultFolder, _ patience: Patience, fileSystem: String? = nil,
        keys injected: (any DeviceKeyStore)? = nil, clock: VaultClock? = nil, _ birth: Birth?
    ) throws -> VaultState {
        // PAM comes after this, and its modules may use OpenSSL.
        KeyMemory.wipeWhenFreed()
        try folder.requirePrivate()
        for file in [folder.database, folder.device, folder.lock] { try folder.requirePrivate(file) }
        for suffix in ["-wal", "-shm"] { try folder.requirePrivate(folder.database + suffix, mayBeMissing: true) }
        for file in [folder.path, folder.database, folder.device, folder.lock] { try folder.requireWritable(file) }
        for suffix in ["-wal", "-shm"] { try folder.requireWritable(folder.database + suffix, mayBeMissing: true) }
        try folder.requireNoJournal()
        _ = try Connection.version(ofFileAt: folder.database)
        let reserve = DiskReserve(folder)
        return try withReserve(reserve, of: folder.database) {
            try open(folder, reserve, patience, fileSystem: fileSystem, keys: injected, clock: clock, birth)
        }
    }

    /// Opens the files of a folder that has been checked.
    private static func open(
        _ folder: VaultFolder, _ reserve: DiskReserve, _ patience: Patience, fileSystem: String?,
        keys injected: (any DeviceKeyStore)?, clock: VaultClock?, _ birth: Birth?
    ) throws -> VaultState {
        let keys = try injected ?? DeviceBlocks(opening: folder.device)
        let counted = try keys.counter()  // Read it before the database, which may only be ahead of it.
        // It writes nothing into a file that may turn out not to be ours.
        let connection = try Connection.ofVault(at: folder.database, patience: patience, fileSystem: fileSystem)
        let lock = try VaultLock(folder.lock, patience: patience)
        let attempts = AttemptLock(
            try VaultLock(attemptsAt: folder, patience: patience), patience: patience, path: folder.database)
        let store = try Store(
            connection, keys, FixedKeys(keys.fixedKey()), lock, attempts: attempts, diskReserve: reserve,
            path: folder.database)
        try store.locked { folder.removeSnapshot() }
        let ledger = try store.ledger()
        if ledger.commits < counted { throw VaultError.olderCopy(folder.database) }
        let bag = try store.readKeybag()
        // The keybag is read after the ledger, so it may only be newer.
        if bag.generation < ledger.generation { throw VaultError.olderCopy(folder.database) }
        var vault = try VaultState(store, bag, ledger, isAudited: true, clock: clock)
        vault.isUncertain = true
        vault.audit.add(.opened, "open", hour: vault.device.now.milliseconds)
        try vault.recording { vault in
            try vault.transaction(lasting: true) { try $0.countStartInThePast() }
        }
        try vault.endFormerWhenOver()
        connection.mayCheckpoint = true  // Not earlier: a vault that is refused must stay as it is.
        try birth?.unlock(&vault)
        return vault
    }
}
