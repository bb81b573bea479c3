import AccessPolicy
import DeviceModel
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Law "Tamper": after any change to the files, a vault gives the right answer or names what is wrong.
///
/// It never returns wrong bytes, never calls an item missing while verifying finds nothing, and never crashes the
/// process. A vault that it refuses to open stays unchanged.
@Suite(.serialized) struct TamperTests {
    private static let specimen = Result { try Specimen() }

    /// Returns the places that a run tries: all of them in `make soak`, and otherwise the first bytes of each block,
    /// where its structure is, and one in thirty of the rest.
    private func places(in bytes: [UInt8], blocks size: Int) -> [Int] {
        bytes.indices.filter { $0 % size < 64 || DaySample.takesScattered($0, oneIn: 30) }
    }

    private func flipped(_ bytes: [UInt8], at place: Int) -> [UInt8] {
        var bytes = bytes
        bytes[place] ^= place.isMultiple(of: 2) ? 0x01 : 0xFF
        return bytes
    }

    @Test func anUntouchedVaultShowsNothing() throws {
        let specimen = try Self.specimen.get()
        #expect(try Specimen.outcome(of: specimen.files, on: Specimen.Bench()) == .unseen)
    }

    @Test func aByteOfTheDatabaseFlipped() throws {
        let files = try Self.specimen.get().files
        try tally(places(in: files.database, blocks: Specimen.pageSize)) { place, bench, tally in
            var changed = files
            changed.database = flipped(files.database, at: place)
            tally.add(try Specimen.outcome(of: changed, on: bench), "byte \(place)")
        }.report("vault.db, a byte flipped")
    }

    @Test func aByteOfTheDeviceFileFlipped() throws {
        let files = try Self.specimen.get().files
        try tally(places(in: files.device, blocks: 4096)) { place, bench, tally in
            var changed = files
            changed.device = flipped(files.device, at: place)
            tally.add(try Specimen.outcome(of: changed, on: bench), "byte \(place)")
        }.report("device, a byte flipped")
    }

    @Test func theDatabaseCutShort() throws {
        let files = try Self.specimen.get().files
        try tally(places(in: files.database, blocks: Specimen.pageSize)) { length, bench, tally in
            var changed = files
            changed.database = Array(files.database[..<length])
            tally.add(try Specimen.outcome(of: changed, on: bench), "length \(length)")
        }.report("vault.db, cut short")
    }

    @Test func theDeviceFileCutShort() throws {
        let files = try Self.specimen.get().files
        try tally(places(in: files.device, blocks: 4096)) { length, bench, tally in
            var changed = files
            changed.device = Array(files.device[..<length])
            tally.add(try Specimen.outcome(of: changed, on: bench), "length \(length)")
        }.report("device, cut short")
    }
}

// MARK: - Rows

/// Changes to rows that need nothing but SQLite.
@Suite struct RowTests {
    /// Changes a closed vault with the items of the specimen by SQLite, and returns the outcome.
    private func outcome(
        _ change: (RawDatabase, [String: Int64]) throws -> Void
    ) throws -> TamperOutcome {
        let bench = try Specimen.Bench()
        let specimen = try Specimen()
        try specimen.files.write(to: bench.path)
        try apply(change, on: bench, specimen.rows)
        return Specimen.outcome(of: try VaultFiles(in: bench.path), at: bench.path)
    }

    private func apply(
        _ change: (RawDatabase, [String: Int64]) throws -> Void, on bench: Specimen.Bench, _ rows: [String: Int64]
    ) throws {
        let database = try RawDatabase(bench.path + "/vault.db")
        try change(database, rows)
    }

    /// Changes a vault, and returns the findings of verifying it after the passcode.
    private func findings(_ change: (RawDatabase, [String: Int64]) throws -> Void) throws -> [String] {
        let bench = try Specimen.Bench()
        let specimen = try Specimen()
        try specimen.files.write(to: bench.path)
        try apply(change, on: bench, specimen.rows)
        return try findings(at: bench.path, specimen.rows)
    }

