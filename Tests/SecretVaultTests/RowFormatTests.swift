import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The formats of keybag and rows, and the conversion of earlier ones.
@Suite struct RowFormatTests {
    /// The first byte of every row's record, by the account of the item.
    private static func formats(_ path: String, _ accounts: [String]) throws -> [String: UInt8] {
        let database = try RawDatabase(path + "/vault.db")
        let records = try database.blobs("SELECT record FROM items ORDER BY substr(record, 20, 1)")
        return Dictionary(uniqueKeysWithValues: zip(accounts, records.map { $0[0] }))
    }

    @Test func onlyWhatNeedsTheSecondFormatIsWrittenInIt() throws {
        let specimen = try Specimen()
        let bench = try Specimen.Bench()
        try specimen.files.write(to: bench.path)
        let formats = try Self.formats(bench.path, Specimen.secrets.map(\.account))
        #expect(formats == ["plain": 1, "always": 1, "finger": 1, "code": 1, "password": 2, "long": 1])
    }

    @Test func aKeybagOfAnEarlierFormatIsWrittenAnewAndThePasscodeCommitsOnceItIsTyped() throws {
        let vector = try KeptVectors.expected("everything")
        let bench = try Specimen.Bench()
        try KeptVectors.inUse(try VaultFiles(in: KeptVectors.url("everything").path), bench) { vault in
            let before = try vault.keybagForm()
            #expect(before.format == 3)
            #expect(before.isCommittedToPasscode == false && before.isCommittedToRecovery == false)
            #expect(try !vault.enter(passcode: Cast.bytes("not it")).authenticated(.passcode))
            #expect(try vault.keybagForm().isCommittedToPasscode == false)
            #expect(try vault.enter(passcode: Cast.bytes(vector.passcode)).authenticated(.passcode))
            #expect(try vault.keybagForm().isCommittedToPasscode == true)
        }
        let again = try Vault.open(at: bench.path)
        #expect(try again.keybagForm().isCommittedToPasscode == true)
        #expect(try again.enter(passcode: Cast.bytes(vector.passcode)).authenticated(.passcode))
        let recovery = try #require(
            try again.rekey(Cast.bytes(vector.passcode)).recovery)
        #expect(try again.keybagForm().isCommittedToRecovery == true)
        #expect(try again.recover(with: recovery, to: Cast.bytes("another")).refusal == nil)
        #expect(try again.enter(passcode: Cast.bytes("another")).authenticated(.passcode))
    }

    @Test func whatLiesUnderAnApplicationPasswordCommitsOnceItIsWrittenAnew() throws {
        let vector = try KeptVectors.expected("replaces-sensor")
        let bench = try Specimen.Bench()
        let accounts = KeptVectors.items.map(\.account)
        try VaultFiles(in: KeptVectors.url("replaces-sensor").path).write(to: bench.path)
        #expect(try Self.formats(bench.path, accounts)["password"] == 1)
        try KeptVectors.inUse(try VaultFiles(in: KeptVectors.url("replaces-sensor").path), bench) { vault in
            let context = try KeptVectors.prove(vault, vector)
            try context.setApplicationPassword(Cast.bytes(vector.applicationPassword))
            #expect(try vault.reading("password", in: context) == "password secret")
            let isGranted = try vault.update(
                Cast.key("password"), secret: .replace(Cast.bytes("newer")), for: Cast.app, in: context
            ).isGranted
            #expect(isGranted)
            #expect(try vault.reading("password", in: context) == "newer")
            try context.setApplicationPassword(Cast.bytes("another"))
            #expect(try vault.reading("password", in: context) != "newer")
            #expect(try vault.verify().findings == [])
        }
        let database = try RawDatabase(bench.path + "/vault.db")
        #expect(try database.blobs("SELECT record FROM items").filter { $0[0] == 2 }.count == 1)
    }

    /// A row of a later format is refused as newer, not as damaged, because its tag shows that Latchkey wrote it.
    @Test func aRowOfALaterFormatIsNewerAndNotDamaged() throws {
        let specimen = try Specimen()
        let bench = try Specimen.Bench()
        try specimen.files.write(to: bench.path)
        let row = try #require(specimen.rows["plain"])
        let device = specimen.files.device
        let fixed = try Key(copying: Array(device[40..<72]).span.bytes)
        let tagKey = try fixed.derive(1, "Latchkey")
        do {
            let database = try RawDatabase(bench.path + "/vault.db")
            var record = try database.blobs("SELECT record FROM items WHERE row = \(row)")[0]
            let count = Int(record[1]) | Int(record[2]) << 8
            record[0] = 4
            let tag = Tag(of: Array(record[..<count]).span.bytes, under: tagKey)
            tag.withBytes { tag in
                tag.withUnsafeBytes { record.replaceSubrange(count..<(count + Tag.count), with: $0) }
            }
            try database.run("UPDATE items SET record = ? WHERE row = \(row)", record)
        }
        let vault = try Vault.open(at: bench.path)
        try vault.enter(passcode: Cast.bytes(Specimen.passcode))
        #expect(throws: VaultError.newer("the item in row \(row)", found: 4, known: 3)) {
            _ = try vault.reading("plain")
        }
        #expect(try vault.reading("long").count == 5120)
    }

    /// A secret that is too large for the first format gets the second one. An older version refuses the vault by the
    /// version of its sealed keys.
    @Test func aLargeSecretComesBackAndLiesInTheSecondFormat() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        var large = try SecureBytes(count: 20 << 20)
        large.withMutableBytes { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
            bytes[bytes.count - 1] = 7
        }
        let backup = folder.path("backup")
        do {
            let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
            let isGranted = try vault.add(Cast.item("large"), secret: large, for: Cast.app).isGranted
            #expect(isGranted)
            #expect(try vault.keybagForm().format == 3)
            #expect(try vault.export(to: backup, BackupTests.protection()).report.written == 1)
            vault.close()
        }
        #expect(try RawDatabase(path + "/vault.db").blobs("SELECT record FROM items")[0][0] == 2)
        let vault = try Vault.open(at: path)
        try vault.enter(passcode: Cast.bytes("1234"))
        let other = try Cast.vault()
        #expect(try other.importBackup(from: backup, passphrase: Cast.bytes("phrase")).added == 1)
        for opened in [vault, other] {
            guard case .granted(let found) = try opened.read(Cast.key("large"), for: Cast.app) else {
                Issue.record("the secret is not given")
                continue
            }
            let isSame: Bool? =
                switch found {
                case .some(let bytes): bytes.equals(large)
                case .none: nil
                }
            #expect(isSame == true)
        }
        #expect(try vault.verify().findings == [])
    }
}
