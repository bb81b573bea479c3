import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// What `body` is refused with; nil where it is not.
private func refusal<Result: ~Copyable>(_ body: () throws -> Result) throws -> VaultError? {
    do {
        _ = try body()
        return nil
    } catch let error as VaultError {
        return error
    }
}

/// Whether we may do what root alone may; says so where not.
private func isRoot() -> Bool {
    if geteuid() == 0 { return true }
    print("skipped: needs root")
    return false
}

/// A closed vault in a folder of its own, with one item.
private struct ClosedVault {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("vault")
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.adding(Cast.item("mail"), "s3cret")
        vault.close()
    }

    var files: [String] { ["vault.db", "device", "lock"].map { path + "/" + $0 } }

    func opening() throws -> VaultError? { try refusal { try Vault.open(at: path, patience: 50) } }

    /// Opens as it should, once everything was put right again.
    func expectSound() throws {
        let vault = try Vault.open(at: path)
        try vault.enter(passcode: Cast.bytes("1234"))
        #expect(try vault.reading("mail") == "s3cret")
        #expect(try vault.verify().findings == [])
        vault.close()
    }
}

// MARK: - Passcodes

/// Passcodes that are wrong, or none.
@Suite struct BadPasscodeTests {
    @Test func wrongOnesAreCountedAndDelayed() throws {
        let closed = try ClosedVault()
        do {
            let vault = try Vault.open(at: closed.path)
            for attempt in 1...4 {
                #expect(try Array(vault.enter(passcode: Cast.bytes("wrong \(attempt)"))) == [.rejected(.passcode)])
            }
            try vault.enter(passcode: Cast.bytes("wrong 4"))  // the same again is no guess
            #expect(try vault.device.wrongPasscodes.count == 4)
            vault.close()
        }
        // They are remembered by the vault, not by whoever has it open.
        let vault = try Vault.open(at: closed.path)
        #expect(try vault.device.wrongPasscodes.count == 4)
        try vault.enter(passcode: Cast.bytes("wrong 5"))
        #expect(try vault.enter(passcode: Cast.bytes("1234")).refusal == .passcodeDelayed)
        #expect(try vault.reading("mail") == "class.before-first-unlock")
        try vault.apply(.timePassed(.minutes(1)))
        #expect(try vault.enter(passcode: Cast.bytes("1234")).proved(.passcode))
        #expect(try vault.device.wrongPasscodes.isEmpty)
        #expect(try vault.reading("mail") == "s3cret")
    }

    @Test(arguments: [[], Array(repeating: UInt8(ascii: "1"), count: 512), [49, 0, 50], [0]] as [[UInt8]])
    func thoseThatAreNoneAreRefusedEverywhere(_ bytes: [UInt8]) throws {
        let bad = try SecureBytes(copying: bytes.span.bytes)
        let expected = VaultError.passcodeLength(bytes.count)
        #expect(expected.description.contains("1 to 511 bytes and no zero byte"))
        let folder = try TemporaryFolder()
        #expect(
            try refusal { try Vault.create(at: folder.path("vault"), .simulated(), passcode: bad.copy()) } == expected)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        let vault = try Cast.vault()
        #expect(try refusal { try vault.enter(passcode: bad.copy()) } == expected)
        #expect(try refusal { try vault.changePasscode(from: Cast.bytes("1234"), to: bad) } == expected)
        #expect(try refusal { try vault.removePasscode(bad) } == expected)
        #expect(try refusal { try vault.rekey(bad) } == expected)
        #expect(try refusal { try Cast.vault(passcode: nil).setPasscode(bad) } == expected)
        #expect(try vault.device.wrongPasscodes.isEmpty)
    }

    @Test func theLongestOneWorks() throws {
        let longest = String(repeating: "p", count: 511)
        let vault = try Cast.vault(passcode: longest)
        #expect(try vault.enter(passcode: Cast.bytes(longest)).proved(.passcode))
    }

    @Test func aRealVaultInsistsOnItsRules() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        var cheap = VaultOptions.real()
        cheap.cost = .interactive
        #expect(
            try refusal { try Vault.create(at: path, cheap, passcode: Cast.bytes("1234")) } == .realVault(.cost))
        #expect(try refusal { try Vault.create(at: path, .real()) } == .realVault(.passcode))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }
}

// MARK: - Files