    /// Returns the findings of verifying a vault after the passcode, with the names of items instead of row numbers.
    private func findings(at path: String, _ rows: [String: Int64]) throws -> [String] {
        let vault = try Vault.open(at: path)
        try vault.enter(passcode: Cast.bytes(Specimen.passcode))
        defer { vault.close() }
        return try vault.verify().findings.map { finding in
            func name(_ row: Int64) -> String { rows.first { $0.value == row }?.key ?? "another" }
            return switch finding {
            case .damaged(let row, _): "damaged \(name(row))"
            case .changed(let row): "changed \(name(row))"
            case .missing(let row): "missing \(name(row))"
            case .added(let row): "added \(name(row))"
            case .strayedSecret(let row): "strayed \(name(row))"
            default: finding.heading
            }
        }.sorted()
    }

    private func row(_ rows: [String: Int64], _ name: String) throws -> Int64 { try #require(rows[name]) }

    @Test func aRowTakenOutIsMissing() throws {
        for name in Specimen.secrets.map(\.account) {
            let found = try findings { database, rows in
                try database.run("DELETE FROM items WHERE row = \(row(rows, name))")
            }
            #expect(found == (name == "long" ? ["missing long", "strayed long"] : ["missing \(name)"]))
        }
        let both = try findings { database, rows in
            try database.run("DELETE FROM items WHERE row IN (\(row(rows, "plain")), \(row(rows, "code")))")
        }
        #expect(both == ["several rows"])
    }

    @Test func aSecretTakenOutIsNamed() throws {
        #expect(try findings { database, _ in try database.run("DELETE FROM secrets") } == ["damaged long"])
    }

    @Test func aRowDoubledUnderAnotherNumberIsNamed() throws {
        let columns = "class, zeroblob(16), record, attributes, acct, svce FROM items"
        let found = try findings { database, rows in
            try database.run(
                "INSERT INTO items (row, class, id, record, attributes, acct, svce) "
                    + "SELECT 77, \(columns) WHERE row = \(row(rows, "plain"))")
        }
        #expect(found == ["damaged another"])
        // A read does not find a row under another number, and verifying says why.
        let moved = try outcome { database, rows in
            try database.run("UPDATE items SET row = 77 WHERE row = \(row(rows, "plain"))")
        }
        #expect(moved.heading.hasPrefix("named"))
    }

    @Test func whatWasSwappedBetweenItemsIsNamed() throws {
        for column in ["record", "attributes", "id", "acct"] {
            let swapped = try findings { database, rows in
                let plain = try row(rows, "plain")
                let code = try row(rows, "code")
                let first = try database.blobs("SELECT \(column) FROM items WHERE row = \(plain)")[0]
                let second = try database.blobs("SELECT \(column) FROM items WHERE row = \(code)")[0]
                try database.run("UPDATE items SET \(column) = ? WHERE row = \(plain)", Array(repeating: 0, count: 16))
                try database.run("UPDATE items SET \(column) = ? WHERE row = \(code)", first)
                try database.run("UPDATE items SET \(column) = ? WHERE row = \(plain)", second)
            }
            #expect(swapped == ["damaged code", "damaged plain"], "\(column)")
        }
    }

    @Test func aSecretSwappedWithinTheRecordIsNamed() throws {
        func parts(_ record: [UInt8]) -> (head: [UInt8], secret: [UInt8]) {
            let head = Int(record[1]) | Int(record[2]) << 8
            return (Array(record[..<(head + Tag.count)]), Array(record[(head + Tag.count)...]))
        }
        let swap: (RawDatabase, [String: Int64]) throws -> Void = { database, rows in
            let plain = try row(rows, "plain")
            let always = try row(rows, "always")
            let first = parts(try database.blobs("SELECT record FROM items WHERE row = \(plain)")[0])
            let second = parts(try database.blobs("SELECT record FROM items WHERE row = \(always)")[0])
            try database.run("UPDATE items SET record = ? WHERE row = \(plain)", first.head + second.secret)
            try database.run("UPDATE items SET record = ? WHERE row = \(always)", second.head + first.secret)
        }
        #expect(try findings(swap) == ["damaged always", "damaged plain"])
        #expect(try outcome(swap).heading.hasPrefix("named"))
    }

    @Test func aRecordOfAnotherVaultIsDamaged() throws {
        let other = try Specimen()
        let bench = try Specimen.Bench()
        try other.files.write(to: bench.path)
        let foreign = try RawDatabase(bench.path + "/vault.db").blobs(
            "SELECT record FROM items WHERE row = \(row(other.rows, "plain"))")[0]
        let found = try findings { database, rows in
            try database.run("UPDATE items SET record = ? WHERE row = \(row(rows, "plain"))", foreign)
        }
        #expect(found == ["damaged plain"])
    }

    /// Returns the files of a vault before and after `between`, and the rows of its items.
    private func moments(_ between: (Vault) throws -> Void) throws -> (
        bench: Specimen.Bench, before: VaultFiles, after: VaultFiles, rows: [String: Int64]
    ) {
        let bench = try Specimen.Bench()
        let specimen = try Specimen()
        try specimen.files.write(to: bench.path)
        do {
            let vault = try Vault.open(at: bench.path)
            try vault.enter(passcode: Cast.bytes(Specimen.passcode))
            try between(vault)
            vault.close()
        }
        return (bench, specimen.files, try VaultFiles(in: bench.path), specimen.rows)
    }

    /// Reads a value from the earlier files by `query`, and writes it into the later files by `statement`.
    private func putBack(
        _ query: String, by statement: String,
        _ moments: (
            bench: Specimen.Bench, before: VaultFiles, after: VaultFiles, rows: [String: Int64]
        )
    ) throws {
        try moments.before.write(to: moments.bench.path)
        let old: [UInt8]
        do { old = try RawDatabase(moments.bench.path + "/vault.db").blobs(query)[0] }
        try moments.after.write(to: moments.bench.path)
        try RawDatabase(moments.bench.path + "/vault.db").run(statement, old)
    }

    @Test func anOlderVersionOfARowIsNamedByVerifying() throws {
        for name in ["plain", "finger", "long"] {
            let moments = try moments { vault in
                let context = try vault.makeContext()
                try vault.record(.presented(Cast.index), in: context)
                let secret = try SecureBytes(name == "long" ? String(repeating: "new", count: 3000) : "new")
                let isGranted = try vault.update(
                    Cast.key(name), secret: .replace(secret), for: Cast.app, in: context
                ).isGranted
                #expect(isGranted)
            }
            let number = try row(moments.rows, name)
            try putBack(
                "SELECT record FROM items WHERE row = \(number)",
                by: "UPDATE items SET record = ? WHERE row = \(number)", moments)
            let alone = try VaultFiles(in: moments.bench.path)
            // The older record does not fit the newer attributes, but the whole older row is consistent.
            #expect(try findings(at: moments.bench.path, moments.rows) == (["damaged \(name)"]))
            let old = try RawFolder.attributes(of: number, in: moments.before, moments.bench)
            try alone.write(to: moments.bench.path)
            do {
                let database = try RawDatabase(moments.bench.path + "/vault.db")
                try database.run("UPDATE items SET attributes = ? WHERE row = \(number)", old.attributes)
                if let secret = old.secret {
                    try database.run("UPDATE secrets SET secret = ? WHERE row = \(number)", secret)
                }
            }
            #expect(try findings(at: moments.bench.path, moments.rows) == ["changed \(name)"])
            let texts = Specimen.secrets.map(\.secret) + ["new"]
            let files = try VaultFiles(in: moments.bench.path)
            #expect(Specimen.outcome(of: files, at: moments.bench.path, allowing: texts) == .named("changed row"))
        }
    }

    @Test func anOlderAccountIsAnOlderCopy() throws {
        let moments = try moments { try $0.adding(Cast.item("more"), "more") }
        try putBack("SELECT sealed FROM ledger", by: "UPDATE ledger SET sealed = ?", moments)
        let files = try VaultFiles(in: moments.bench.path)
        #expect(Specimen.outcome(of: files, at: moments.bench.path) == .refused("olderCopy"))
    }

    @Test func theKeybagFromBeforeAnEnrollmentChangeDoesNotOpen() throws {
        let moments = try moments { try $0.apply(.enrolled(Cast.thumb)) }
        try putBack("SELECT keybag FROM device", by: "UPDATE device SET keybag = ?", moments)
        let files = try VaultFiles(in: moments.bench.path)
        #expect(Specimen.outcome(of: files, at: moments.bench.path) == .refused("damaged keybag"))
    }

    @Test func theKeybagFromBeforeWrongPasscodesIsNotTaken() throws {
        let moments = try moments { vault in
            for wrong in ["1", "2", "3"] { try vault.enter(passcode: Cast.bytes(wrong)) }
        }
        try moments.before.write(to: moments.bench.path)
        let generation: Int64
        do {
            generation = try RawDatabase(moments.bench.path + "/vault.db").numbers("SELECT generation FROM device")[0]
        }
        try putBack(
            "SELECT keybag FROM device", by: "UPDATE device SET generation = \(generation), keybag = ?", moments)
        let files = try VaultFiles(in: moments.bench.path)
        #expect(Specimen.outcome(of: files, at: moments.bench.path) == .refused("olderCopy"))
    }

    @Test func anOlderCopyOfTheWholeDatabaseIsRefused() throws {
        let moments = try moments { try $0.adding(Cast.item("more"), "more") }
        var files = moments.after
        files.database = moments.before.database
        #expect(try Specimen.outcome(of: files, on: moments.bench) == .refused("olderCopy"))
    }

    @Test func anotherVaultsDeviceFileOpensNothing() throws {
        var files = try Specimen().files
        files.device = try Specimen().files.device
        #expect(try Specimen.outcome(of: files, on: Specimen.Bench()) == .refused("damaged ledger"))
    }

    @Test func aRecordOfTheTrailTakenOutOrPutElsewhereIsFound() throws {
        #expect(try findings { database, _ in try database.run("DELETE FROM audit WHERE record = 2") } == ["audit"])
        #expect(
            try findings { database, _ in
                try database.run("UPDATE audit SET record = -1 WHERE record = 2")
                try database.run("UPDATE audit SET record = 2 WHERE record = 3")
                try database.run("UPDATE audit SET record = 3 WHERE record = -1")
            } == ["audit"])
    }
}

