internal import CSQLite
internal import Glibc
internal import LinuxSystem
internal import SodiumKit

/// An error that SQLite returned.
package struct StorageError: Error {
    package let code: Int32
    package let message: String
    /// The error code of the system call that failed, if there was one.
    var systemCode: Int32 = 0

    package var isCorruption: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_SCHEMA].contains(code & 0xFF)
    }

    /// Returns the error of the vault that this error means, for the file at `path`.
    package func vaultError(on path: String) -> VaultError {
        switch code & 0xFF {
        case SQLITE_FULL: .full(path)
        case SQLITE_READONLY, SQLITE_PERM: .readOnly(path)
        case SQLITE_BUSY, SQLITE_LOCKED: .busy(path)
        case SQLITE_NOMEM: .memory(.outOfMemory(bytes: 0))
        // SQLite reports an I/O error if there is no room for the index of its log.
        case SQLITE_IOERR where [ENOSPC, EDQUOT].contains(systemCode): .full(path)
        case SQLITE_IOERR where systemCode == EFBIG: .fileSizeLimit(path)
        // Our statements are correct, so a statement that SQLite rejects means that the tables have been changed.
        case _ where isCorruption, SQLITE_ERROR: .damaged(.file(path, message))
        default: .system(path, code: code, text: message)
        }
    }
}

/// A connection to a database. It has one owner, and one thread at a time uses it.
package final class Connection {
    private let handle: OpaquePointer
    /// The name that the file has in error messages.
    package let path: String

    /// Opens the database at `path`, or a new one in memory if `path` is nil. The file has to exist unless `creating`
    /// is true.
    package init(_ path: String?, creating: Bool = false, patience: Patience, fileSystem: String? = nil) throws {
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
            | (creating || path == nil ? SQLITE_OPEN_CREATE : 0)
        let result = (path ?? ":memory:").withPath { sqlite3_open_v2($0, &opened, flags, fileSystem) }
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

    /// True if SQLite may move the contents of its log into the database file, now and then and when the connection
    /// closes.
    package var mayCheckpoint = true {
        didSet {
            _ = latchkey_sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, mayCheckpoint ? 0 : 1)
            sqlite3_wal_autocheckpoint(handle, mayCheckpoint ? 1000 : 0)
        }
    }

    /// A number that changes whenever any connection commits. Read it while a statement is running.
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

    /// Replaces the contents of `other` by those of this database.
    func copy(to other: Connection) throws {
        guard let copying = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw other.error(sqlite3_errcode(other.handle))
        }
        _ = sqlite3_backup_step(copying, -1)
        let result = sqlite3_backup_finish(copying)
        guard result == SQLITE_OK else { throw other.error(result) }
    }

    /// True if a transaction is open. SQLite rolls one back by itself after some errors.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    fileprivate func error(_ code: Int32, afterSystemCode systemCode: Int32 = 0) -> StorageError {
        let kept = sqlite3_system_errno(handle)
        return StorageError(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)),
            systemCode: kept == 0 ? systemCode : kept)
    }
}

/// A prepared statement that is used again and again.
final class Statement {
    private let handle: OpaquePointer
    private let connection: Connection
    /// True from the first step until the reset. SQLite would silently ignore values bound in between.
    private(set) var isRunning = false
    /// True if each use begins without bound values, so that none is left from the use before. A statement with a
    /// single value always binds it.
    private let clearsBindings: Bool

    fileprivate init(_ handle: OpaquePointer, on connection: Connection) {
        self.handle = handle
        self.connection = connection
        clearsBindings = sqlite3_bind_parameter_count(handle) > 1
    }

    deinit { sqlite3_finalize(handle) }

    /// Moves to the next row. Returns false if there is none.
    func step() throws -> Bool {
        isRunning = true
        // SQLite does not always keep the system's error code, so `errno` is read after the step.
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

    /// Runs the statement to its end and resets it.
    func run() throws {
        defer { reset() }
        while try step() {}
    }

    /// Returns the number in the only row, and resets the statement; nil if there is no row.
    func firstNumber() throws -> Int64? {
        defer { reset() }
        return try step() ? number(0) : nil
    }

    func reset() {
        isRunning = false
        sqlite3_reset(handle)
        if clearsBindings { sqlite3_clear_bindings(handle) }
    }

    // MARK: - Values

    func bind(_ place: Int32, _ number: Int64) {
        precondition(!isRunning, "a value was bound to a statement that is running")
        sqlite3_bind_int64(handle, place, number)
    }

    func bind(_ place: Int32, _ bytes: RawSpan) {
        precondition(!isRunning, "a value was bound to a statement that is running")
        bytes.withUnsafeBytes { bytes in
            _ = latchkey_sqlite3_bind_copied_blob(
                handle, place, bytes.baseAddress ?? UnsafeRawPointer(handle), Int32(bytes.count))
        }
    }

    func bind(_ place: Int32, _ bytes: [UInt8]) { bind(place, bytes.span.bytes) }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String {
        sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
    }

    /// Returns the bytes of a column, which are valid until the next step; nil if it has none. The tables are strict
    /// and every reader checks a tag, so bytes that another program has put there do not pass as ours.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
        guard let start = sqlite3_column_blob(handle, column) else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

extension Connection {
    /// Reads the version from the first bytes of the file at `path`, before any connection opens it.
    package static func version(ofFileAt path: String) throws -> Int {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 8)
        defer { bytes.deallocate() }
        let count = path.withPath { latchkey_sqlite3_read_start($0, bytes.baseAddress, 100) }
        guard count >= 0 else { throw VaultError.system(path, code: SQLITE_IOERR, text: "it cannot be read") }
        return try Tables.version(
            of: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<Int(count)]), path)
    }
}