/// Files and folders that are missing, in the way, or not ours alone.
@Suite struct BadFileTests {
    @Test func whatIsMissingIsNamed() throws {
        let closed = try ClosedVault()
        let nowhere = closed.folder.path("nowhere")
        #expect(try refusal { try Vault.open(at: nowhere) } == .noVault(nowhere))
        #expect(VaultError.noVault(nowhere).description.contains(nowhere))
        let deeper = nowhere + "/deeper"
        let missing = try #require(try refusal { try Vault.open(at: deeper) })
        #expect(missing.description.contains(nowhere))

        let device = closed.path + "/device"
        #expect(rename(device, device + ".away") == 0)
        let error = try #require(try closed.opening())
        #expect(error == .noDeviceFile(device))
        #expect(error.description.contains(device) && error.description.contains("put it back"))
        #expect(rename(device + ".away", device) == 0)

        let database = closed.path + "/vault.db"
        #expect(rename(database, database + ".away") == 0)
        #expect(try closed.opening() == .noVault(closed.path))
        #expect(rename(database + ".away", database) == 0)
        try closed.expectSound()
    }

    @Test func whatIsThereAlreadyIsLeftAlone() throws {
        let closed = try ClosedVault()
        let create = { (path: String) in
            try refusal { try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")) }
        }
        #expect(try create(closed.path) == .alreadyThere(closed.path))
        #expect(try create(closed.path + "/") == .alreadyThere(closed.path))
        #expect(VaultError.alreadyThere(closed.path).description.contains("does not exist yet"))
        let file = closed.folder.path("file")
        try RawFile.write(Array("mine".utf8), to: file)
        #expect(try create(file) == .alreadyThere(file))
        #expect(RawFile.read(file) == Array("mine".utf8))
        let empty = closed.folder.path("empty")
        #expect(mkdir(empty, 0o700) == 0)
        #expect(try create(empty) == .alreadyThere(empty))
        let dangling = closed.folder.path("dangling")
        #expect(symlink("/nonexistent", dangling) == 0)
        #expect(try create(dangling) == .alreadyThere(dangling))
        try closed.expectSound()
    }

    @Test func aNameThatIsNoneIsRefused() throws {
        for name in ["", "/", ".", "..", "a/..", "a\0b"] {
            let error = try refusal { try Vault.create(at: name, .simulated(), passcode: Cast.bytes("1234")) }
            #expect(error != nil, "\(name)")
        }
    }

    @Test func whatOthersMayReadOrWriteIsRefused() throws {
        let closed = try ClosedVault()
        for file in closed.files {
            for mode in [0o640, 0o604, 0o620, 0o666, 0o601] as [mode_t] {
                #expect(chmod(file, mode) == 0)
                let error = try #require(try closed.opening())
                #expect(error == .unsafePath(file, .mode(UInt32(mode))))
                #expect(error.description.contains(file) && error.description.contains("chmod go="))
            }
            #expect(chmod(file, 0o600) == 0)
        }
        for mode in [0o750, 0o701, 0o777] as [mode_t] {
            #expect(chmod(closed.path, mode) == 0)
            #expect(try closed.opening() == .unsafePath(closed.path, .mode(UInt32(mode))))
        }
        #expect(chmod(closed.path, 0o700) == 0)
        for suffix in ["-wal", "-shm"] {
            try RawFile.write([], to: closed.path + "/vault.db" + suffix)
            #expect(chmod(closed.path + "/vault.db" + suffix, 0o644) == 0)
            #expect(try closed.opening() == .unsafePath(closed.path + "/vault.db" + suffix, .mode(0o644)))
            #expect(unlink(closed.path + "/vault.db" + suffix) == 0)
        }
        try closed.expectSound()
    }

    @Test func whatBelongsToSomebodyElseIsRefused() throws {
        guard isRoot() else { return }
        let closed = try ClosedVault()
        for file in closed.files + [closed.path] {
            #expect(chown(file, 1000, 1000) == 0)
            let error = try #require(try closed.opening())
            #expect(error == .unsafePath(file, .owner(1000)))
            #expect(error.description.contains(file) && error.description.contains("user 1000"))
            #expect(chown(file, 0, 0) == 0)
        }
        let parent = closed.folder.url.path
        #expect(chown(parent, 1000, 1000) == 0)
        #expect(try closed.opening() == .unsafePath(closed.path, .openParent(parent)))
        let beside = closed.folder.path("beside")
        #expect(
            try refusal { try Vault.create(at: beside, .simulated(), passcode: Cast.bytes("1234")) }
                == .unsafePath(beside, .openParent(parent)))
        #expect(chown(parent, 0, 0) == 0)
        try closed.expectSound()
    }