// MARK: - Other files

/// A file that is not a vault is refused as such, and stays unchanged.
@Suite struct OtherFileTests {
    private func outcome(_ change: (inout VaultFiles) throws -> Void) throws -> TamperOutcome {
        var files = try Specimen().files
        try change(&files)
        return try Specimen.outcome(of: files, on: Specimen.Bench())
    }

    @Test func aNewerSchemaIsNewer() throws {
        #expect(try outcome { $0.database[63] = 200 } == .refused("newer"))
        #expect(try outcome { $0.database[60] = 255 } == .refused("newer"))
    }

    @Test func anotherApplicationsDatabaseIsForeign() throws {
        #expect(try outcome { $0.database[68] = 0 } == .refused("foreign"))
        let folder = try TemporaryFolder(inMemory: true)
        do {
            let other = try RawDatabase(folder.path("other.db"))
            try other.run("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')")
        }
        let bytes = try #require(RawFile.read(folder.path("other.db")))
        #expect(try outcome { $0.database = bytes } == .refused("foreign"))
    }

    @Test func whatIsNoDatabaseIsForeign() throws {
        #expect(try outcome { $0.database = [] } == .refused("foreign"))
        #expect(try outcome { $0.database = Array("a text of mine, and nothing else\n".utf8) } == .refused("foreign"))
        #expect(
            try outcome { $0.database = Array(repeating: UInt8(ascii: "x"), count: 8192) } == .refused("foreign"))
        #expect(try outcome { $0.device = [] } == .refused("damaged file"))
        #expect(
            try outcome { $0.device = Array("a text of mine, and nothing else\n".utf8) } == .refused("damaged file"))
    }

    @Test func aDatabaseWithoutItsTablesIsDamaged() throws {
        for table in ["device", "ledger", "items", "secrets", "audit"] {
            let bench = try Specimen.Bench()
            try Specimen().files.write(to: bench.path)
            do { try RawDatabase(bench.path + "/vault.db").run("DROP TABLE \(table)") }
            let outcome = Specimen.outcome(of: try VaultFiles(in: bench.path), at: bench.path)
            #expect(outcome.heading.hasPrefix("refused"), "\(table)")
            do { try Specimen().files.write(to: bench.path) }
            do { try RawDatabase(bench.path + "/vault.db").run("DELETE FROM \(table)") }
            let emptied = Specimen.outcome(of: try VaultFiles(in: bench.path), at: bench.path)
            #expect(emptied != .unseen, "\(table)")
            if case .broken(let why) = emptied { Issue.record("\(table): \(why)") }
        }
    }
}

