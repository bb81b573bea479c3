import CSQLite

/// A plain SQLite connection, for changes to a vault's database that the vault itself never makes.
final class RawDatabase {
    struct Failure: Error {
        let text: String
    }

    private let handle: OpaquePointer

    /// Opens the database at `path`, and creates it if needed.
    init(_ path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw Failure(text: "\(path) does not open")
        }
        handle = opened
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements and ignores their results.
    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Failure(text: "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
        }
    }

    /// Returns the first column of every row of `sql`, as numbers.
    func numbers(_ sql: String) throws -> [Int64] {
        try rows(sql) { sqlite3_column_int64($0, 0) }
    }

    /// Returns the first column of every row of `sql`, as bytes.
    func blobs(_ sql: String) throws -> [[UInt8]] {
        try rows(sql) {
            [UInt8](
                UnsafeRawBufferPointer(start: sqlite3_column_blob($0, 0), count: Int(sqlite3_column_bytes($0, 0))))
        }
    }

    /// Runs one statement with `blob` as its first parameter.
    func run(_ sql: String, _ blob: [UInt8]) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw Failure(text: "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
        }
        defer { sqlite3_finalize(statement) }
        _ = blob.withUnsafeBytes {
            latchkey_sqlite3_bind_copied_blob(statement, 1, $0.baseAddress, Int32($0.count))
        }
        guard sqlite3_step(statement) == SQLITE_DONE else {
            throw Failure(text: "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
        }
    }

    private func rows<Value>(_ sql: String, _ value: (OpaquePointer) -> Value) throws -> [Value] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw Failure(text: "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
        }
        defer { sqlite3_finalize(statement) }
        var found: [Value] = []
        while sqlite3_step(statement) == SQLITE_ROW { found.append(value(statement)) }
        return found
    }
}
