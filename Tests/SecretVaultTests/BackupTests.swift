import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The items that leave a vault in a backup, and where they open again (semantics 5).
@Suite struct BackupTests {
    /// The folder of all backups. Nothing frees a static value, so it goes when the process ends.
    static let folder: Result<TemporaryFolder, any Error> = Result {
        atexit { try? FileManager.default.removeItem(at: BackupTests.folder.get().url) }
        return try TemporaryFolder(inMemory: true)
    }

    static func path() throws -> String { try folder.get().path(UUID().uuidString) }

    static func protection() throws -> BackupProtection { BackupProtection(try Cast.bytes("phrase"), cost: .test) }

    /// One item in each accessibility class, and some that need authentication.
    static func filled(_ vault: Vault) throws {
        for protection in Accessibility.allCases {
            try vault.adding(Cast.item(protection.name, AccessControl(protection)), "secret of \(protection.name)")
        }
        try vault.adding(Cast.item("presence", Cast.control(.userPresence)), "secret of presence")
        try vault.adding(Cast.item("current", Cast.control(.biometryCurrentSet)), "secret of current")
        var key = Cast.item("key", try Cast.control([.privateKeyUsage]))
        key.isKey = true
        try vault.adding(key, "secret of key")
    }

    /// How each class travels, copied from the semantics page, section 5.
    static let table: [(name: String, encryptedHome: Bool, encryptedElsewhere: Bool, unencryptedHome: Bool)] = [
        ("whenPasscodeSetThisDeviceOnly", false, false, false),
        ("whenUnlockedThisDeviceOnly", true, false, true),
        ("whenUnlocked", true, true, true),
        ("afterFirstUnlockThisDeviceOnly", true, false, true),
        ("afterFirstUnlock", true, true, true),
        ("alwaysThisDeviceOnly", true, false, true),
        ("always", true, true, true),
        ("presence", false, false, false),
        ("current", false, false, false),
        ("key", false, false, false),
    ]

    @Test func anEncryptedBackupComesHomeWhole() throws {
        let vault = try Cast.vault()
        try Self.filled(vault)
        let path = try Self.path()
        let report = try vault.export(to: path, Self.protection()).report
        #expect(report.written == 6)
        #expect(report.leftOut.count == 4)
        #expect(report.leftOut.values.filter { $0 == .asksForAuthentication }.count == 2)
        #expect(report.leftOut.values.filter { $0 == .neverLeaves }.count == 2)
        let before = try vault.find(ItemSearch(.genericPassword, [.acct: .string("always")])).map(\.id)
        let restored = try vault.restore(from: path, passphrase: Cast.bytes("phrase"))
        #expect(restored.report.added == 6)
        #expect(restored.report.ofAnotherDevice == 0)
        for row in Self.table {
            let expected = row.encryptedHome ? "secret of \(row.name)" : "item.not-found"
            #expect(try vault.reading(row.name) == expected, "\(row.name)")
        }
        #expect(try vault.find(ItemSearch(.genericPassword, [.acct: .string("always")])).map(\.id) == before)
        #expect(try vault.verify().findings == [])
    }

    @Test func elsewhereItLeavesOutWhatIsOfTheDevice() throws {
        let vault = try Cast.vault()
        try Self.filled(vault)
        let path = try Self.path()
        _ = try vault.export(to: path, Self.protection())
        let other = try Cast.vault()
        let report = try other.importBackup(from: path, passphrase: Cast.bytes("phrase"))
        #expect(report.added == 3)
        #expect(report.ofAnotherDevice == 3)
        for row in Self.table {
            let expected = row.encryptedElsewhere ? "secret of \(row.name)" : "item.not-found"
            #expect(try other.reading(row.name) == expected, "\(row.name)")
        }
        #expect(try other.importBackup(from: path, passphrase: Cast.bytes("phrase")).duplicates == 3)
    }