// MARK: - The log

/// The log that a vault leaves if it was not closed, and that SQLite applies. After any change to it, either all of it
/// counts or the database is an older copy.
@Suite struct LogTests {
    private static let killed = Result { () throws -> VaultFiles in
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        var options = VaultOptions.simulated()
        options.pageSize = 512
        let vault = try Vault.create(at: path, options, passcode: Cast.bytes(Specimen.passcode)).vault
        try vault.apply(.enrolled(Cast.index))
        try Specimen.fill(vault)
        return try VaultFiles(in: path)  // the vault is still open, as if the process were killed now
    }

    @Test func aVaultThatWasNotClosedOpensAgain() throws {
        let files = try Self.killed.get()
        #expect(try #require(files.log).count > 4096)
        #expect(try Specimen.outcome(of: files, on: Specimen.Bench()) == .unseen)
    }

    @Test func aLogWithFlippedBytesOrCutShort() throws {
        let files = try Self.killed.get()
        let log = try #require(files.log)
        try tally(Array(stride(from: 0, to: log.count, by: 61))) { place, bench, tally in
            var changed = files
            changed.log?[place] ^= 0x10
            tally.add(try Specimen.outcome(of: changed, on: bench), "byte \(place)")
        }.report("vault.db-wal, every 61st byte flipped")
        try tally(Array(stride(from: 0, to: log.count, by: 61))) { length, bench, tally in
            var changed = files
            changed.log = Array(log[..<length])
            tally.add(try Specimen.outcome(of: changed, on: bench), "length \(length)")
        }.report("vault.db-wal, cut at every 61st length")
        var without = files
        without.log = nil
        #expect(try Specimen.outcome(of: without, on: Specimen.Bench()) == .refused("olderCopy"))
    }

