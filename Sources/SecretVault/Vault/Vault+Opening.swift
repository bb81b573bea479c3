internal import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import LinuxSystem
public import SodiumKit

extension Vault {
    /// What creating a vault gives: the vault, unlocked, and the recovery key, which is never to be had again.
    public struct Created: Sendable {
        /// The vault.
        public let vault: Vault
        /// What sets a new passcode when this one is forgotten; nil where none was wanted.
        public let recoveryKey: RecoveryKey?
    }

    /// Throws if another user could replace a vault that is made at `path`. Folders above it may still be missing. Call it
    /// before you ask for a passcode.
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

    /// Throws where the folder at `path` is there and keeps its own user out. For those who look for something in it first.
    package static func requireWritable(folder path: String) throws(VaultError) {
        let folder = try VaultFolder(path)
        try folder.requireWritable(folder.path, mayBeMissing: true)
    }

    /// Creates a vault in a folder that does not exist yet. When that cannot finish, nothing is there.
    public static func create(
        at path: String, _ options: VaultOptions, passcode: borrowing SecureBytes
    ) throws(VaultError) -> Created {
        try create(at: path, options, try Birth.made(options, passcode, path))
    }

    /// Creates a vault without a passcode: a device fresh from the box. A real vault always has one.
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
                folder.remove()  // its recovery key would never be seen
                throw error
            }
        } catch {
            throw inOurWords(error, path)
        }
    }

    /// Creates a vault and leaves it at that, so that one of an older schema stays one.
    package static func createUnopened(
        at path: String, _ options: VaultOptions, passcode: borrowing SecureBytes
    ) throws(VaultError) {
        let birth = try Birth.made(options, passcode, path)
        do { _ = try build(at: path, options, birth) } catch { throw inOurWords(error, path) }
    }

    private static func build(
        at path: String, _ options: VaultOptions, _ birth: Birth
    ) throws -> VaultFolder {
        let folder = try VaultFolder(path)
        try folder.create { building in
            let keys = try DeviceBlocks(creating: building.device)
            _ = try VaultLock(building.lock, creating: true, patience: Patience(milliseconds: options.patience))
            try prepare(building.database)
            let connection = try Connection(
                building.database, creating: true, patience: Patience(milliseconds: options.patience))
            try connection.execute("PRAGMA page_size = \(options.pageSize)")
            try connection.execute("PRAGMA application_id = \(Schema.application)")
            try connection.execute("PRAGMA journal_mode = WAL")
            try birth.write(to: connection, keys, schema: options.schema ?? Schema.current)
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        return folder
    }

    /// Creates a vault in memory. It is the same in everything, but gone with the last who uses it, and keeps no audit trail.
    public static func inMemory(
        _ options: VaultOptions = .simulated(), passcode: borrowing SecureBytes
    ) throws(VaultError) -> Created {
        try inMemory(try Birth.made(options, passcode, "memory"))
    }

    /// Creates a vault in memory without a passcode: a device fresh from the box.
    public static func inMemory(_ options: VaultOptions = .simulated()) throws(VaultError) -> Created {
        try inMemory(try Birth.made(options, "memory"))
    }

    private static func inMemory(_ birth: Birth) throws(VaultError) -> Created {
        do {
            let keys = try DeviceBlocks(creating: nil)
            let connection = try Connection(nil, patience: Patience())
            try connection.execute("PRAGMA journal_mode = MEMORY")
            try Schema.layOut(connection)
            let opened = try birth.write(to: connection, keys, schema: Schema.current, isLaidOut: true)
            let store = try Store(connection, keys, FixedKeys(keys.fixedKey()), nil, path: "memory")
            var enclave = try Enclave(
                store, opened.bag, opened.ledger, isAudited: false, clock: birth.clock)
            try birth.unlock(&enclave)
            return Created(vault: Vault(enclave), recoveryKey: birth.recoveryKey)
        } catch {
            throw inOurWords(error, "memory")
        }
    }

    /// Opens the vault in this folder, locked. What cannot be opened is left as it is.
    public static func open(at path: String, patience: Int32 = 10_000) throws(VaultError) -> Vault {
        do {
            return try Vault(opening: try VaultFolder(path), patience, nil)
        } catch {
            throw inOurWords(error, path)
        }
    }

    /// The same with another file layer under the database, another keeper of the device's keys, or another clock: for
    /// tests that have these fail.
    package static func open(
        at path: String, patience: Int32 = 10_000, fileSystem: String? = nil, keys: (any DeviceKeyStore)? = nil,
        clock: VaultClock? = nil
    ) throws(VaultError) -> Vault {
        do {
            let patience = Patience(milliseconds: patience)
            try Sodium.start()
            return Vault(
                try Enclave.open(
                    try VaultFolder(path), patience, fileSystem: fileSystem, keys: keys, clock: clock, nil))
        } catch {
            throw inOurWords(error, path)
        }
    }

    /// A database file has the rights of a vault from its first moment on.
    private static func prepare(_ database: String) throws {
        _ = try Descriptor(database, O_RDWR | O_CREAT | O_EXCL)
    }

    private convenience init(opening folder: VaultFolder, _ patience: Int32, _ birth: Birth?) throws {
        try Sodium.start()
        self.init(try Enclave.open(folder, Patience(milliseconds: patience), clock: birth?.clock, birth))
    }
}

