import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The format of a row, and what its bits say.
@Suite struct RowFormatTests {
    /// The place of the bits in a record.
    private static let bits = 27

    /// Changes the record of an item, and gives it a right tag, as any program with the device file can.
    private static func forge(
        _ account: String, of specimen: Specimen, at path: String, _ change: (inout [UInt8]) -> Void
    ) throws -> Int64 {
        let row = try #require(specimen.rows[account])
        let database = try RawDatabase(path + "/vault.db")
        var record = try database.blobs("SELECT record FROM items WHERE row = \(row)")[0]
        change(&record)
        try tag(&record, at: path)
        try database.run("UPDATE items SET record = ? WHERE row = \(row)", record)
        return row
    }

    /// Returns the number of bytes before the tag of a record.
    private static func taggedCount(_ record: [UInt8]) -> Int { Int(record[1]) | Int(record[2]) << 8 }

    /// Gives a record its right tag, under the key in the device file of the vault at this path.
    private static func tag(_ record: inout [UInt8], at path: String) throws {
        let device = try #require(RawFile.read(path + "/device"))
        let key = try Key(copying: Array(device[40..<72]).span.bytes).derive(1, "Latchkey")
        let count = taggedCount(record)
        Tag(of: Array(record[..<count]).span.bytes, under: key).withBytes { tag in
            tag.withUnsafeBytes { record.replaceSubrange(count..<(count + Tag.count), with: $0) }
        }
    }

    private static func opened(_ path: String) throws -> (Vault, VaultContext) {
        let vault = try Vault.open(at: path)
        let context = try vault.makeContext()
        try #require(try vault.enter(passcode: Cast.bytes(Specimen.passcode), in: context).authenticated(.passcode))
        try context.setApplicationPassword(Cast.bytes(Specimen.password))
        return (vault, context)
    }

    /// A row of a later format is refused as newer, not as damaged, because its tag shows that Latchkey wrote it.
    @Test func aRowOfALaterFormatIsNewerAndNotDamaged() throws {
        let (specimen, bench) = (try Specimen(), try Specimen.Bench())
        try specimen.files.write(to: bench.path)
        let row = try Self.forge("plain", of: specimen, at: bench.path) { $0[0] = 2 }
        let (vault, _) = try Self.opened(bench.path)
        #expect(throws: VaultError.newer("the item in row \(row)", found: 2, known: 1)) {
            _ = try vault.reading("plain")
        }
        #expect(try vault.reading("long").count == 5120)
    }

    /// Whether a secret is a body with fields and former versions is in the context of its box.
    @Test(arguments: ["plain", "code", "password"], 0..<8)
    func noBitOfARecordCanBeChangedWithTheKeysOfTheDevice(_ account: String, _ bit: Int) throws {
        let (specimen, bench) = (try Specimen(), try Specimen.Bench())
        try specimen.files.write(to: bench.path)
        _ = try Self.forge(account, of: specimen, at: bench.path) { $0[Self.bits] ^= 1 << UInt8(bit) }
        let (vault, context) = try Self.opened(bench.path)
        let secret = try #require(Specimen.secrets.first { $0.account == account }).secret
        let read = try? vault.reading(account, in: context)
        #expect(read == nil || read == "operation.without-entry" || !secret.contains(read ?? ""), "\(read ?? "")")
        #expect(read != secret)
    }

    /// A secret with former versions is never read as its value.
    @Test func aBodyIsNeverReadAsAValue() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        do {
            let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
            let context = try vault.makeContext()
            try vault.enter(passcode: Cast.bytes("1234"), in: context)
            try vault.adding(Cast.item("it", Cast.control(.devicePasscode)), "former", in: context)
            let edit = SecretChange.edit(.value(try Cast.bytes("present"), keeping: HistoryLimit(age: 86_400_000)))
            #expect(try vault.update(Cast.key("it"), secret: edit, for: Cast.app, in: context).isGranted)
            vault.close()
        }
        let database = try RawDatabase(path + "/vault.db")
        var record = try database.blobs("SELECT record FROM items")[0]
        #expect(record[0] == 1 && record[Self.bits] & 32 != 0)
        record[Self.bits] &= ~32
        try Self.tag(&record, at: path)
        try database.run("UPDATE items SET record = ?", record)
        let vault = try Vault.open(at: path)
        let context = try vault.makeContext()
        try vault.enter(passcode: Cast.bytes("1234"), in: context)
        #expect(throws: VaultError.self) { try vault.reading("it", in: context) }
    }

    /// The place of a key on a card is in the secret of its item, beside the PIN. So no change of the files sends a PIN
    /// elsewhere: neither the secret alone nor the secret with its wraps is read as that of another item.
    @Test(arguments: [false, true]) func noItemGetsTheSecretOfAnother(withItsWraps: Bool) throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let secrets = ["one": "place 1, PIN 1", "other": "place 2, PIN 2"]
        do {
            let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
            let context = try vault.makeContext()
            try vault.enter(passcode: Cast.bytes("1234"), in: context)
            for (account, secret) in secrets {
                try vault.adding(Cast.item(account, Cast.control(.devicePasscode)), secret, in: context)
                #expect(try vault.reading(account, in: context) == secret)
            }
            vault.close()
        }
        let database = try RawDatabase(path + "/vault.db")
        let rows = try database.numbers("SELECT row FROM items ORDER BY row")
        let records = try database.blobs("SELECT record FROM items ORDER BY row")
        try #require(rows.count == 2 && records.count == 2)
        for (row, (record, other)) in zip(rows, [(records[0], records[1]), (records[1], records[0])]) {
            // The wraps come after the columns, whose count is the byte 99. Each column has 17 bytes.
            let place = withItsWraps ? 100 + 17 * Int(record[99]) : Self.taggedCount(record) + Tag.count
            var changed = Array(record[..<place] + other[place...])
            try Self.tag(&changed, at: path)
            try database.run("UPDATE items SET record = ? WHERE row = \(row)", changed)
        }
        let vault = try Vault.open(at: path)
        let context = try vault.makeContext()
        try #require(try vault.enter(passcode: Cast.bytes("1234"), in: context).authenticated(.passcode))
        for account in secrets.keys {
            #expect(throws: VaultError.self) { try vault.reading(account, in: context) }
        }
    }

    @Test(arguments: ["Lkey", "Ltch"]) func aVaultOfVersion01SaysWhatMadeIt(_ mark: String) throws {
        let (specimen, bench) = (try Specimen(), try Specimen.Bench())
        var files = specimen.files
        files.database.replaceSubrange(68..<72, with: Array(mark.utf8))
        try files.write(to: bench.path)
        let error = VaultError.ofVersion01(bench.path + "/vault.db")
        #expect(throws: error) { try Vault.open(at: bench.path) }
        #expect("\(error)".contains("was written by Latchkey 0.1, and this version does not read it: "))
        #expect("\(error)".hasSuffix("run `latchkey export` there, and `latchkey import` here"))
    }

    @Test func aLargeSecretComesBack() throws {
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
            #expect(try vault.export(to: backup, BackupTests.protection()).report.written == 1)
            vault.close()
        }
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