    @Test func aLinkIsNotFollowed() throws {
        let closed = try ClosedVault()
        let link = closed.folder.path("link")
        #expect(symlink(closed.path, link) == 0)
        let error = try #require(try refusal { try Vault.open(at: link) })
        #expect(error == .unsafePath(link, .symlink))
        #expect(error.description.contains("symbolic link: name the place"))
        for file in closed.files {
            #expect(rename(file, file + ".away") == 0)
            #expect(symlink(file + ".away", file) == 0)
            #expect(try closed.opening() == .unsafePath(file, .symlink))
            #expect(unlink(file) == 0)
            #expect(mkdir(file, 0o700) == 0)
            #expect(try closed.opening() == .unsafePath(file, .kind))
            #expect(rmdir(file) == 0)
            #expect(rename(file + ".away", file) == 0)
        }
        for suffix in ["-wal", "-shm"] {
            let file = closed.path + "/vault.db" + suffix
            #expect(symlink("/nonexistent", file) == 0)
            #expect(try closed.opening() == .unsafePath(file, .symlink))
            #expect(unlink(file) == 0)
        }
        try closed.expectSound()
    }

    @Test func aFolderAboveThatOthersMayWriteToIsRefused() throws {
        let closed = try ClosedVault()
        let parent = closed.folder.url.path
        for mode in [0o770, 0o702, 0o777] as [mode_t] {
            #expect(chmod(parent, mode) == 0)
            let error = try #require(try closed.opening())
            #expect(error == .unsafePath(closed.path, .openParent(parent)))
            #expect(error.description.contains(parent) && error.description.contains("chmod go-w"))
            let beside = closed.folder.path("beside")
            #expect(
                try refusal { try Vault.create(at: beside, .simulated(), passcode: Cast.bytes("1234")) }
                    == .unsafePath(beside, .openParent(parent)))
        }
        #expect(chmod(parent, 0o1777) == 0)  // as /tmp is: nobody can put another in its place
        try closed.expectSound()
        #expect(chmod(parent, 0o700) == 0)
    }

    @Test func aFolderThatCannotBeWrittenToHoldsNothingAfterwards() throws {
        guard geteuid() != 0 else { return print("skipped: root may write everywhere") }
        let folder = try TemporaryFolder()
        #expect(chmod(folder.url.path, 0o500) == 0)
        defer { chmod(folder.url.path, 0o700) }
        let path = folder.path("vault")
        let error = try #require(
            try refusal { try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")) })
        #expect(error.description.contains(folder.url.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }
}

// MARK: - Disks

/// A small file system of its own, where we may mount one.
private final class SmallDisk {
    let folder: TemporaryFolder
    var path: String { folder.url.path }

    init?(kibibytes: Int) throws {
        folder = try TemporaryFolder()
        guard isRoot() else { return nil }
        guard try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kibibytes)k,mode=0700", "tmpfs", folder.url.path])
        else {
            print("skipped: needs root that may mount")
            return nil
        }
    }

    func remount(readOnly: Bool) throws {
        try #require(try Self.run("mount", ["-o", "remount,\(readOnly ? "ro" : "rw")", path]))
    }

    /// Leaves room for so many bytes.
    func fill(leaving rest: Int) throws {
        var status = statvfs()
        try #require(statvfs(path, &status) == 0)
        let free = Int(status.f_bfree) * Int(status.f_bsize)
        try RawFile.write([UInt8](repeating: 1, count: max(0, free - rest)), to: path + "/filler")
    }

    private static func run(_ tool: String, _ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    deinit { _ = try? Self.run("umount", ["-l", path]) }
}

/// Disks that are full, or may not be written to.
@Suite struct BadDiskTests {
    @Test func aFullDiskChangesNothing() throws {
        guard let disk = try SmallDisk(kibibytes: 768) else { return }
        let path = disk.path + "/vault"
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.adding(Cast.item("mail"), "s3cret")
        try disk.fill(leaving: 24 * 1024)
        let large = try SecureBytes(count: 200_000)
        let error = try #require(
            try refusal { try vault.add(Cast.item("large"), secret: large.copy(), for: Cast.app) })
        #expect(error == .full(path + "/vault.db"))
        #expect(error.description.contains(path) && error.description.contains("free some"))
        #expect(try vault.reading("large") == "item.not-found")
        #expect(try vault.reading("mail") == "s3cret")
        #expect(try vault.verify().findings == [])
        #expect(unlink(disk.path + "/filler") == 0)
        #expect(try vault.add(Cast.item("large"), secret: large.copy(), for: Cast.app).isGranted)
        #expect(try vault.verify().items == 2)
        vault.close()
    }

    @Test(arguments: [0, 4, 8, 16, 24, 40, 64, 80, 96, 120, 160, 200])
    func creationOnAFullDiskLeavesNothingBehind(_ kibibytes: Int) throws {
        guard let disk = try SmallDisk(kibibytes: 768) else { return }
        try disk.fill(leaving: kibibytes * 1024)
        let path = disk.path + "/vault"
        let error = try refusal {
            let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
            vault.close()
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted()
        switch error {
        case .none: #expect(left == ["filler", "vault"])
        case .full(let named): #expect(named.hasPrefix(disk.path) && left == ["filler"], "\(named), \(left)")
        case .some(let other): Issue.record("\(kibibytes) KiB left: \(other), \(left)")
        }
    }

    @Test func aDiskThatIsReadOnlySaysSo() throws {
        guard let disk = try SmallDisk(kibibytes: 768) else { return }
        let path = disk.path + "/vault"
        do {
            let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
            try vault.adding(Cast.item("mail"), "s3cret")
            vault.close()
        }
        try disk.remount(readOnly: true)
        let error = try #require(try refusal { try Vault.open(at: path) })
        guard case .readOnly(let named) = error else { throw error }
        #expect(named.hasPrefix(path))
        #expect(error.description.contains("mount its file system for writing"))
        let beside = disk.path + "/beside"
        #expect(
            try refusal { try Vault.create(at: beside, .simulated(), passcode: Cast.bytes("1234")) }
                == .readOnly(beside))
        try disk.remount(readOnly: false)
        let vault = try Vault.open(at: path)
        try vault.enter(passcode: Cast.bytes("1234"))
        #expect(try vault.reading("mail") == "s3cret")
        vault.close()
    }
}

