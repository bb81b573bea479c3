internal import Synchronization

/// The layout of the database.
enum Tables {
    /// The application identifier in SQLite's header: "Lkch".
    static let application: UInt32 = 0x4C6B_6368
    /// The identifiers in vaults of version 0.1: "Lkey" and "Ltch".
    private static let ofVersion01: [UInt32] = [0x4C6B_6579, 0x4C74_6368]

    /// The version of the tables.
    static let current = 1

    /// The statements that create the tables.
    private static let statements =
        [
            // The keybag is sealed under the fixed key and an erase key. Its generation is repeated in clear, so that a
            // connection can see cheaply that the keybag has changed.
            "CREATE TABLE device (id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, keybag BLOB NOT NULL) STRICT",
            "CREATE TABLE ledger (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL) STRICT",
            "CREATE TABLE items (row INTEGER PRIMARY KEY, class INTEGER NOT NULL, id BLOB NOT NULL, record BLOB NOT NULL, "
                + "attributes BLOB NOT NULL, " + IndexColumn.allCases.map { "\($0.name) BLOB" }.joined(separator: ", ")
                + ") STRICT",
            "CREATE UNIQUE INDEX items_id ON items (id)",
            // Secrets that are too long for the row.
            "CREATE TABLE secrets (row INTEGER PRIMARY KEY, secret BLOB NOT NULL) STRICT",
            // The pages of the audit log, the repeats of their records, and the archive of older pages.
            "CREATE TABLE audit (record INTEGER PRIMARY KEY, sealed BLOB NOT NULL, repeats BLOB) STRICT",
            "CREATE TABLE archive (share INTEGER NOT NULL, record INTEGER NOT NULL, sealed BLOB NOT NULL, "
                + "PRIMARY KEY (share, record)) STRICT",
            // The rows of items that were deleted, for as long as the deletion can be undone, with the date of it.
            "CREATE TABLE removed (row INTEGER PRIMARY KEY, date INTEGER NOT NULL, class INTEGER NOT NULL, "
                + "id BLOB NOT NULL, record BLOB NOT NULL, attributes BLOB NOT NULL, secret BLOB, "
                + IndexColumn.allCases.map { "\($0.name) BLOB" }.joined(separator: ", ") + ") STRICT",
        ]
        + IndexColumn.allCases.filter(\.isIndexed).map {
            "CREATE INDEX items_\($0.name) ON items (\($0.name)) WHERE \($0.name) IS NOT NULL"
        }

    /// The size of the page cache, in KiB.
    static let cache = 24_576
    /// The size of the page cache for reading every row once, in KiB.
    static let smallCache = 1024

    static let pragmas = [
        "PRAGMA synchronous = FULL", "PRAGMA secure_delete = ON", "PRAGMA cache_size = -\(cache)",
        "PRAGMA temp_store = MEMORY", "PRAGMA cell_size_check = ON",
    ]

    /// Creates the tables, in the open transaction.
    static func create(_ connection: Connection) throws {
        for statement in statements { try connection.execute(statement) }
        try connection.execute("PRAGMA user_version = \(current)")
    }

    /// An empty database in memory, which the process creates once and copies. Creating the tables takes as long as
    /// everything else that starts a vault in memory.
    private static let blank = Blank()

    private final class Blank: @unchecked Sendable {  // the connection is used under the lock only
        private let lock = Mutex(())
        private var connection: Connection?

        func copy(to other: Connection) throws {
            try lock.withLock { _ in
                if connection == nil {
                    let made = try Connection(nil, patience: Patience())
                    try create(made)
                    connection = made
                }
                try connection?.copy(to: other)
            }
        }
    }

    /// Creates the tables in a database in memory.
    static func layOut(_ connection: Connection) throws { try blank.copy(to: connection) }

    /// Returns the version in the first hundred bytes of the file at `path`, which are checked before SQLite opens the
    /// file.
    static func version(of bytes: UnsafeRawBufferPointer, _ path: String) throws(VaultError) -> Int {
        guard bytes.count == 100 else { throw .foreign(path) }
        guard bytes.prefix(16).elementsEqual("SQLite format 3\0".utf8) else { throw .foreign(path) }
        let application = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 68, as: UInt32.self))
        if ofVersion01.contains(application) { throw .ofVersion01(path) }
        guard application == Self.application else { throw .foreign(path) }
        let version = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 60, as: UInt32.self)))
        guard version <= current else { throw .newer(path, found: version, known: current) }
        guard version >= 1 else { throw .damaged(.file(path, "it has no tables")) }
        return version
    }
}
