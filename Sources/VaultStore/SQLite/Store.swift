package import SodiumKit

/// The database of a vault, the keys of the device, and the lock over both.
///
/// The rows of items are an ``ItemStore``. Keybag, ledger and audit log belong to one device, and are in the database
/// itself.
package final class Store {
    package let connection: Connection
    /// The rows. Their type is named, because every read calls it.
    package let items: SQLiteItems
    package let keys: any DeviceKeyStore
    /// The keys that are derived from the fixed key of the device.
    package let fixed: FixedKeys
    package let lock: VaultLock?
    package let attempts: AttemptLock
    package let path: String
    /// Guarded memory that is set aside for carrying out an event once it is committed.
    package let reserve: SecureReserve
    /// Room on the disk that is set aside for records; nil for a vault in memory.
    package let diskReserve: DiskReserve?
    private var lockDepth = 0
    /// Returns true once the vault is closed. A thread that waits for the file lock then gives up soon.
    package var hasEnded: () -> Bool = { false }
    /// A function that learns how far a transaction is, for tests that end the process there.
    package var observer: (@Sendable (TransactionMoment) -> Void)?

    private let readGeneration, readDevice, writeDevice: Statement
    let readLedger, writeLedger: Statement
    /// Statements that are prepared when they are first needed.
    private var prepared: [String: Statement] = [:]

    package init(
        _ connection: Connection, _ keys: any DeviceKeyStore, _ fixed: consuming FixedKeys, _ lock: VaultLock?,
        attempts: AttemptLock? = nil, diskReserve: DiskReserve? = nil, path: String
    ) throws {
        self.connection = connection
        items = try SQLiteItems(connection)
        self.keys = keys
        self.fixed = fixed
        self.lock = lock
        self.attempts = attempts ?? AttemptLock(nil, path: path)
        self.path = path
        self.diskReserve = diskReserve
        reserve = try SecureReserve(bytes: 4096)
        readGeneration = try connection.prepare("SELECT generation FROM device WHERE id = 1")
        readDevice = try connection.prepare("SELECT generation, keybag FROM device WHERE id = 1")
        writeDevice = try connection.prepare("REPLACE INTO device (id, generation, keybag) VALUES (1, ?, ?)")
        readLedger = try connection.prepare("SELECT sealed FROM ledger WHERE id = 1")
        writeLedger = try connection.prepare("REPLACE INTO ledger (id, sealed) VALUES (1, ?)")
    }

    /// Holds the lock over database and device file while `body` runs. Calls may be nested.
    package func locked<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        if lockDepth == 0 { try lock?.acquire { hasEnded() } }
        lockDepth += 1
        defer {
            lockDepth -= 1
            if lockDepth == 0 { lock?.release() }
        }
        return try body()
    }

    /// Runs `body` in a read transaction, so that it sees the database as of one moment.
    package func atOneMoment<Result>(_ body: () throws -> Result) throws -> Result {
        try items.begin(.look)
        defer { items.rollBack() }
        return try body()
    }

    /// Returns the statement with this text, and prepares it on first use.
    func statement(_ sql: String) throws -> Statement {
        if let statement = prepared[sql] { return statement }
        let statement = try connection.prepare(sql)
        prepared[sql] = statement
        return statement
    }

    /// Returns the number in the only row of a statement; nil if there is no row.
    func number(_ statement: Statement) throws -> Int64? {
        try statement.firstNumber()
    }

    /// Calls `body` with the bytes in the only row of a statement. Returns nil if there are none.
    func withBytes<Result: ~Copyable>(
        _ statement: Statement, column: Int32 = 0, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
        defer { statement.reset() }
        guard try statement.step(), let bytes = statement.bytes(column) else { return nil }
        return try body(bytes)
    }
}

// The row of the keybag.
extension Store {
    /// Returns the generation of the keybag, which is stored beside it; nil if there is none.
    package func generation() throws -> Int64? { try readGeneration.firstNumber() }

    /// Returns the sealed keybag with the generation beside it; nil if there is none.
    package func keybag() throws -> (generation: Int64, box: [UInt8])? {
        defer { readDevice.reset() }
        guard try readDevice.step(), let box = readDevice.bytes(1) else { return nil }
        return (readDevice.number(0), [UInt8](box))
    }

    /// Writes a sealed keybag into the open transaction.
    package func write(keybag box: [UInt8], generation: Int64) throws {
        writeDevice.bind(1, generation)
        writeDevice.bind(2, box)
        try writeDevice.run()
    }

    /// Commits the present keybag once more.
    package func rewriteKeybag() throws {
        try items.begin(.change)
        do {
            guard let (generation, box) = try keybag() else { throw VaultError.damaged(.keybag) }
            // SQLite writes nothing if the new bytes equal the old ones, so delete the row first.
            try connection.execute("DELETE FROM device")
            try write(keybag: box, generation: generation)
            try items.commit()
        } catch {
            items.rollBack()
            throw error
        }
    }
}

/// A moment in a transaction at which a test can end the process.
package enum TransactionMoment: UInt8, Sendable {
    case began = 1
    /// The new erase key is stored beside the old one.
    case addedKey = 2
    /// The transaction is committed, and both erase keys still exist.
    case committedWithTwoKeys = 3
    case ended = 4
}