// MARK: - Others

/// Others who hold the vault, and what is too large or belongs elsewhere.
@Suite struct BadUseTests {
    @Test func somebodyWhoWritesForTooLongIsWaitedForInVain() throws {
        let closed = try ClosedVault()
        let database = closed.path + "/vault.db"
        let vault = try Vault.open(at: closed.path, patience: 50)
        try vault.enter(passcode: Cast.bytes("1234"))
        do {
            let other = try RawDatabase(database)
            try other.run("BEGIN IMMEDIATE")
            let error = try #require(
                try refusal { try vault.add(Cast.item("more"), for: Cast.app) })
            #expect(error == .busy(database))
            #expect(error.description.contains(database) && error.description.contains("try again"))
            #expect(try vault.reading("mail") == "s3cret")  // reading waits for nobody
            #expect(try closed.opening() == .busy(closed.path))
            try other.run("ROLLBACK")
        }
        let lock = open(closed.path + "/lock", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX) == 0)
        #expect(
            try refusal { try vault.add(Cast.item("more"), for: Cast.app) }
                == .busy(closed.path + "/lock"))
        #expect(try vault.reading("mail") == "s3cret")
        #expect(try closed.opening() == .busy(closed.path + "/lock"))
        close(lock)
        #expect(try vault.adding(Cast.item("more"), "more") == "granted")
        #expect(try vault.verify().findings == [])
        vault.close()
    }

    @Test func whatIsTooLargeIsRefused() throws {
        let vault = try Cast.vault()
        let limit = SecretSize.limit
        let secret = try SecureBytes(count: limit + 1)
        #expect(
            try refusal { try vault.add(Cast.item("large"), secret: secret.copy(), for: Cast.app) }
                == .secretTooLarge(limit + 1))
        var item = Cast.item("large")
        item.attributes["note"] = .data(Array(repeating: 1, count: Attributes.limit))
        let error = try #require(try refusal { try vault.add(item, for: Cast.app) })
        guard case .attributesTooLarge(let count) = error else { throw error }
        #expect(
            count > Attributes.limit && error.description.contains("1 MiB") && error.description.contains("\(count)"))
        #expect(VaultError.secretTooLarge(limit + 1).description.contains("16 MiB"))

        // Neither gets in by a change.
        try vault.adding(Cast.item("large"), "small")
        #expect(
            try refusal { try vault.update(Cast.key("large"), secret: .replace(secret.copy()), for: Cast.app) }
                == .secretTooLarge(limit + 1))
        let changes = ItemChanges(attributes: item.attributes)
        #expect(try refusal { try vault.update(Cast.key("large"), changes, secret: .keep, for: Cast.app) } == error)
        #expect(try vault.reading("large") == "small")
        #expect(try vault.verify().findings == [])
    }

    @Test func aContextOfAnotherVaultIsRefused() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("mail"), "s3cret")
        let elsewhere = try Cast.vault().makeContext()
        #expect(try refusal { try vault.reading("mail", in: elsewhere) } == .foreignContext)
        #expect(try refusal { try vault.enter(passcode: Cast.bytes("1234"), in: elsewhere) } == .foreignContext)
        #expect(VaultError.foreignContext.description.contains("make one on this vault"))
    }

    @Test func aClosedVaultAnswersNothing() throws {
        let closed = try ClosedVault()
        let vault = try Vault.open(at: closed.path)
        try vault.enter(passcode: Cast.bytes("1234"))
        let context = try vault.makeContext()
        vault.close()
        vault.close()
        #expect(try refusal { try vault.reading("mail") } == .closed)
        #expect(try refusal { try vault.reading("mail", in: context) } == .closed)
        #expect(try refusal { try vault.attributes(Cast.key("mail"), for: Cast.app) } == .closed)
        #expect(try refusal { try vault.find(ItemSearch()) } == .closed)
        #expect(try refusal { try vault.add(Cast.item("more"), for: Cast.app) } == .closed)
        #expect(try refusal { try vault.update(Cast.key("mail"), secret: .remove, for: Cast.app) } == .closed)
        #expect(try refusal { try vault.delete(Cast.key("mail"), for: Cast.app) } == .closed)
        #expect(try refusal { try vault.enter(passcode: Cast.bytes("1234")) } == .closed)
        #expect(try refusal { try vault.changePasscode(from: Cast.bytes("1234"), to: Cast.bytes("1")) } == .closed)
        #expect(try refusal { try vault.lock() } == .closed)
        #expect(try refusal { try vault.device } == .closed)
        #expect(try refusal { try vault.verify() } == .closed)
        #expect(try refusal { try vault.auditTrail() } == .closed)
        #expect(VaultError.closed.description.contains("open it again"))
        try closed.expectSound()
    }
}

