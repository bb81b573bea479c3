internal import Glibc
internal import LinuxSystem
internal import SodiumKit

extension Connection {
    /// Opens the empty file at `path` as the database of a new vault. Its tables are still to be laid out.
    package static func ofNewVault(at path: String, pageSize: Int, patience: Patience) throws -> Connection {
        let connection = try Connection(path, creating: true, patience: patience)
        try connection.execute("PRAGMA page_size = \(pageSize)")
        try connection.execute("PRAGMA application_id = \(Tables.application)")
        try connection.keepLog()
        return connection
    }

    /// Creates a database in memory, with its tables.
    package static func inMemory() throws -> Connection {
        let connection = try Connection(nil, patience: Patience())
        try connection.execute("PRAGMA journal_mode = MEMORY")
        try Tables.layOut(connection)
        return connection
    }

    /// Opens the database of a vault. It writes nothing into the file before ``mayCheckpoint`` is true.
    package static func ofVault(at path: String, patience: Patience, fileSystem: String?) throws -> Connection {
        let connection = try Connection(path, patience: patience, fileSystem: fileSystem)
        connection.mayCheckpoint = false
        for pragma in Tables.pragmas { try connection.execute(pragma) }
        return connection
    }

    /// Commits the first keybag and the first ledger, after laying out the tables if that is still to do.
    package func fill(isLaidOut: Bool, keybag: [UInt8], generation: Int64, ledger: [UInt8]) throws {
        try execute("BEGIN IMMEDIATE")
        if !isLaidOut { try Tables.create(self) }
        let device = try prepare("INSERT INTO device (id, generation, keybag) VALUES (1, ?, ?)")
        device.bind(1, generation)
        device.bind(2, keybag)
        try device.run()
        let account = try prepare("INSERT INTO ledger (id, sealed) VALUES (1, ?)")
        account.bind(1, ledger)
        try account.run()
        try execute("COMMIT")
    }

    /// Has SQLite keep a write-ahead log.
    package func keepLog() throws { try execute("PRAGMA journal_mode = WAL") }

    /// Moves the contents of the log into the database file, and leaves none of it.
    package func emptyLog() throws { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Moves what can be moved of the log into the database file.
    package func checkpoint() throws { try execute("PRAGMA wal_checkpoint(PASSIVE)") }

    /// Writes the database as it is at this moment into the empty file at `path`, without a log.
    package func write(toFileAt path: String) throws {
        let statement = try prepare("VACUUM INTO CAST(? AS TEXT)")
        path.withPath { path in
            statement.bind(1, UnsafeRawBufferPointer(start: path, count: strlen(path)).bytes)
        }
        try statement.run()
    }

    // MARK: - Inspecting

    /// Returns the sealed keybag; nil if there is none.
    package func keybag() throws -> [UInt8]? {
        let reading = try prepare("SELECT keybag FROM device WHERE id = 1")
        defer { reading.reset() }
        guard try reading.step() else { return nil }
        return reading.bytes(0).map { [UInt8]($0) }
    }

    /// Replaces the sealed keybag, as a program can that is no vault.
    package func replace(keybag box: [UInt8], generation: Int64) throws {
        let writing = try prepare("UPDATE device SET generation = ?, keybag = ? WHERE id = 1")
        writing.bind(1, generation)
        writing.bind(2, box)
        try writing.run()
    }
}
