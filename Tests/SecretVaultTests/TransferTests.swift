import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// A whole vault on its way to another machine: what arrives, what the old machine still opens, and which files and
/// codes are refused.
@Suite struct TransferTests {
    private static let phrase = "a phrase for the file"

    private let folder: TemporaryFolder
    private var file: String { folder.path("vault.transfer") }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private static func protection() throws -> BackupProtection {
        BackupProtection(try Cast.bytes(phrase), cost: .test)
    }

    /// Creates a vault with an item in each class, and some that need authentication.
    private func oldVault() throws -> Vault {
        let vault = try Vault.create(at: folder.path("old"), .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.apply(.enrolled(Cast.index))
        try BackupTests.filled(vault)
        try vault.adding(Cast.item("any", Cast.control(.biometryAny)), "secret of any")
        return vault
    }

    private func context(_ vault: Vault, _ factors: Factor...) throws -> VaultContext {
        try context(vault, factors)
    }

    private func context(_ vault: Vault, _ factors: [Factor]) throws -> VaultContext {
        let context = try vault.makeContext()
        if factors.contains(.passcode) { try vault.enter(passcode: Cast.bytes("1234"), in: context) }
        if factors.contains(.biometry) { try vault.record(.presented(Cast.index), in: context) }
        return context
    }

    private func transfer(_ vault: Vault, isKept: Bool = false) throws {
        try vault.transfer(
            to: file, Self.protection(), isKept: isKept, for: Cast.app,
            in: context(vault, [.passcode, .biometry]))
    }

    private func receive(at name: String = "new", from file: String? = nil) throws -> Vault.Received {
        let opened = try Vault.openTransfer(at: file ?? self.file, passphrase: Cast.bytes(Self.phrase))
        return try Vault.receive(opened, at: folder.path(name))
    }

    /// What is lost is named once the passcode has opened the new vault.
    @Test func whatIsLostIsNamed() throws {
        try transfer(oldVault())
        let opened = try Vault.openTransfer(at: file, passphrase: Cast.bytes(Self.phrase))
        let received = try Vault.receive(
            opened, at: folder.path("new"),
            confirm: { vault in
                let effects = try vault.enter(passcode: Cast.bytes("1234"))
                #expect(effects.authenticated(.passcode))
            })
        #expect(received.invalidated.map(\.attributes) == [Cast.item("current").attributes])
    }

    /// If the passcode is not confirmed, there is no vault.
    @Test func whatIsNotConfirmedIsNotThere() throws {
        struct Wrong: Error {}
        try transfer(oldVault())
        let opened = try Vault.openTransfer(at: file, passphrase: Cast.bytes(Self.phrase))
        #expect(throws: VaultError.self) {
            try Vault.receive(
                opened, at: folder.path("new"),
                confirm: { vault in
                    let effects = try vault.enter(passcode: Cast.bytes("4321"))
                    #expect(effects.contains(.rejected(.passcode)))
                    throw Wrong()
                })
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
        #expect(Set(left) == ["old", "vault.transfer"])
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    // MARK: - What arrives

    @Test func everythingArrives() throws {
        let old = try oldVault()
        try transfer(old)
        #expect(!exists(folder.path("old/transfer.db")))
        let received = try receive()
        #expect(received.findings == [])
        let new = received.vault
        #expect(try new.device.isLocked && !new.device.hasFirstUnlock)
        try new.enter(passcode: Cast.bytes("1234"))
        for row in BackupTests.table where !["presence", "current", "key"].contains(row.name) {
            #expect(try new.reading(row.name) == "secret of \(row.name)", "\(row.name)")
        }
        #expect(try new.reading("presence", in: context(new, .passcode)) == "secret of presence")
        var key = Cast.item("key", try Cast.control([.privateKeyUsage]))
        key.isKey = true
        #expect(try new.signing(.key(key.primaryKey), by: "secret of key"))
        #expect(try new.verify().findings == [])
        // The old vault is as it was.
        #expect(try old.reading("whenUnlocked") == "secret of whenUnlocked")
        #expect(try old.reading("current", in: context(old, .biometry)) == "secret of current")
    }

    /// The sensor of the new machine is another one: what takes any finger opens with a finger enrolled there, and what
    /// takes the fingers of the old machine does not.
    @Test func fingersOfTheOldMachineDoNotCount() throws {
        let old = try oldVault()
        try transfer(old)
        let received = try receive()
        let new = received.vault
        #expect(received.invalidated.isEmpty, "their class is locked, so nobody can name them")
        #expect(try new.device.enrolled.isEmpty)
        #expect(try new.knownSensor == nil)
        try new.enter(passcode: Cast.bytes("1234"))
        try new.apply(.enrolled(Cast.thumb))
        let context = try new.makeContext()
        try new.record(.presented(Cast.thumb), in: context)
        #expect(try new.reading("any", in: context) == "secret of any")
        #expect(try new.reading("current", in: context) != "secret of current")
        // Not with the same finger either.
        try new.apply(.enrolled(Cast.index))
        try new.record(.presented(Cast.index), in: context)
        #expect(try new.reading("current", in: context) != "secret of current")
        #expect(try new.verify().findings == [])
    }

    /// For every access policy, an item is lost exactly if the rule says so.
    @Test func theRuleSaysWhatIsLost() throws {
        let old = try Vault.create(at: folder.path("old"), .simulated(), passcode: Cast.bytes("1234")).vault
        try old.apply(.enrolled(Cast.index))
        for event in [Event.companionPaired, .companionNear, .companionUnlocked] { try old.apply(event) }
        let context = try context(old, .passcode, .biometry)
        try context.setApplicationPassword(Cast.bytes("of the app"))
        var rule: [String: Bool] = [:]
        let all: [AccessControlFlags] = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and,
            .applicationPassword,
        ]
        for bits in 0..<1 << all.count {
            let flags = all.indices.reduce(into: AccessControlFlags()) { flags, place in
                if bits >> place & 1 == 1 { flags.insert(all[place]) }
            }
            guard let control = try? AccessControl(protection: .whenUnlocked, flags: flags) else { continue }
            let name = "\(flags.rawValue)"
            let answer = try old.adding(Cast.item(name, control), "a", in: context)
            if answer.hasPrefix("flags.") { continue }  // these flags exclude each other
            #expect(answer == "granted", "\(flags)")
            rule[name] = Item(control).outlastsTransfer()
        }
        #expect(rule.count > 20 && Set(rule.values) == [true, false])
        try transfer(old)
        let opened = try Vault.openTransfer(at: file, passphrase: Cast.bytes(Self.phrase))
        let received = try Vault.receive(
            opened, at: folder.path("new"),
            confirm: { vault in
                let effects = try vault.enter(passcode: Cast.bytes("1234"))
                #expect(effects.authenticated(.passcode))
            })
        let lost = Set(received.invalidated.map(\.name))
        for (name, outlasts) in rule { #expect(lost.contains(name) != outlasts, "flags \(name)") }
    }

    @Test func bothLogsSayIt() throws {
        let old = try oldVault()
        try transfer(old, isKept: true)
        let new = try receive().vault
        let actions = try new.auditLog().records.map(\.action)
        #expect(actions.contains("transferred, kept"))
        #expect(actions.contains("received"))
        #expect(try old.auditLog().records.contains { $0.action == "transferred, kept" && $0.caller == Cast.app.name })
    }

    /// The new vault has an erase key that the file has not, so what it destroys stays destroyed.
    @Test func theFileOpensNoLaterKeybag() throws {
        let old = try oldVault()
        try transfer(old)
        let new = try receive()
        new.vault.close()
        let again = try receive(at: "again")
        again.vault.close()
        // The device file of one does not open the database of the other, though both come from one file.
        unlink(folder.path("new/device"))
        try FileManager.default.copyItem(atPath: folder.path("again/device"), toPath: folder.path("new/device"))
        #expect(throws: VaultError.damaged(.keybag)) { try Vault.open(at: folder.path("new")) }
    }

    // MARK: - What it takes

    @Test func itTakesThePasscodeAndAMatch() throws {
        let vault = try oldVault()
        #expect(try vault.factorsToTransfer == [.passcode, .biometry])
        for factors in [[], [.passcode], [.biometry]] as [[Factor]] {
            #expect(throws: VaultError.eventNeedsAuthentication) {
                try vault.transfer(
                    to: file, Self.protection(), isKept: false, for: Cast.app, in: context(vault, factors))
            }
            #expect(!exists(file))
        }
        // What opens no more, and what is gone, takes nothing.
        try vault.apply(.enrolled(Cast.thumb))
        _ = try vault.delete(Cast.key("any"), for: Cast.app)
        #expect(try vault.factorsToTransfer == [.passcode])
        try vault.transfer(
            to: file, Self.protection(), isKept: false, for: Cast.app, in: context(vault, .passcode))
        #expect(exists(file))
    }

    @Test func aRealVaultTakesACostOfRealVaults() throws {
        let vault = try Vault.create(at: folder.path("real"), .real(), passcode: Cast.bytes("correct horse")).vault
        let context = try vault.makeContext()
        try vault.enter(passcode: Cast.bytes("correct horse"), in: context)
        #expect(throws: VaultError.realVault(.cost)) {
            try vault.transfer(to: file, Self.protection(), isKept: false, for: Cast.app, in: context)
        }
        #expect(throws: VaultError.realVault(.passphrase)) {
            try vault.transfer(to: file, BackupProtection(), isKept: false, for: Cast.app, in: context)
        }
        #expect(!exists(file))
    }

    @Test func nothingIsReplaced() throws {
        let vault = try oldVault()
        try RawFile.write([1], to: file)
        #expect(throws: VaultError.alreadyThere(file)) { try transfer(vault) }
        unlink(file)
        try transfer(vault)
        let path = folder.path("new")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: VaultError.alreadyThere(path)) { try receive() }
    }

    @Test func aVaultInMemoryIsNotTransferred() throws {
        let vault = try Cast.vault()
        #expect(throws: VaultError.noVault("memory")) {
            try vault.transfer(
                to: file, Self.protection(), isKept: false, for: Cast.app, in: context(vault, .passcode))
        }
        #expect(!exists(file))
    }

    // MARK: - Retiring

    @Test func theCodeRetiresTheOldVault() throws {
        let old = try oldVault()
        let other = try Vault.open(at: folder.path("old"))  // another program has it open
        try other.enter(passcode: Cast.bytes("1234"))
        try transfer(old)
        let code = try #require(try receive().retirementCode)
        #expect(code.count == 19)
        try old.retire(code.uppercased().replacing("-", with: " "), for: Cast.app)
        #expect(throws: VaultError.closed) { try old.reading("whenUnlocked") }
        #expect(throws: VaultError.self) { try other.reading("whenUnlocked") }
        old.close()
        other.close()
        #expect(throws: VaultError.damaged(.keybag)) { try Vault.open(at: folder.path("old")) }
        try RawFile.write([1], to: folder.path("old/notes"))
        #expect(!Vault.removeFiles(at: folder.path("old")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("old")) == ["notes"])
        unlink(folder.path("old/notes"))
        #expect(Vault.removeFiles(at: folder.path("old")))
    }

    /// The database of a copy from before does not open with the device file from after.
    @Test func anEarlierCopyOfTheDatabaseOpensNoMore() throws {
        let old = try oldVault()
        try transfer(old)
        let code = try #require(try receive().retirementCode)
        old.close()
        let kept = folder.path("kept.db")
        try FileManager.default.copyItem(atPath: folder.path("old/vault.db"), toPath: kept)
        let again = try Vault.open(at: folder.path("old"))
        try again.retire(code, for: Cast.app)
        again.close()
        for name in ["vault.db", "vault.db-wal", "vault.db-shm"] { unlink(folder.path("old/\(name)")) }
        try FileManager.default.copyItem(atPath: kept, toPath: folder.path("old/vault.db"))
        #expect(throws: VaultError.self) { try Vault.open(at: folder.path("old")) }
    }

    @Test func aCodeForOtherSecretsChangesNothing() throws {
        let old = try oldVault()
        try transfer(old)
        let code = try #require(try receive().retirementCode)
        try old.adding(Cast.item("late"), "secret of late")
        for wrong in [code, "", "0000-0000-0000-0000", code + "0", String(code.dropLast())] {
            #expect(throws: VaultError.wrongRetirementCode) { try old.retire(wrong, for: Cast.app) }
        }
        #expect(try old.reading("late") == "secret of late")
        #expect(try old.verify().findings == [])
        // Another transfer brings what is new, and its code fits.
        unlink(file)
        try transfer(old)
        let later = try receive(at: "later")
        try later.vault.enter(passcode: Cast.bytes("1234"))
        #expect(try later.vault.reading("late") == "secret of late")
        try old.retire(try #require(later.retirementCode), for: Cast.app)
    }

    /// The code that the new machine shows does not retire the new vault, wherever it is typed.
    @Test func theCodeNeverRetiresTheNewVault() throws {
        let old = try oldVault()
        try transfer(old)
        let received = try receive()
        let code = try #require(received.retirementCode)
        #expect(throws: VaultError.wrongRetirementCode) { try received.vault.retire(code, for: Cast.app) }
        try old.retire(code, for: Cast.app)
        #expect(throws: VaultError.wrongRetirementCode) { try received.vault.retire(code, for: Cast.app) }
        try received.vault.enter(passcode: Cast.bytes("1234"))
        #expect(try received.vault.reading("whenUnlocked") == "secret of whenUnlocked")
        #expect(try received.vault.auditLog().records.contains { $0.action == "retire, wrong" })
    }

    /// A new passcode or enrolled set on the old machine did not arrive, so the code fits no more.
    @Test func aCodeForOtherKeysChangesNothing() throws {
        let old = try oldVault()
        try transfer(old)
        let code = try #require(try receive().retirementCode)
        try old.apply(.enrolled(Cast.thumb))
        #expect(throws: VaultError.wrongRetirementCode) { try old.retire(code, for: Cast.app) }
    }

    @Test func aVaultThatIsKeptHasNoCode() throws {
        let old = try oldVault()
        try transfer(old, isKept: true)
        #expect(try receive().retirementCode == nil)
    }

    /// A receipt in which the owner only looks does not change the code, and a change there does not come back.
    @Test func theCodeIsOfWhatArrived() throws {
        let old = try oldVault()
        try transfer(old)
        let received = try receive()
        try received.vault.enter(passcode: Cast.bytes("1234"))
        try received.vault.adding(Cast.item("of the new machine"), "a")
        #expect(try receive(at: "again").retirementCode == received.retirementCode)
    }

    // MARK: - Files that are refused

    /// A copy of the database that a crash has left is deleted when the vault is opened.
    @Test func nothingIsLeftOfACrash() throws {
        try oldVault().close()
        let left = folder.path("old/transfer.db")
        try RawFile.write([1, 2, 3], to: left)
        try Vault.open(at: folder.path("old")).close()
        #expect(!exists(left))
    }

    @Test func aWrongPassphraseOpensNothing() throws {
        try transfer(oldVault())
        #expect(throws: VaultError.wrongPassphrase(file)) {
            _ = try Vault.openTransfer(at: file, passphrase: Cast.bytes("another phrase"))
        }
    }

    @Test func otherFilesAreNoTransfers() throws {
        for bytes in [[], Array("LatchTra".utf8), [UInt8](repeating: 0, count: 5000)] {
            unlink(file)
            try RawFile.write(bytes, to: file)
            #expect(throws: VaultError.notATransfer(file)) { try Vault.requireTransfer(at: file) }
        }
        unlink(file)
        try RawFile.write(Array("LkTransf".utf8) + [1, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16), to: file)
        #expect(throws: VaultError.ofVersion01(file)) { try Vault.requireTransfer(at: file) }
        unlink(file)
        let backup = try Cast.vault()
        _ = try backup.export(to: file, BackupTests.protection())
        #expect(throws: VaultError.notATransfer(file)) { try Vault.requireTransfer(at: file) }
    }

    /// A real vault writes none, so nobody has to type a passphrase for it.
    @Test func aFileThatIsQuickToGuessIsRefusedBeforeAnyPrompt() throws {
        try transfer(oldVault())
        for cost in [StretchCost.test, .interactive] {
            var bytes = try #require(RawFile.read(file))
            bytes[12] = cost.rawValue
            unlink(file)
            try RawFile.write(bytes, to: file)
            #expect(throws: VaultError.realVault(.cost)) { try Vault.requireTransfer(at: file) }
        }
        var bytes = try #require(RawFile.read(file))
        bytes[12] = StretchCost.moderate.rawValue
        unlink(file)
        try RawFile.write(bytes, to: file)
        try Vault.requireTransfer(at: file)
    }

    @Test func aNewerFormatIsRefused() throws {
        try transfer(oldVault())
        var bytes = try #require(RawFile.read(file))
        bytes[8] = 2
        unlink(file)
        try RawFile.write(bytes, to: file)
        #expect(throws: VaultError.newer(file, found: 2, known: 1)) { try Vault.requireTransfer(at: file) }
    }

    /// Wherever the file was changed or cut, it is refused, and no folder is left.
    @Test func aChangedFileIsRefused() throws {
        try transfer(oldVault())
        let whole = try #require(RawFile.read(file))
        let path = folder.path("changed")
        let first = 29 + 104  // the head and the box of the key
        var places = Array(0..<first + 64)
        places += (0..<64).map { whole.count - 1 - $0 }
        places += stride(from: first + 64, to: whole.count, by: whole.count / 150)
        for place in places where place < whole.count {
            var bytes = whole
            bytes[place] ^= 0x40
            unlink(path)
            try RawFile.write(bytes, to: path)
            #expect(throws: VaultError.self, "byte \(place)") { try receive(from: path) }
        }
        for length in places where length < whole.count {
            unlink(path)
            try RawFile.write(Array(whole[..<length]), to: path)
            #expect(throws: VaultError.self, "length \(length)") { try Vault.requireTransfer(at: path) }
            #expect(throws: VaultError.self, "length \(length)") { try receive(from: path) }
        }
        unlink(path)
        try RawFile.write(whole + [0], to: path)
        #expect(throws: VaultError.self) { try Vault.requireTransfer(at: path) }
        #expect(throws: VaultError.self) { try receive(from: path) }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
        #expect(Set(left) == ["old", "vault.transfer", "changed"])
    }

    /// A vault that was damaged before can still move. The new one says so.
    @Test(arguments: [
        "DELETE FROM items WHERE row = (SELECT min(row) FROM items)",
        "UPDATE items SET record = zeroblob(length(record)) WHERE row = (SELECT min(row) FROM items)",
        "UPDATE items SET attributes = zeroblob(length(attributes))",
    ]) func aDamagedVaultArrivesAsItIs(_ damage: String) throws {
        let old = try oldVault()
        old.close()
        try RawDatabase(folder.path("old/vault.db")).run(damage)
        let opened = try Vault.open(at: folder.path("old"))
        try opened.enter(passcode: Cast.bytes("1234"))
        try opened.apply(.enrolled(Cast.index))
        try transfer(opened)
        let file = try Vault.openTransfer(at: file, passphrase: Cast.bytes(Self.phrase))
        let received = try Vault.receive(
            file, at: folder.path("new"), confirm: { _ = try $0.enter(passcode: Cast.bytes("1234")) })
        #expect(!received.findings.isEmpty)
        #expect(try received.findings == opened.verify().findings)
        try opened.retire(try #require(received.retirementCode), for: Cast.app)
    }
}