// MARK: - Secrets

/// Secrets of every size come back as they were.
@Suite struct SecretSizeTests {
    private func secret(_ count: Int) throws -> SecureBytes {
        var bytes = try SecureBytes(count: count)
        bytes.withMutableBytes { bytes in
            for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: place &* 31 &+ place >> 8) }
        }
        return bytes
    }

    @Test func everySizeComesBackAfterReopening() throws {
        let sizes = [0, 1, 256, 4095, 4096, 4097, 65535, 65536, 65537, 1 << 20, SecretSize.limit]
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        do {
            let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
            for size in sizes {
                let isGranted = try vault.add(
                    Cast.item("size \(size)"), secret: secret(size), for: Cast.app
                ).isGranted
                #expect(isGranted)
            }
            let isGranted = try vault.add(Cast.item("without"), for: Cast.app).isGranted
            #expect(isGranted)
            vault.close()
        }
        let vault = try Vault.open(at: path)
        try vault.enter(passcode: Cast.bytes("1234"))
        for size in sizes {
            guard case .granted(let found) = try vault.read(Cast.key("size \(size)"), for: Cast.app) else {
                Issue.record("\(size) bytes are not given")
                continue
            }
            switch found {
            case .some(let bytes):
                let isSame = try bytes.equals(secret(size))
                #expect(isSame, "\(size)")
            case .none: Issue.record("\(size) bytes came back as none")
            }
        }
        guard case .granted(let found) = try vault.read(Cast.key("without"), for: Cast.app) else {
            Issue.record("the item without a secret is not given")
            return
        }
        let isThere = found.text != nil
        #expect(!isThere)
        let report = try vault.verify()
        #expect(report.findings == [] && report.opened == sizes.count + 1)
    }
}