    @Test func whatIsRefusedLateIsNotWrittenIntoTheDatabaseEither() throws {
        let bench = try Specimen.Bench()
        for change in ["DROP TABLE audit", "UPDATE device SET generation = 1", "DELETE FROM ledger"] {
            try Self.killed.get().write(to: bench.path)
            let database = try RawDatabase(bench.path + "/vault.db")
            try database.run("PRAGMA wal_autocheckpoint = 0")
            try database.run(change)
            let files = try VaultFiles(in: bench.path)  // the change is only in the log
            let outcome = try Specimen.outcome(of: files, on: Specimen.Bench())
            #expect(outcome.heading.hasPrefix("refused"), "\(change): \(outcome)")
        }
    }

    @Test func aJournalPutBesideTheDatabaseIsNotPlayedBack() throws {
        let files = try Specimen().files
        let bench = try Specimen.Bench()
        let scratch = bench.folder.path("scratch.db")
        try RawFile.write(files.database, to: scratch)
        var journal: [UInt8] = []
        do {
            // SQLite leaves this journal if it is killed in a transaction on a database that is not in WAL mode.
            let database = try RawDatabase(scratch)
            try database.run("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN")
            try database.run("UPDATE items SET record = zeroblob(length(record)), acct = NULL")
            try database.run("UPDATE secrets SET secret = zeroblob(length(secret))")
            journal = try #require(RawFile.read(scratch + "-journal"))
            try database.run("ROLLBACK")
        }
        #expect(journal.count > 1024)
        try files.write(to: bench.path)
        try RawFile.write(journal, to: bench.path + "/vault.db-journal")
        let outcome = Specimen.outcome(of: files, at: bench.path)
        #expect(outcome == .refused("unsafePath"), "\(outcome)")
        #expect(RawFile.read(bench.path + "/vault.db-journal") == journal)
        #expect(unlink(bench.path + "/vault.db-journal") == 0)
        #expect(Specimen.outcome(of: files, at: bench.path) == .unseen)
    }

    @Test func aLogOfAnotherVaultIsNotPlayedIn() throws {
        var files = try Specimen().files
        files.log = try Self.killed.get().log
        let outcome = try Specimen.outcome(of: files, on: Specimen.Bench())
        #expect(outcome.heading.hasPrefix("refused"), "\(outcome)")
    }
}

/// The contents of rows, read without a vault.
enum RawFolder {
    static func attributes(of row: Int64, in files: VaultFiles, _ bench: Specimen.Bench) throws -> (
        attributes: [UInt8], secret: [UInt8]?
    ) {
        try files.write(to: bench.path)
        let database = try RawDatabase(bench.path + "/vault.db")
        return (
            try database.blobs("SELECT attributes FROM items WHERE row = \(row)")[0],
            try database.blobs("SELECT secret FROM secrets WHERE row = \(row)").first
        )
    }
}
