internal import CSQLite
internal import Glibc
internal import SodiumKit

/// SQLite said no.
struct StorageError: Error {
    let code: Int32
    let message: String
    /// What the system said to SQLite, where that is why.
    var systemCode: Int32 = 0

    var isCorruption: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_SCHEMA].contains(code & 0xFF) }

    /// The same in the vault's words.
    func vaultError(on path: String) -> VaultError {
        switch code & 0xFF {
        case SQLITE_FULL: .full(path)
        case SQLITE_READONLY, SQLITE_PERM: .readOnly(path)
        case SQLITE_BUSY, SQLITE_LOCKED: .busy(path)
        case SQLITE_NOMEM: .memory(.outOfMemory(bytes: 0))
        // SQLite calls it an I/O error when the index of the log finds no room.
        case SQLITE_IOERR where [ENOSPC, EDQUOT].contains(systemCode): .full(path)
        case SQLITE_IOERR where systemCode == EFBIG: .fileSizeLimit(path)
        // Our statements are right: one that SQLite cannot make sense of means that the tables are not ours any more.
        case _ where isCorruption, SQLITE_ERROR: .damaged(.file(path, message))
        default: .system(path, code: code, text: message)
        }
    }
}

/// One connection to a database. One owner, one thread at a time.
final class Connection {
    private let handle: OpaquePointer
    /// The name that the file has in error messages.
    let path: String

    /// Opens the database at `path`, which has to exist unless `creating` says otherwise; without a path, one in memory.
    init(_ path: String?, creating: Bool = false, patience: Patience, fileSystem: String? = nil) throws {
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
            | (creating || path == nil ? SQLITE_OPEN_CREATE : 0)
        let result = sqlite3_open_v2(path ?? ":memory:", &opened, flags, fileSystem)
        guard result == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
            sqlite3_close_v2(opened)
            throw StorageError(code: result, message: message)
        }
        handle = opened
        self.path = path ?? "memory"
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, patience.milliseconds)
        _ = latchkey_sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = latchkey_sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        _ = latchkey_sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        _ = latchkey_sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    }

    deinit { sqlite3_close_v2(handle) }

    /// True if what is in the log may be written into the database file, by itself or when the connection closes.
    var mayCheckpoint = true {
        didSet {
            _ = latchkey_sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, mayCheckpoint ? 0 : 1)
            sqlite3_wal_autocheckpoint(handle, mayCheckpoint ? 1000 : 0)
        }
    }

    /// Changes whenever anybody commits; to be asked while a statement is under way.
    var dataVersion: UInt32 {
        var version: UInt32 = 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    func execute(_ sql: String) throws {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw error(result) }
    }

    func prepare(_ sql: String) throws -> Statement {
        var prepared: OpaquePointer?
        let result = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard result == SQLITE_OK, let prepared else { throw error(result) }
        return Statement(prepared, on: self)
    }

    /// Makes `other` what this one is.
    func copy(to other: Connection) throws {
        guard let copying = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw other.error(sqlite3_errcode(other.handle))
        }
        _ = sqlite3_backup_step(copying, -1)
        let result = sqlite3_backup_finish(copying)
        guard result == SQLITE_OK else { throw other.error(result) }
    }

    /// Keeps every page that `body` changes in memory until it is committed. Rows in random places change nearly all pages of a
    /// large database: each would be written out and read back over and over.
    func withoutSpilling<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("PRAGMA cache_spill = OFF")
        defer { try? execute("PRAGMA cache_spill = ON") }
        return try body()
    }

    /// The number that a statement comes to.
    func number(_ sql: String) throws -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.number(0) : nil
    }

    /// True if a transaction is open; SQLite ends one by itself after some errors.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    fileprivate func error(_ code: Int32, afterSystemCode systemCode: Int32 = 0) -> StorageError {
        let kept = sqlite3_system_errno(handle)
        return StorageError(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)),
            systemCode: kept == 0 ? systemCode : kept)
    }
}

/// A prepared statement, used over and over.
final class Statement {
    private let handle: OpaquePointer
    private let connection: Connection
    /// True while it is under way: SQLite would silently ignore another use of it.
    private(set) var isRunning = false
    /// What one use leaves unbound must not be left from the use before. A single value is always bound.
    private let clearsBindings: Bool

    fileprivate init(_ handle: OpaquePointer, on connection: Connection) {
        self.handle = handle
        self.connection = connection
        clearsBindings = sqlite3_bind_parameter_count(handle) > 1
    }

    deinit { sqlite3_finalize(handle) }

    /// Returns true if there is a row; false when it is done.
    func step() throws -> Bool {
        isRunning = true
        // SQLite does not always keep what the system said to it.
        errno = 0
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = connection.error(code, afterSystemCode: errno)
            reset()
            throw error
        }
    }

    /// Runs it to the end and makes it ready for the next time.
    func run() throws {
        defer { reset() }
        while try step() {}
    }

    func reset() {
        isRunning = false
        sqlite3_reset(handle)
        if clearsBindings { sqlite3_clear_bindings(handle) }
    }

    // MARK: - Values

    func bind(_ place: Int32, _ number: Int64) {
        precondition(!isRunning, "a statement that is under way was used for something else")
        sqlite3_bind_int64(handle, place, number)
    }

    func bind(_ place: Int32, _ bytes: RawSpan) {
        precondition(!isRunning, "a statement that is under way was used for something else")
        bytes.withUnsafeBytes { bytes in
            _ = latchkey_sqlite3_bind_copied_blob(
                handle, place, bytes.baseAddress ?? UnsafeRawPointer(handle), Int32(bytes.count))
        }
    }

    func bind(_ place: Int32, _ bytes: [UInt8]) { bind(place, bytes.span.bytes) }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String { sqlite3_column_text(handle, column).map { String(cString: $0) } ?? "" }

    /// The bytes of a column, which stay where they are until the next step; nil where there are none. Tables are strict, and
    /// what is read is checked: what somebody else has made of a column does not pass for bytes of ours.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
        guard let start = sqlite3_column_blob(handle, column) else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

extension Connection {
    /// The version that the first bytes of the file say, before a connection gets to see it.
    static func version(ofFileAt path: String) throws -> Int {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 8)
        defer { bytes.deallocate() }
        let count = latchkey_sqlite3_read_start(path, bytes.baseAddress, 100)
        guard count >= 0 else { throw VaultError.system(path, code: SQLITE_IOERR, text: "it cannot be read") }
        return try Schema.version(
            of: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<Int(count)]), path)
    }
}
