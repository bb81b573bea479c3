import AccessPolicy
import DeviceModel
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The archive of the audit log: every change to it is detected.
@Suite struct AuditArchiveTests {
    // MARK: - Tampering

    /// Fills a vault with pages in every share of the archive, and repeats in the live log.
    private static func filled(at path: String) throws {
        let vault = try AuditLogTests.vault(at: path)
        try vault.adding(Cast.item("mail"), "s3cret")
        try AuditLogTests.addGuarded(to: vault)
        for number in 0..<2_400 {
            let caller = AuditLogTests.caller("\(number)")
            try vault.reading(number.isMultiple(of: 2) ? "guarded" : "mail", as: caller)
            if number.isMultiple(of: 3) { try vault.recordList(for: caller) }
            if number.isMultiple(of: 100) { try vault.flushAudit() }
        }
        for _ in 0..<100 {
            try vault.reading("mail", as: AuditLogTests.caller("looper"))
            try vault.flushAudit()
        }
        #expect(try vault.verify().findings == [])
        vault.close()
    }

    private struct Change: CustomStringConvertible {
        let description: String
        let finding: String

        init(_ sql: String, _ finding: String) {
            description = sql
            self.finding = finding
        }
    }

    private static let changes: [Change] =
        [1, 2, 3].flatMap { share in
            let page = "share = \(share) AND record"
            return [
                Change(
                    "DELETE FROM archive WHERE \(page) = (SELECT MIN(record) FROM archive WHERE share = \(share))",
                    "archive"),
                Change(
                    "DELETE FROM archive WHERE \(page) = (SELECT MAX(record) FROM archive WHERE share = \(share))",
                    "archive"),
                Change("DELETE FROM archive WHERE share = \(share)", "archive"),
                Change(
                    "UPDATE archive SET sealed = substr(sealed, 1, 100) WHERE \(page) = (SELECT MIN(record) FROM archive WHERE share = \(share))",
                    "archive"),
            ]
        } + [
            Change("DELETE FROM archive", "archive"),
            Change(
                "DELETE FROM archive WHERE share = 1 AND record = (SELECT record FROM archive WHERE share = 1 ORDER BY record LIMIT 1 OFFSET 3)",
                "archive"),
            Change("UPDATE archive SET share = 4 WHERE share = 2", "archive"),
            Change("DELETE FROM audit", "audit"),
            Change("DELETE FROM audit WHERE record = (SELECT MIN(record) FROM audit)", "audit"),
            Change("DELETE FROM audit WHERE record = (SELECT MAX(record) FROM audit)", "audit"),
            Change("UPDATE audit SET repeats = NULL WHERE repeats IS NOT NULL", "audit"),
            Change("UPDATE audit SET repeats = x'00' WHERE repeats IS NOT NULL", "audit"),
        ]

    @Test func whateverIsTakenOutOfItIsFound() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        try Self.filled(at: path)
        let files = try VaultFiles(in: path)
        for change in Self.changes {
            try files.write(to: path)
            try RawDatabase(path + "/vault.db").run(change.description)
            let vault = try Vault.open(at: path)
            let findings = Set(try vault.verify().findings.map(\.heading))
            #expect(findings == [change.finding], "\(change)")
            let damage = try vault.auditLog().damage
            #expect(change.description.contains("repeats") || damage != nil, "\(change)")
            // The vault still writes its log, and intact records are still read.
            try vault.flushAudit()
            let latest = try vault.auditRecords(atMost: 1)
            #expect(latest.damage != nil || latest.records.first?.kind == .opened, "\(change)")
        }
    }

    @Test func olderRepeatsPutBackAreFound() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        try Self.filled(at: path)
        let find = "SELECT repeats FROM audit WHERE repeats IS NOT NULL"
        let former = try #require(try RawDatabase(path + "/vault.db").blobs(find).first)
        let vault = try Vault.open(at: path)
        try vault.enter(passcode: Cast.bytes("1234"))
        for _ in 0..<100 {
            try vault.reading("mail", as: AuditLogTests.caller("second"))
            try vault.flushAudit()
        }
        #expect(try vault.verify().findings == [])
        let place = try #require(
            try RawDatabase(path + "/vault.db").numbers(find.replacing("repeats FROM", with: "record FROM")).first)
        try RawDatabase(path + "/vault.db").run(
            "UPDATE audit SET repeats = ? WHERE record = \(place)", former.dropLast() + [former[former.count - 1] ^ 1])
        #expect(try vault.verify().findings.map(\.heading) == ["audit"])
    }

    /// If the oldest page is damaged, the log still drops it to stay within its limit, and `verify` still names it.
    @Test(arguments: [
        ("audit", "1"), ("archive", "share = 1"), ("archive", "share = 2"), ("archive", "share = 3"),
    ])
    func aDamagedPageMakesRoomAndIsNamed(table: String, part: String) throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        try Self.filled(at: path)
        let files = try VaultFiles(in: path)
        let oldest = "FROM \(table) WHERE \(part) ORDER BY record LIMIT 1"
        let place = try #require(try RawDatabase(path + "/vault.db").numbers("SELECT record \(oldest)").first)
        let row = "\(part) AND record = \(place)"
        var flipped = try #require(try RawDatabase(path + "/vault.db").blobs("SELECT sealed \(oldest)").first)
        flipped[flipped.count / 2] ^= 1
        for change in ["flip", "cut", "remove"] {
            try files.write(to: path)
            do {
                let database = try RawDatabase(path + "/vault.db")
                switch change {
                case "flip": try database.run("UPDATE \(table) SET sealed = ? WHERE \(row)", flipped)
                case "cut": try database.run("UPDATE \(table) SET sealed = x'00' WHERE \(row)")
                default: try database.run("DELETE FROM \(table) WHERE \(row)")
                }
            }
            let vault = try Vault.open(at: path)
            try vault.enter(passcode: Cast.bytes("1234"))
            #expect(try vault.verify().findings.map(\.heading) == [table])
            for number in 0..<4_000 {
                let caller = AuditLogTests.caller("late \(number)")
                try vault.reading(number.isMultiple(of: 2) ? "guarded" : "mail", as: caller)
                try vault.recordList(for: caller)
                if number.isMultiple(of: 50) { try vault.flushAudit() }
            }
            try vault.flushAudit()
            let findings = try vault.verify().findings
            #expect(findings.map(\.heading) == ["lost"], "\(change): \(findings)")
            #expect(try vault.auditLog().damage == nil)
            #expect(try vault.auditRecords(atMost: 1).damage == nil)
            vault.close()
            #expect(try AuditLogTests.size(of: path) <= AuditLogTests.limit + 64 * 1024, "\(change)")
            #expect(try Vault.open(at: path).verify().findings == findings, "it stays so")
        }
    }
}
