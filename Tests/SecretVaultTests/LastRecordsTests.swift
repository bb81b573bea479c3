import Foundation
import SecretVault
import TestSupport
import Testing

/// Every release is on record, even if the vault closes itself before the record was written.
@Suite struct LastRecordsTests {
    private let folder: TemporaryFolder
    private let path: String
    private let vault: Vault

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        path = folder.path("vault")
        try AuditLogTests.vault(at: path).close()
        vault = try Vault.open(at: path, patience: 1)
        try vault.enter(passcode: Cast.bytes("1234"))
        try vault.adding(Cast.item("mail"), "s3cret")
    }

    /// Reads an item, then changes the generation in the database, so that the vault no longer trusts it.
    private func readAndEdit(_ generation: String) throws -> RawDatabase {
        #expect(try vault.reading("mail", as: AuditLogTests.caller("reader")) == "s3cret")
        let database = try RawDatabase(path + "/vault.db")
        try database.run("UPDATE device SET generation = generation \(generation) 1")
        return database
    }

    private func releases() throws -> Int {
        let other = try Vault.open(at: path)
        #expect(try other.verify().findings == [])
        let (records, damage) = try other.auditLog()
        #expect(damage == nil)
        return records.filter { $0.caller.hasPrefix("reader") && $0.kind == .granted }.count
    }

    @Test(arguments: ["-", "+"], ["lock", "flush", "close"])
    func aReleaseIsOnRecordThoughTheKeybagIsNot(generation: String, end: String) throws {
        let database = try readAndEdit(generation)
        switch end {
        case "lock": #expect(throws: VaultError.self) { try vault.lock() }
        case "flush": #expect(throws: VaultError.self) { try vault.flushAudit() }
        default: vault.close()
        }
        try database.run("UPDATE device SET generation = generation \(generation == "-" ? "+" : "-") 1")
        #expect(try releases() == 1)
        vault.close()
        #expect(try releases() == 1, "once")
        #expect(vault.unwrittenRecords == 0)
    }

    /// A record that could not be written before is written when the vault closes.
    @Test func aReleaseWaitsForWhoeverHoldsTheDatabase() throws {
        let database = try readAndEdit("-")
        try database.run("BEGIN IMMEDIATE")
        #expect(throws: VaultError.self) { try vault.lock() }
        try database.run("ROLLBACK; UPDATE device SET generation = generation + 1")
        vault.close()
        #expect(try releases() == 1)
    }

    /// An older ledger is not overwritten, and the vault reports the number of lost records.
    @Test func anOlderLedgerIsNotMadeANewOne() throws {
        let ledger = try #require(try RawDatabase(path + "/vault.db").blobs("SELECT sealed FROM ledger").first)
        try vault.adding(Cast.item("token"), "x")
        let database = try readAndEdit("-")
        try database.run("UPDATE ledger SET sealed = ?", ledger)
        #expect(throws: VaultError.self) { try vault.lock() }
        vault.close()
        #expect(try database.blobs("SELECT sealed FROM ledger") == [ledger])
        #expect(vault.unwrittenRecords > 0)
    }
}