    /// Each item that does not travel is named with the reason; at home, those that came back are not.
    @Test func whatStaysBehindIsNamed() throws {
        let vault = try Cast.vault()
        try Self.filled(vault)
        let path = try Self.path()
        _ = try vault.export(to: path, Self.protection())
        func named(_ report: ImportReport) -> [String: LeftBehind.Reason] {
            Dictionary(uniqueKeysWithValues: report.leftBehind.map { ($0.name ?? "", $0.reason) })
        }
        let bound = Self.table.filter { $0.encryptedHome && !$0.encryptedElsewhere }.map {
            ($0.name, LeftBehind.Reason.thisDeviceOnly)
        }
        let kept: [String: LeftBehind.Reason] = [
            "whenPasscodeSetThisDeviceOnly": .neverLeaves, "key": .neverLeaves, "presence": .asksForAuthentication,
            "current": .asksForAuthentication,
        ]
        let elsewhere = try Cast.vault().importBackup(from: path, passphrase: Cast.bytes("phrase"))
        #expect(named(elsewhere) == kept.merging(bound) { $1 })
        #expect(bound.count == elsewhere.ofAnotherDevice)
        #expect(elsewhere.leftBehind.allSatisfy { $0.itemClass == .genericPassword && $0.id != nil })
        let home = try vault.importBackup(from: path, passphrase: Cast.bytes("phrase"))
        #expect(named(home) == kept && home.ofAnotherDevice == 0)
        // The names are sealed like the items.
        let bytes = try Data(contentsOf: URL(filePath: path))
        for name in kept.keys { #expect(bytes.range(of: Data(name.utf8)) == nil, "\(name)") }
    }

    @Test func theReasonsKeepTheirNumbers() {
        let reasons: [LeftBehind.Reason] = [
            .neverLeaves, .asksForAuthentication, .lost, .thisDeviceOnly, .damaged,
        ]
        #expect(reasons.map(\.rawValue) == [1, 2, 3, 4, 5] && LeftBehind.Reason.allCases == reasons)
    }

    /// A file that is cut off, or longer than a backup, is refused before a passphrase is needed.
    @Test func whatIsNotWholeIsRefusedWithoutAKey() throws {
        let vault = try Cast.vault()
        try Self.filled(vault)
        let path = try Self.path()
        _ = try vault.export(to: path, Self.protection())
        try vault.requireBackup(at: path)
        try vault.lock()
        try vault.requireBackup(at: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        let copy = try Self.path()
        for bytes in (0..<whole.count).map({ whole.prefix($0) }) + [whole + [0]] {
            _ = FileManager.default.createFile(atPath: copy, contents: bytes)
            #expect(throws: VaultError.self, "\(bytes.count) bytes") { try vault.requireBackup(at: copy) }
        }
    }

    @Test func anUnencryptedOneOpensOnItsDeviceAlone() throws {
        let vault = try Cast.vault()
        try Self.filled(vault)
        let path = try Self.path()
        _ = try vault.export(to: path, BackupProtection())
        #expect(throws: VaultError.wrongPassphrase(path)) { _ = try Cast.vault().importBackup(from: path) }
        _ = try vault.restore(from: path, passphrase: Cast.bytes("none needed"))
        for row in Self.table {
            let expected = row.unencryptedHome ? "secret of \(row.name)" : "item.not-found"
            #expect(try vault.reading(row.name) == expected, "\(row.name)")
        }
    }

    @Test func aRealVaultTakesAlongWhatThePasscodeAloneOpens() throws {
        let folder = try TemporaryFolder()
        let vault = try Vault.create(
            at: folder.path("vault"), .real(sensor: .touchID), passcode: Cast.bytes("correct horse")
        ).vault
        try vault.apply(.enrolled(Cast.index))
        try Self.filled(vault)
        #expect(throws: VaultError.realVault(.cost)) {
            _ = try vault.export(to: folder.path("weak"), Self.protection())
        }
        let path = folder.path("backup")
        let context = try vault.makeContext()
        try vault.enter(passcode: Cast.bytes("correct horse"), in: context)
        let report = try vault.export(
            to: path, BackupProtection(Cast.bytes("phrase"), cost: .moderate), in: context
        ).report
        #expect(report.written == 7)
        #expect(report.leftOut.count == 3)
        let other = try Cast.vault()
        #expect(try other.importBackup(from: path, passphrase: Cast.bytes("phrase")).added == 4)
        #expect(try other.reading("presence") == "interaction.not-allowed")  // the same policy applies there
        let there = try other.makeContext()
        try other.enter(passcode: Cast.bytes("1234"), in: there)
        #expect(try other.reading("presence", in: there) == "secret of presence")
    }

    @Test func lostItemsStayBehindAndALockedDeviceRefuses() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("current", Cast.control(.biometryCurrentSet)), "x")
        try vault.apply(.enrolled(Cast.thumb))
        let report = try vault.export(to: Self.path(), Self.protection()).report
        #expect(report.leftOut.map(\.value) == [.lost])
        try vault.lock()
        let path = try Self.path()
        #expect(try vault.export(to: path, Self.protection()).effects.refusal == .deviceLocked)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aBackupReplacesNothing() throws {
        let vault = try Cast.vault()
        let path = try Self.path()
        _ = try vault.export(to: path, Self.protection())
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(throws: VaultError.alreadyThere(path)) { _ = try vault.export(to: path, Self.protection()) }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        let left = try FileManager.default.contentsOfDirectory(atPath: try Self.folder.get().url.path)
        #expect(left.filter { $0.contains(".building-") && $0.hasPrefix((path as NSString).lastPathComponent) } == [])
    }

    @Test func everyByteAndEveryLengthIsChecked() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("a", AccessControl(.always)), "first")
        try vault.adding(Cast.item("b", AccessControl(.alwaysThisDeviceOnly)), "second")
        let path = try Self.path()
        _ = try vault.export(to: path, Self.protection())
        let whole = try Data(contentsOf: URL(filePath: path))
        let target = try Vault.inMemory(.simulated()).vault
        var refused = 0
        func tryOut(_ bytes: Data, _ what: String) throws {
            let copy = try Self.path()
            _ = FileManager.default.createFile(atPath: copy, contents: bytes)
            defer { try? FileManager.default.removeItem(atPath: copy) }
            do {
                let report = try target.importBackup(from: copy, passphrase: Cast.bytes("phrase"))
                // Another device cannot open the box of the *same device* key, so it cannot see a change in it.
                #expect(report.added + report.duplicates <= 1 && report.ofAnotherDevice == 1, "\(what)")
            } catch let error as VaultError {
                refused += 1
                #expect(!error.description.isEmpty)
            }
        }
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 0x40
            try tryOut(bytes, "byte \(place)")
        }
        for length in 0..<whole.count { try tryOut(whole.prefix(length), "length \(length)") }
        try tryOut(whole + [0], "one byte more")
        #expect(try target.reading("a") != "second")
        print("backup: \(whole.count) flips and \(whole.count) lengths, \(refused) refused")
        #expect(refused > whole.count * 3 / 2)
    }

    @Test func aDamagedBackupErasesNothing() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("a"), "first")
        let path = try Self.path()
        _ = try vault.export(to: path, Self.protection())
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count - 3] ^= 1
        let damaged = try Self.path()
        _ = FileManager.default.createFile(atPath: damaged, contents: bytes)
        #expect(throws: VaultError.damaged(.backup(1))) {
            _ = try vault.restore(from: damaged, passphrase: Cast.bytes("phrase"))
        }
        #expect(throws: VaultError.wrongPassphrase(path)) {
            _ = try vault.restore(from: path, passphrase: Cast.bytes("fraze"))
        }
        #expect(try vault.reading("a") == "first")
    }
}
