package import SodiumKit

/// The database of a vault with its prepared statements, the keys of the device, and the lock over both.
package final class Store {
    package let connection: Connection
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

    package let begin, commit, rollback: Statement
    package let readGeneration, readDevice, writeDevice, readLedger, writeLedger: Statement
    private let byRow, otherByRow, byIdentifier, otherByIdentifier: Statement
    package let rowToRemove, rowExists, insert, delete, deleteAll: Statement
    package let readSecret, writeSecret, deleteSecret, deleteAllSecrets: Statement
    package let readAttributes: Statement
    /// Statements that are prepared when they are first needed.
    private var prepared: [String: Statement] = [:]
    package var searchers: [[IndexColumn]: Statement] = [:]

    package init(
        _ connection: Connection, _ keys: any DeviceKeyStore, _ fixed: consuming FixedKeys, _ lock: VaultLock?,
        attempts: AttemptLock? = nil, diskReserve: DiskReserve? = nil, path: String
    ) throws {
        self.connection = connection
        self.keys = keys
        self.fixed = fixed
        self.lock = lock
        self.attempts = attempts ?? AttemptLock(nil, path: path)
        self.path = path
        self.diskReserve = diskReserve
        reserve = try SecureReserve(bytes: 4096)
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        rollback = try connection.prepare("ROLLBACK")
        readGeneration = try connection.prepare("SELECT generation FROM device WHERE id = 1")
        readDevice = try connection.prepare("SELECT generation, keybag FROM device WHERE id = 1")
        writeDevice = try connection.prepare("REPLACE INTO device (id, generation, keybag) VALUES (1, ?, ?)")
        readLedger = try connection.prepare("SELECT sealed FROM ledger WHERE id = 1")
        writeLedger = try connection.prepare("REPLACE INTO ledger (id, sealed) VALUES (1, ?)")
        // A running statement cannot look anything else up. While `body` uses one record, the other statement finds
        // another.
        byRow = try connection.prepare("SELECT row, record FROM items WHERE row = ?")
        otherByRow = try connection.prepare("SELECT row, record FROM items WHERE row = ?")
        byIdentifier = try connection.prepare("SELECT row, record FROM items WHERE id = ?")
        otherByIdentifier = try connection.prepare("SELECT row, record FROM items WHERE id = ?")
        rowToRemove = try connection.prepare("SELECT row, record FROM items WHERE row = ?")
        rowExists = try connection.prepare("SELECT 1 FROM items WHERE row = ?")
        let columns = IndexColumn.allCases.map(\.name)
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        insert = try connection.prepare(
            "INSERT INTO items (row, class, id, record, attributes, \(columns.joined(separator: ", "))) "
                + "VALUES (?, ?, ?, ?, ?, \(places))")
        delete = try connection.prepare("DELETE FROM items WHERE row = ?")
        deleteAll = try connection.prepare("DELETE FROM items")
        readSecret = try connection.prepare("SELECT secret FROM secrets WHERE row = ?")
        writeSecret = try connection.prepare("INSERT INTO secrets (row, secret) VALUES (?, ?)")
        deleteSecret = try connection.prepare("DELETE FROM secrets WHERE row = ?")
        deleteAllSecrets = try connection.prepare("DELETE FROM secrets")
        readAttributes = try connection.prepare("SELECT attributes FROM items WHERE row = ?")
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
        try connection.execute("BEGIN")
        defer { try? connection.execute("ROLLBACK") }
        return try body()
    }

    /// A statement that finds a record by its row and is not running.
    package var recordByRow: Statement { byRow.isRunning ? otherByRow : byRow }

    /// A statement that finds a record by the item's identifier and is not running.
    package var recordByIdentifier: Statement { byIdentifier.isRunning ? otherByIdentifier : byIdentifier }

    /// Returns the statement with this text, and prepares it on first use.
    package func statement(_ sql: String) throws -> Statement {
        if let statement = prepared[sql] { return statement }
        let statement = try connection.prepare(sql)
        prepared[sql] = statement
        return statement
    }

    /// Returns the number in the only row of a statement; nil if there is no row.
    package func number(_ statement: Statement) throws -> Int64? {
        defer { statement.reset() }
        return try statement.step() ? statement.number(0) : nil
    }

    /// Calls `body` with the bytes in the only row of a statement. Returns nil if there are none.
    package func withBytes<Result: ~Copyable>(
        _ statement: Statement, column: Int32 = 0, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
        defer { statement.reset() }
        guard try statement.step(), let bytes = statement.bytes(column) else { return nil }
        return try body(bytes)
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
