import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The keys of sealed files after a vault has moved: a transferred vault opens the files that were copied along, and a
/// restored backup has class keys of its own, so it opens none.
@Suite struct FileKeyTravelTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func identity(_ protection: FileProtection) -> [UInt8] { Array("a file".utf8) + [protection.rawValue] }

    /// Returns the wrapped keys of new files of each class, with their bytes.
    private func files(_ vault: Vault) throws -> [FileProtection: (wrapped: [UInt8], key: [UInt8])] {
        var files: [FileProtection: (wrapped: [UInt8], key: [UInt8])] = [:]
        for protection in FileProtection.allCases {
            let answer = try vault.createFileKey(protection, for: identity(protection), half: nil, about: nil)
            guard case .granted(let made) = consume answer, let made else {
                Issue.record("no key for a \(protection) file")
                continue
            }
            files[protection] = (made.wrapped, made.key.withBytes { $0.withUnsafeBytes { Array($0) } })
        }
        return files
    }

    /// Returns the key of a file; nil if this vault has not sealed it.
    private func key(_ wrapped: [UInt8], _ protection: FileProtection, _ vault: Vault) throws -> [UInt8]? {
        let answer = try vault.openFileKey(
            wrapped, protection, for: identity(protection), to: .open(protection), about: nil)
        guard case .granted(let key) = consume answer else {
            Issue.record("an unlocked vault denies a \(protection) file")
            return nil
        }
        return key?.withBytes { $0.withUnsafeBytes { Array($0) } }
    }

    @Test func aTransferredVaultOpensTheFilesThatWereCopiedAlong() throws {
        let vault = try Vault.create(at: folder.path("old"), .simulated(), passcode: Cast.bytes("1234")).vault
        let files = try files(vault)
        let context = try vault.makeContext()
        try vault.enter(passcode: Cast.bytes("1234"), in: context)
        try vault.transfer(
            to: folder.path("file"), BackupProtection(Cast.bytes("phrase"), cost: .test), isKept: true, for: Cast.app,
            in: context)
        let opened = try Vault.openTransfer(at: folder.path("file"), passphrase: Cast.bytes("phrase"))
        let new = try Vault.receive(opened, at: folder.path("new")).vault
        // Before the first unlock, the new vault denies them as the old one would.
        for (protection, file) in files where protection != .none {
            let answer = try new.openFileKey(
                file.wrapped, protection, for: identity(protection), to: .open(protection), about: nil)
            if case .granted = consume answer { Issue.record("\(protection) opens before the first unlock") }
        }
        try new.enter(passcode: Cast.bytes("1234"))
        for (protection, file) in files { #expect(try key(file.wrapped, protection, new) == file.key, "\(protection)") }
    }

    @Test func aRestoredBackupOpensNoneAndTheVaultItselfStillDoes() throws {
        let vault = try Vault.create(at: folder.path("old"), .simulated(), passcode: Cast.bytes("1234")).vault
        let files = try files(vault)
        let context = try vault.makeContext()
        try vault.enter(passcode: Cast.bytes("1234"), in: context)
        let backup = folder.path("backup")
        _ = try vault.export(to: backup, BackupProtection(Cast.bytes("phrase"), cost: .test), in: context)
        let other = try Vault.create(at: folder.path("other"), .simulated(), passcode: Cast.bytes("1234")).vault
        for restored in [vault, other] {
            _ = try restored.importBackup(from: backup, passphrase: Cast.bytes("phrase"))
            for (protection, file) in files {
                let expected = restored === vault ? file.key : nil
                #expect(try key(file.wrapped, protection, restored) == expected, "\(protection)")
            }
        }
    }
}
