internal import Synchronization

/// How the database is laid out, version by version.
///
/// A new database goes through every step, so a step that does not work shows at once. Versions are never edited once
/// there are vaults of them; a change is another step.
enum Schema {
    /// "Lkey": what SQLite's header says that the file is.
    static let application: UInt32 = 0x4C6B_6579

    /// What brings a database from the version before to the next.
    private static let steps: [[String]] = [
        [
            // What is sealed under fixed and erase key, and its generation once more in clear: to see cheaply that it moved.
            "CREATE TABLE device (id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, keybag BLOB NOT NULL) STRICT",
            "CREATE TABLE ledger (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL) STRICT",
            "CREATE TABLE items (row INTEGER PRIMARY KEY, class INTEGER NOT NULL, id BLOB NOT NULL, record BLOB NOT NULL, "
                + "attributes BLOB NOT NULL, " + IndexColumn.allCases.map { "\($0.name) BLOB" }.joined(separator: ", ")
                + ") STRICT",
            "CREATE UNIQUE INDEX items_id ON items (id)",
            // Secrets that are too long to lie in the row.
            "CREATE TABLE secrets (row INTEGER PRIMARY KEY, secret BLOB NOT NULL) STRICT",
        ]
            + IndexColumn.allCases.filter(\.isIndexed).map {
                "CREATE INDEX items_\($0.name) ON items (\($0.name)) WHERE \($0.name) IS NOT NULL"
            },
        [
            "CREATE TABLE audit (record INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT"
        ],
        [
            // How often what a page records has happened again, and the pages that are not among the newest any more.
            "ALTER TABLE audit ADD COLUMN repeats BLOB",
            "CREATE TABLE archive (share INTEGER NOT NULL, record INTEGER NOT NULL, sealed BLOB NOT NULL, "
                + "PRIMARY KEY (share, record)) STRICT",
        ],
    ]

    static var current: Int { steps.count }

    static let pragmas = [
        "PRAGMA synchronous = FULL", "PRAGMA secure_delete = ON", "PRAGMA cache_size = -65536",
        "PRAGMA temp_store = MEMORY", "PRAGMA cell_size_check = ON",
    ]

    /// Brings an open transaction on a database of version `from` to version `to`.
    static func migrate(_ connection: Connection, from: Int, to: Int = current) throws {
        for step in steps[from..<to] {
            for statement in step { try connection.execute(statement) }
        }
        try connection.execute("PRAGMA user_version = \(to)")
    }

    /// An empty database in memory, laid out once for the process: laying one out takes as long as all else that a vault in
    /// memory begins with.
    private static let blank = Blank()

    private final class Blank: @unchecked Sendable {  // the connection is used under the lock only
        private let lock = Mutex(())
        private var connection: Connection?

        func copy(to other: Connection) throws {
            try lock.withLock { _ in
                if connection == nil {
                    let made = try Connection(nil, patience: Patience())
                    try migrate(made, from: 0)
                    connection = made
                }
                try connection?.copy(to: other)
            }
        }
    }

    /// Lays a database in memory out in the present version.
    static func layOut(_ connection: Connection) throws { try blank.copy(to: connection) }

    /// The version that the raw first bytes of the file at `path` say, before SQLite gets to see it.
    static func version(of bytes: UnsafeRawBufferPointer, _ path: String) throws(VaultError) -> Int {
        guard bytes.count == 100 else { throw .foreign(path) }
        guard bytes.prefix(16).elementsEqual("SQLite format 3\0".utf8) else { throw .foreign(path) }
        let application = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 68, as: UInt32.self))
        guard application == Self.application else { throw .foreign(path) }
        let version = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 60, as: UInt32.self)))
        guard version <= current else { throw .newer(path, found: version, known: current) }
        guard version >= 1 else { throw .damaged(.file(path, "it has no schema")) }
        return version
    }
}
