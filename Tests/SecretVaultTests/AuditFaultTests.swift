import CFaultFileSystem
import Foundation
import SecretVault
import TestSupport
import Testing

extension FaultTests {
    /// Counts the grants in the log, which has to be intact.
    private func grants(at path: String) throws -> Int {
        let vault = try Vault.open(at: path)
        #expect(try vault.verify().findings == [])
        let (records, damage) = try vault.auditLog()
        #expect(damage == nil)
        return AuditLogTests.times(records, [.granted], dropped: "grants")
    }

    /// If a write fails while records move to the archive, each record is there exactly once afterwards.
    @Test(.timeLimit(.minutes(20))) func aLogThatIsBeingArchivedIsWhole() throws {
        try #require(latchkey_faults_register())
        let folder = try TemporaryFolder(inMemory: true)
        let prototype = folder.path("prototype")
        do {
            let vault = try AuditLogTests.vault(at: prototype)
            try vault.adding(Cast.item("mail"), "s3cret")
            for number in 0..<3_000 {
                try vault.reading("mail", as: AuditLogTests.caller("\(number)"))
                if number.isMultiple(of: 300) { try vault.flushAudit() }
            }
            vault.close()
        }
        let before = try grants(at: prototype)
        let news = 600
        var fired = 0
        for (kind, lasting) in [
            (LATCHKEY_FAULT_WRITE, false), (LATCHKEY_FAULT_SHORT_WRITE, false), (LATCHKEY_FAULT_FULL, true),
            (LATCHKEY_FAULT_SYNC, true),
        ] {
            // Failing at every call would take too long, so the first calls fail, and some of the later ones.
            for number in Array(1...3) + Array(stride(from: 5, to: 400, by: 40)) {
                let (path, torn) = (folder.path("vault"), folder.path("torn"))
                try Self.copy(prototype, to: path)
                defer { for path in [path, torn] { try? FileManager.default.removeItem(atPath: path) } }
                let vault = try Vault.open(at: path, fileSystem: "latchkey-faults", keys: nil)
                try vault.enter(passcode: Cast.bytes("1234"))
                for number in 0..<news { try vault.reading("mail", as: AuditLogTests.caller("new \(number)")) }
                latchkey_faults_arm(kind, Int32(number), lasting)
                let isWritten = (try? vault.flushAudit()) != nil
                let hasFired = latchkey_faults_disarm() > 0
                // A copy of the files is what a process that ends here would leave.
                try Self.copy(path, to: torn)
                let found = try grants(at: torn)
                // Some of the waiting records may have been written on their own by now.
                #expect((before...before + news).contains(found), "\(kind) \(number)")
                #expect(!isWritten || found == before + news, "\(kind) \(number)")
                // Otherwise the vault goes on, unless it has closed itself because the outcome is unknown.
                if (try? vault.flushAudit()) != nil {
                    vault.close()
                    #expect(try grants(at: path) == before + news, "\(kind) \(number)")
                }
                if !hasFired { break }
                fired += 1
            }
        }
        #expect(fired > 10)
    }
}