extension Enclave {
    /// The enclave of the vault in `folder`. What cannot be opened is left as it is.
    static func open(
        _ folder: VaultFolder, _ patience: Patience, fileSystem: String? = nil,
        keys injected: (any DeviceKeyStore)? = nil, clock: VaultClock? = nil, _ birth: Birth?
    ) throws -> Enclave {
        try folder.requirePrivate()
        for file in [folder.database, folder.device, folder.lock] { try folder.requirePrivate(file) }
        for suffix in ["-wal", "-shm"] { try folder.requirePrivate(folder.database + suffix, mayBeMissing: true) }
        for file in [folder.path, folder.database, folder.device, folder.lock] { try folder.requireWritable(file) }
        for suffix in ["-wal", "-shm"] { try folder.requireWritable(folder.database + suffix, mayBeMissing: true) }
        try folder.requireNoJournal()
        _ = try Connection.version(ofFileAt: folder.database)
        let keys = try injected ?? DeviceBlocks(opening: folder.device)
        let counted = try keys.counter()  // before the database, which may only be ahead of it
        let connection = try Connection(folder.database, patience: patience, fileSystem: fileSystem)
        connection.mayCheckpoint = false  // nothing is written into a file that turns out not to be ours
        for pragma in Schema.pragmas { try connection.execute(pragma) }
        // The log may hold a newer schema than the file does, where a migration was cut short.
        let version = Int(try connection.number("PRAGMA user_version") ?? 0)
        guard version <= Schema.current else {
            throw VaultError.newer(folder.database, found: version, known: Schema.current)
        }
        let lock = try VaultLock(folder.lock, patience: patience)
        let attempts = AttemptLock(
            try VaultLock(attemptsAt: folder, patience: patience), patience: patience, path: folder.database)
        let store = try Store(
            connection, keys, FixedKeys(keys.fixedKey()), lock, attempts: attempts, path: folder.database)
        let ledger = try store.ledger()
        if ledger.commits < counted { throw VaultError.olderCopy(folder.database) }
        let bag = try store.readKeybag()
        // Read after the ledger, it may only be newer.
        if bag.generation < ledger.generation { throw VaultError.olderCopy(folder.database) }
        if version < Schema.current { try store.migrate(from: version) }
        var enclave = try Enclave(store, bag, ledger, isAudited: true, clock: clock)
        enclave.isUncertain = true
        enclave.audit.add(.opened, "open", hour: enclave.device.now.milliseconds)
        try enclave.transaction(lasting: true) { enclave in
            // From now on rows may be written that a version before this one does not know: it has to refuse the vault.
            guard enclave.bag.isOfEarlierFormat else { return }
            var bag = enclave.bag
            bag.format = Keybag.format
            try enclave.commit(bag, enclave.device, destroying: false)
        }
        connection.mayCheckpoint = true  // not before: one that is refused only now has to stay as it is as well
        try birth?.unlock(&enclave)
        return enclave
    }
}

extension Store {
    fileprivate func migrate(from version: Int) throws {
        try locked {
            try begin.run()
            do {
                // Somebody else may have been faster.
                let present = try connection.number("PRAGMA user_version").map(Int.init) ?? version
                if present < Schema.current { try Schema.migrate(connection, from: present) }
                try commit.run()
            } catch {
                if connection.isInTransaction { try? rollback.run() }
                throw error
            }
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}
