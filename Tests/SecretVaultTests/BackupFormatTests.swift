import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import LinuxSystem
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// The format of a backup: what its boxes commit to, which costs it can have, and where it can be written.
@Suite struct BackupFormatTests {
    private static let salt = [UInt8](0..<16)

    /// Returns the first bytes of a backup of this cost.
    private static func head(cost: UInt8) -> [UInt8] { Array("LatchBak".utf8) + [1, 0, 0, 0, cost] + salt }

    private static func file(_ bytes: [UInt8]) throws -> String {
        let path = try BackupTests.path()
        try RawFile.write(bytes, to: path)
        return path
    }

    private static func bytes(_ key: borrowing Key) -> [UInt8] {
        key.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } }
    }

    private static func stretched(_ passphrase: String) throws -> [UInt8] {
        bytes(try StretchCost.test.stretch(Cast.bytes(passphrase), salt: salt))
    }

    /// Returns the hash of texts and bytes under a key, as the page on the format describes it.
    private static func hash(_ key: [UInt8], _ texts: [String], _ parts: [[UInt8]] = []) throws -> [UInt8] {
        let key = try Key(copying: key.span.bytes)
        var hash = try KeyedHash(key)
        for part in texts.map({ Array($0.utf8) }) + parts { hash.add(part.span.bytes) }
        return hash.bytes()
    }

    /// Returns the error with which a backup is refused.
    private static func refusal(of path: String, _ passphrase: String) throws -> VaultError {
        let vault = try Cast.vault()
        do {
            _ = try vault.importBackup(from: path, passphrase: Cast.bytes(passphrase))
        } catch let error as VaultError {
            return error
        }
        Issue.record("the backup was taken in")
        return .closed
    }

    // MARK: - Commitment

    /// A plain box can be made to open under two of many passphrases, so that its answer tells these from all others. A
    /// committed box opens under one at most.
    @Test func aBackupOpensUnderOnePassphrase() throws {
        let head = Self.head(cost: 1)
        let one = try Self.stretched("one")
        let inside = TwoKeyBox.make(
            try Self.hash(one, ["committed box"]), try Self.hash(Self.stretched("two"), ["committed box"]),
            context: head)
        let commitment = try Self.hash(one, ["commitment"], [Array(inside[..<24]), head])
        let path = try Self.file(head + commitment + inside + [UInt8](repeating: 0, count: 104))
        #expect(try Self.refusal(of: path, "one") == .damaged(.backup(0)))
        #expect(try Self.refusal(of: path, "two") == .wrongPassphrase(path))
        #expect(try Self.refusal(of: path, "three") == .wrongPassphrase(path))
    }

    @Test func aBackupOfAnotherFormatSaysWhatMadeIt() throws {
        let vault = try Cast.vault()
        let path = try BackupTests.path()
        _ = try vault.export(to: path, BackupTests.protection())
        var later = try #require(RawFile.read(path))
        later[8] = 2
        let newer = try Self.file(later)
        #expect(try Self.refusal(of: newer, "phrase") == .newer(newer, found: 2, known: 1))
        for version in 1...3 as ClosedRange<UInt8> {
            let former = try Self.file(Array("LkBackup".utf8) + [version, 0, 0, 0, 1] + Self.salt)
            #expect(try Self.refusal(of: former, "phrase") == .ofVersion01(former))
        }
    }

    // MARK: - Cost

    @Test func aRealVaultTakesInNoneThatCostsLessThanItsOwn() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let real = try Vault.create(at: folder.path("vault"), .real(), passcode: Cast.bytes("correct horse")).vault
        let simulated = try Cast.vault()
        try simulated.adding(Cast.item("a", AccessControl(.always)), "first")
        let weak = try BackupTests.path()
        _ = try simulated.export(to: weak, BackupTests.protection())
        let free = try BackupTests.path()
        _ = try simulated.export(to: free, BackupProtection())
        #expect(try simulated.cost(ofBackupAt: weak) == .test)
        #expect(try simulated.cost(ofBackupAt: free) == nil)
        #expect(throws: VaultError.realVault(.cost)) {
            try real.importBackup(from: weak, passphrase: Cast.bytes("phrase"))
        }
        #expect(throws: VaultError.realVault(.passphrase)) { try real.importBackup(from: free) }
        #expect(throws: VaultError.realVault(.passphrase)) {
            try real.importBackup(from: free, passphrase: Cast.bytes("phrase"))
        }
        #expect(throws: VaultError.realVault(.passphrase)) { try real.cost(ofBackupAt: free) }
        #expect(throws: VaultError.realVault(.cost)) { try real.cost(ofBackupAt: weak) }
        // A real vault does not write such a backup either.
        #expect(throws: VaultError.realVault(.passphrase)) {
            try real.export(to: BackupTests.path(), BackupProtection())
        }
        #expect(throws: VaultError.realVault(.cost)) {
            try real.export(to: BackupTests.path(), BackupTests.protection())
        }
        #expect(try real.reading("a") == "item.not-found")
    }

    @Test func whatABackupAsksForIsOneOfTheNamedCosts() throws {
        let vault = try Cast.vault()
        for cost in 0...255 as ClosedRange<UInt8> {
            let path = try Self.file(Self.head(cost: cost) + [UInt8](repeating: 0, count: 208))
            if cost == 0 || StretchCost(rawValue: cost) != nil {
                #expect(try vault.cost(ofBackupAt: path) == StretchCost(rawValue: cost))
            } else {
                #expect(throws: VaultError.damaged(.backup(0))) { try vault.cost(ofBackupAt: path) }
            }
            unlink(path)
        }
    }

    /// Other threads can read while a passphrase is stretched, at any cost.
    @Test func othersReadWhileAPassphraseIsStretched() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("mail"), "s3cret")
        let path = try Self.file(Self.head(cost: 3) + [UInt8](repeating: 0, count: 208))
        let isOver = Atomic(false)
        let begun = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            begun.signal()
            #expect(throws: VaultError.wrongPassphrase(path)) {
                try GuessCost.genuine { try vault.importBackup(from: path, passphrase: Cast.bytes("phrase")) }
            }
            isOver.store(true, ordering: .sequentiallyConsistent)
            ended.signal()
        }
        begun.wait()
        let clock = ContinuousClock()
        let start = clock.now
        var last = start
        var longest = Duration.zero
        while !isOver.load(ordering: .sequentiallyConsistent) {
            #expect(try vault.reading("mail") == "s3cret")
            let now = clock.now
            longest = max(longest, now - last)
            last = now
        }
        ended.wait()
        // If stretching held the vault, one read would wait for nearly all of that time, even on a busy machine.
        #expect(longest < (clock.now - start) / 2)
    }

    // MARK: - Destination

    @Test func whereNoBackupCanGoIsSaidBeforehand() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let free = folder.path("backup")
        try Vault.requireBackupCanBeWritten(to: free)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        try RawFile.write([1], to: free)
        #expect(throws: VaultError.alreadyThere(free)) { try Vault.requireBackupCanBeWritten(to: free) }
        let missing = folder.path("missing/backup")
        #expect(throws: VaultError.system(missing, code: ENOENT, text: "No such file or directory")) {
            try Vault.requireBackupCanBeWritten(to: missing)
        }
    }

    /// FAT has no hard links, and not every kernel can rename without replacing there.
    @Test(arguments: [(EINVAL, EPERM), (ENOSYS, EOPNOTSUPP), (0, 0), (EINVAL, 0)] as [(Int32, Int32)])
    func aBackupGoesToAFileSystemWithoutLinks(_ rename: Int32, _ link: Int32) throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("a", AccessControl(.always)), "first")
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("backup")
        let system = NewFile.Calls()
        let calls = NewFile.Calls(
            renameToNew: { rename == 0 ? system.renameToNew($0, $1) : rename },
            link: { link == 0 ? system.link($0, $1) : link })
        #expect(try vault.export(to: path, BackupTests.protection(), placing: calls).report.written == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["backup"])
        #expect(try Cast.vault().importBackup(from: path, passphrase: Cast.bytes("phrase")).added == 1)
    }

    @Test(arguments: [(EINVAL, EPERM), (0, 0), (EINVAL, 0)] as [(Int32, Int32)])
    func nothingIsReplacedThatCameMeanwhile(_ rename: Int32, _ link: Int32) throws {
        let vault = try Cast.vault()
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("backup")
        let system = NewFile.Calls()
        let calls = NewFile.Calls(
            renameToNew: { draft, path in
                try? RawFile.write([1, 2, 3], to: path)
                return rename == 0 ? system.renameToNew(draft, path) : rename
            }, link: { link == 0 ? system.link($0, $1) : link })
        #expect(throws: VaultError.alreadyThere(path)) {
            try vault.export(to: path, BackupTests.protection(), placing: calls)
        }
        #expect(RawFile.read(path) == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["backup"])
    }

    @Test(.enabled(if: FATDisk.isPossible, "skipped: needs root, mkfs.vfat and a kernel that mounts FAT"))
    func aBackupGoesToFAT() throws {
        let disk = try FATDisk()
        let vault = try Cast.vault()
        try vault.adding(Cast.item("a", AccessControl(.always)), "first")
        let path = disk.path + "/backup"
        try Vault.requireBackupCanBeWritten(to: path)
        #expect(try vault.export(to: path, BackupTests.protection()).report.written == 1)
        #expect(throws: VaultError.alreadyThere(path)) { try vault.export(to: path, BackupTests.protection()) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["backup"])
        #expect(try Cast.vault().importBackup(from: path, passphrase: Cast.bytes("phrase")).added == 1)
    }
}

/// A small FAT file system in a file, which is mounted for the life of this object.
private final class FATDisk {
    private let folder: TemporaryFolder
    var path: String { folder.path("disk") }

    /// True if a FAT file system can be created and mounted here.
    static let isPossible: Bool = Privileges.isRoot && (try? FATDisk()) != nil

    struct Unavailable: Error {}

    init() throws {
        folder = try TemporaryFolder()
        try RawFile.write([UInt8](repeating: 0, count: 4 << 20), to: folder.path("image"))
        guard mkdir(path, 0o700) == 0, Self.run("mkfs.vfat", [folder.path("image")]),
            Self.run("mount", ["-t", "vfat", "-o", "loop", folder.path("image"), path])
        else { throw Unavailable() }
    }

    deinit { _ = Self.run("umount", ["-l", path]) }

    private static func run(_ tool: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
