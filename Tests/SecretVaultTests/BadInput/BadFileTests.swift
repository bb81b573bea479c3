import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Files and folders that are missing, in the way, or open to other users.
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

    @Test(.needsRoot) func whatBelongsToSomebodyElseIsRefused() throws {
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
        #expect(error.description.contains("symbolic link: use the path that it points to"))
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
        for mode in [0o702, 0o777] as [mode_t] {
            #expect(chmod(parent, mode) == 0)
            let error = try #require(try closed.opening())
            #expect(error == .unsafePath(closed.path, .openParent(parent)))
            #expect(error.description.contains(parent) && error.description.contains("chmod go-w"))
            let beside = closed.folder.path("beside")
            #expect(
                try refusal { try Vault.create(at: beside, .simulated(), passcode: Cast.bytes("1234")) }
                    == .unsafePath(beside, .openParent(parent)))
        }
        #expect(chmod(parent, 0o1777) == 0)  // sticky like /tmp, so no other user can replace the folder
        try closed.expectSound()
        #expect(chmod(parent, 0o700) == 0)
    }

    /// Root can write everywhere, so this test runs as an ordinary user.
    @Test(.needsOrdinaryUser) func aFolderThatCannotBeWrittenToHoldsNothingAfterwards() throws {
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
