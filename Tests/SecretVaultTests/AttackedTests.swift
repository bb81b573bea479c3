import AccessPolicy
import DeviceModel
import Foundation
import KeyKit
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// Attacks that once succeeded against the vault, and must not succeed again.
@Suite struct AttackedTests {
    private func onDisk(_ folder: TemporaryFolder) throws -> Vault.Created {
        var options = VaultOptions.simulated()
        options.hasRecoveryKey = true
        let created = try Vault.create(at: folder.path("vault"), options, passcode: Cast.bytes("1234"))
        try created.vault.apply(.enrolled(Cast.index))
        return created
    }

    private func second(_ folder: TemporaryFolder) throws -> Vault {
        let vault = try Vault.open(at: folder.path("vault"))
        try vault.enter(passcode: Cast.bytes("1234"))
        return vault
    }

    @Test func whatSomebodyBroughtBackIsNotTakenForTheLostItemOfBefore() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let one = try onDisk(folder).vault
        try one.adding(Cast.item("x"), "precious")
        let backup = folder.path("backup")
        _ = try one.export(to: backup, BackupProtection(Cast.bytes("phrase"), cost: .test))
        let bound = ItemChanges(control: try Cast.control(.biometryCurrentSet))
        #expect(try one.update(Cast.key("x"), bound, secret: .keep, for: Cast.app).isGranted)
        try one.apply(.enrolled(Cast.thumb))
        let other = try second(folder)
        #expect(try one.reading("x") == "biometry.current-set.changed")
        #expect(try other.importBackup(from: backup, passphrase: Cast.bytes("phrase")).added == 1)
        #expect(try one.reading("x") == "precious")
        try one.adding(Cast.item("other"), "o")
        #expect(try other.reading("x") == "precious")
    }

    /// One program replaces salt and root while another sets a passcode. The second to commit takes in what the first
    /// did.
    @Test(arguments: ["change", "recover"]) func aPasscodeSetDuringARekeyOpensTheVault(_ way: String) throws {
        let folder = try TemporaryFolder(inMemory: true)
        let created = try onDisk(folder)
        let one = created.vault
        try one.adding(Cast.item("x"), "precious")
        let other = try second(folder)
        let recoveryKey = try #require(created.recoveryKey)
        let hasStarted = Atomic(false)
        let isDone = DispatchSemaphore(value: 0)
        try other.observeTransactions { moment in
            guard moment == .began, !hasStarted.exchange(true, ordering: .relaxed) else { return }
            Thread.detachNewThread {
                if way == "change" {
                    _ = try? one.changePasscode(from: Cast.bytes("1234"), to: Cast.bytes("5678"))
                } else {
                    _ = try? one.recover(with: recoveryKey, to: Cast.bytes("5678"))
                }
                isDone.signal()
            }
            usleep(200_000)
        }
        _ = try other.rekey(Cast.bytes("1234"))
        isDone.wait()
        one.close()
        other.close()
        let vault = try Vault.open(at: folder.path("vault"))
        let opens = try ["1234", "5678"].filter { try vault.enter(passcode: Cast.bytes($0)).authenticated(.passcode) }
        #expect(opens.count == 1)
        #expect(try vault.reading("x") == "precious")
    }

    @Test func oneDamagedRowStopsNoBackup() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try onDisk(folder).vault
        for number in 0..<3 { try vault.adding(Cast.item("\(number)"), "secret") }
        try RawDatabase(folder.path("vault") + "/vault.db").run(
            "UPDATE items SET record = zeroblob(300) WHERE row = (SELECT min(row) FROM items)")
        let report = try vault.export(
            to: folder.path("backup"), BackupProtection(Cast.bytes("phrase"), cost: .test)
        ).report
        #expect(report.written == 2)
        #expect(report.damaged.count == 1)
    }

    @Test func aPasswordChangedElsewhereIsWrongAndNoDamage() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let one = try onDisk(folder).vault
        let other = try second(folder)
        let here = try one.makeContext()
        let there = try other.makeContext()
        for context in [here, there] { try context.setApplicationPassword(Cast.bytes("first")) }
        let control = try Cast.control(.applicationPassword)
        try one.adding(Cast.item("x", control), "secret", in: here)
        #expect(try other.reading("x", in: there) == "secret")
        let plain = ItemChanges(control: AccessControl(.whenUnlocked))
        #expect(try one.update(Cast.key("x"), plain, secret: .keep, for: Cast.app, in: here).isGranted)
        try here.setApplicationPassword(Cast.bytes("second"))
        let locked = ItemChanges(control: control)
        #expect(try one.update(Cast.key("x"), locked, secret: .keep, for: Cast.app, in: here).isGranted)
        #expect(try other.reading("x", in: there) == "application-password.wrong")
        try there.setApplicationPassword(Cast.bytes("second"))
        #expect(try other.reading("x", in: there) == "secret")
    }

    @Test func aDeviceWhoseSequenceIsAtItsEndIsDamaged() throws {
        let folder = try TemporaryFolder(inMemory: true)
        try onDisk(folder).vault.close()
        let device = folder.path("vault") + "/device"
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: device)))
        for block in 1...2 where bytes[(block * 4096 + 16)..<(block * 4096 + 24)].contains(where: { $0 != 0 }) {
            for place in 16..<24 { bytes[block * 4096 + place] = 255 }
            let sum = Checksum.of(Array(bytes[(block * 4096)..<(block * 4096 + 4080)]).span.bytes)
            bytes.replaceSubrange((block * 4096 + 4080)..<(block * 4096 + 4096), with: sum)
        }
        let file = try FileHandle(forWritingTo: URL(filePath: device))
        try file.write(contentsOf: Data(bytes))
        try file.close()
        let vault = try second(folder)
        #expect(throws: VaultError.damaged(.file(device, "no sequence is left"))) {
            try vault.apply(.removed(Cast.index))
        }
        #expect(try vault.verify().findings == [])
    }

    @Test func aRealVaultIsNeitherErasedNorRestoredOver() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try Vault.create(at: folder.path("vault"), .real(), passcode: Cast.bytes("correct horse")).vault
        try vault.adding(Cast.item("x"), "precious")
        let backup = folder.path("backup")
        _ = try vault.export(to: backup, BackupProtection(Cast.bytes("phrase"), cost: .moderate))
        #expect(throws: VaultError.realVault(.passphrase)) {
            _ = try vault.export(to: folder.path("bare"), BackupProtection())
        }
        #expect(throws: VaultError.realVault(.passcode)) { try vault.apply(.erase) }
        #expect(throws: VaultError.realVault(.passcode)) {
            _ = try vault.restore(from: backup, passphrase: Cast.bytes("phrase"))
        }
        #expect(try vault.reading("x") == "precious")
    }

    @Test func whatBringsOutNoSecretIsNotAWayToOne() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("guarded", Cast.control(.userPresence)), "guarded")
        var key = Cast.item("key")
        key.isKey = true
        try vault.adding(key, "private")
        for action in Action.allCases {
            for name in ["guarded", "key"] {
                let trial = try KeyTrial.signing(by: PrivateKey(derivedFrom: "private").publicKey)
                let isKeyUse = name == "key" && [.sign, .agree, .decapsulate].contains(action)
                let isGranted: Bool
                switch try vault.use(Cast.key(name), to: action, trial.operation, for: Cast.app) {
                case .granted(.done(let output)): isGranted = trial.isRight(output)
                default: isGranted = false
                }
                #expect(isGranted == isKeyUse, "\(action) of \(name)")
                let isDescribed = try vault.describe(action, Cast.key(name), for: Cast.app).isGranted
                if action.writes { #expect(!isDescribed) }
            }
        }
    }

    @Test func nothingIsChangedWithoutProof() throws {
        let vault = try Cast.vault()
        let good = try vault.makeContext()
        try good.setApplicationPassword(Cast.bytes("right"))
        try vault.adding(Cast.item("presence", Cast.control(.userPresence)), "guarded")
        try vault.adding(Cast.item("password", Cast.control(.applicationPassword)), "guarded", in: good)
        let bad = try vault.makeContext()
        for name in ["presence", "password"] {
            for changes in [ItemChanges(control: AccessControl(.whenUnlocked)), ItemChanges(group: "com.example.app")] {
                try bad.setApplicationPassword(Cast.bytes("wrong"))
                #expect(try !vault.update(Cast.key(name), changes, secret: .keep, for: Cast.app, in: bad).isGranted)
                #expect(
                    try !vault.update(
                        Cast.key(name), changes, secret: .replace(Cast.bytes("new")), for: Cast.app
                    ).isGranted)
            }
        }
        #expect(try vault.reading("password", in: good) == "guarded")
    }
}
