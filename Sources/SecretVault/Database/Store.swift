internal import SodiumKit

/// The database of a vault with its statements, its device keys, and the lock over both.
final class Store {
    let connection: Connection
    let keys: any DeviceKeyStore
    /// The keys that follow from the fixed key of the device.
    let fixed: FixedKeys
    let lock: VaultLock?
    let attempts: AttemptLock
    let path: String
    /// Locked memory for carrying out an event once it is committed.
    let reserve: SecureReserve
    private var lockDepth = 0
    /// Returns true once the vault has ended. A thread that waits for the file lock gives up then.
    var hasEnded: () -> Bool = { false }
    /// Whom to tell where a transaction is: for tests that end the process there.
    var observer: (@Sendable (TransactionMoment) -> Void)?

    let begin, commit, rollback: Statement
    let readGeneration, readDevice, writeDevice, readLedger, writeLedger: Statement
    private let byRow, otherByRow, byIdentifier, otherByIdentifier: Statement
    let rowToRemove, rowExists, insert, delete, deleteAll: Statement
    let readSecret, writeSecret, deleteSecret, deleteAllSecrets: Statement
    let readAttributes: Statement
    /// Statements that are prepared when they are first needed: a database of an older schema has not all their tables yet.
    private var prepared: [String: Statement] = [:]
    var searchers: [[IndexColumn]: Statement] = [:]

    init(
        _ connection: Connection, _ keys: any DeviceKeyStore, _ fixed: consuming FixedKeys, _ lock: VaultLock?,
        attempts: AttemptLock? = nil, path: String
    ) throws {
        self.connection = connection
        self.keys = keys
        self.fixed = fixed
        self.lock = lock
        self.attempts = attempts ?? AttemptLock(nil, path: path)
        self.path = path
        reserve = try SecureReserve(bytes: 4096)
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        rollback = try connection.prepare("ROLLBACK")
        readGeneration = try connection.prepare("SELECT generation FROM device WHERE id = 1")
        readDevice = try connection.prepare("SELECT generation, keybag FROM device WHERE id = 1")
        writeDevice = try connection.prepare("REPLACE INTO device (id, generation, keybag) VALUES (1, ?, ?)")
        readLedger = try connection.prepare("SELECT sealed FROM ledger WHERE id = 1")
        writeLedger = try connection.prepare("REPLACE INTO ledger (id, sealed) VALUES (1, ?)")
        // A statement that is under way cannot be used for something else: while one record is lent out, another is looked up
        // by the other statement.
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

    /// Holds the lock over database and device file while `body` runs; one that holds it already goes on holding it.
    func locked<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        if lockDepth == 0 { try lock?.acquire { hasEnded() } }
        lockDepth += 1
        defer {
            lockDepth -= 1
            if lockDepth == 0 { lock?.release() }
        }
        return try body()
    }

    /// Runs `body` on the database as it is at one moment.
    func atOneMoment<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.execute("BEGIN")
        defer { try? connection.execute("ROLLBACK") }
        return try body()
    }

    /// Looks a record up by its row.
    var recordByRow: Statement { byRow.isRunning ? otherByRow : byRow }

    /// Looks a record up by what the item is known by for life.
    var recordByIdentifier: Statement { byIdentifier.isRunning ? otherByIdentifier : byIdentifier }

    /// The statement of this text.
    func statement(_ sql: String) throws -> Statement {
        if let statement = prepared[sql] { return statement }
        let statement = try connection.prepare(sql)
        prepared[sql] = statement
        return statement
    }

    /// The number in the only row of a statement; nil where there is none.
    func number(_ statement: Statement) throws -> Int64? {
        defer { statement.reset() }
        return try statement.step() ? statement.number(0) : nil
    }

    /// Lends out the bytes in the only row of a statement that has been bound; nil where there are none.
    func withBytes<Result: ~Copyable>(
        _ statement: Statement, column: Int32 = 0, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
        defer { statement.reset() }
        guard try statement.step(), let bytes = statement.bytes(column) else { return nil }
        return try body(bytes)
    }
}

/// Where a transaction is; tests that end a process choose by it when.
package enum TransactionMoment: UInt8, Sendable {
    /// It has begun.
    case began = 1
    /// It has begun, and a new erase key lies beside the old one.
    case addedKey = 2
    /// It was committed, and two erase keys are there still.
    case committedWithTwoKeys = 3
    /// It is over.
    case ended = 4
}
