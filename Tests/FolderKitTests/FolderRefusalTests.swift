import FolderKit
import Glibc
import LinuxSystem
import TestSupport
import Testing

/// Folders that cannot be moved, and the words for it.
@Suite(.needsEncryptedDisk) struct FolderRefusalTests {
    /// Expects that the move is refused with words that contain these, and that nothing is left beside the folder.
    private func expectRefusal(
        _ folder: FolderOfTest, _ path: String? = nil, _ words: String..., leaving: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = #expect(throws: FolderError.self, sourceLocation: sourceLocation) {
            try FolderMove(folder: path ?? folder.path, to: .encrypted(folder.identifier)).run { _ in true }
        }
        let text = error.map { "\($0)" } ?? ""
        for word in words { #expect(text.contains(word), "\(text)", sourceLocation: sourceLocation) }
        #expect(try folder.besides == leaving, sourceLocation: sourceLocation)
    }

    @Test func whatIsNoFolderIsRefused() throws {
        let folder = try FolderOfTest()
        try write("a", to: folder.disk.path("file"))
        try #require(symlink(folder.path, folder.disk.path("link")) == 0)
        let left = ["file", "link"]
        try expectRefusal(folder, folder.disk.path("file"), "is no folder", leaving: left)
        try expectRefusal(folder, folder.disk.path("link"), "is no folder", leaving: left)
        try expectRefusal(folder, folder.disk.path("missing"), "is no folder", leaving: left)
        try expectRefusal(folder, folder.disk.path, "top of a mounted file system", leaving: left)
        try expectRefusal(folder, "/proc/self/..", "cannot be encrypted", "proc", leaving: left)
    }

    @Test func whatItHoldsMayRefuseIt() throws {
        let folder = try FolderOfTest()
        let inside = folder.path + "/sub"
        try #require(mkdir(inside, 0o755) == 0)
        try #require(mkfifo(inside + "/pipe", 0o600) == 0)
        try expectRefusal(folder, nil, inside + "/pipe", "socket, a pipe or a device")
        unlink(inside + "/pipe")

        try write("a", to: inside + "/other")
        try #require(chown(inside + "/other", Privileges.otherUser, 0) == 0)
        try expectRefusal(folder, nil, inside + "/other belongs to another user")
        unlink(inside + "/other")

        try write("a", to: inside + "/linked")
        try #require(link(inside + "/linked", folder.disk.path("outside")) == 0)
        try expectRefusal(folder, nil, inside + "/linked has another name", leaving: ["outside"])
        unlink(folder.disk.path("outside"))

        try #require(mkdir(inside + "/secret", 0o755) == 0)
        try FolderKeys.protect(empty: inside + "/secret", by: folder.identifier)
        try expectRefusal(folder, nil, inside + "/secret is encrypted already")
        rmdir(inside + "/secret")
        try folder.move()
        try expectRefusal(folder, nil, "as it should be already")
    }

    @Test func aMountBelowRefusesIt() throws {
        let folder = try FolderOfTest()
        try #require(mkdir(folder.path + "/mnt", 0o755) == 0)
        try #require(mount("tmpfs", folder.path + "/mnt", "tmpfs", 0, nil) == 0)
        defer { umount2(folder.path + "/mnt", Int32(MNT_DETACH)) }
        try expectRefusal(folder, nil, "mounted at \(folder.path)/mnt", "umount")
    }

    @Test func whatIsInTheWayStays() throws {
        let folder = try FolderOfTest()
        let sibling = folder.disk.path(".journal.latchkey-new")
        try #require(symlink("/etc", sibling) == 0)
        try expectRefusal(folder, nil, "Something else is at", leaving: [".journal.latchkey-new"])
        unlink(sibling)
        try #require(mkdir(sibling, 0o700) == 0)
        try write("mine", to: sibling + "/file")
        try expectRefusal(folder, nil, "Something else is at", leaving: [".journal.latchkey-new"])
        #expect(SystemFile.bytes(sibling + "/file") == Array("mine".utf8))
    }

    @Test func tooLittleSpaceRefusesIt() throws {
        let folder = try FolderOfTest()
        try write(String(repeating: "x", count: 17 << 20), to: folder.path + "/large")
        try expectRefusal(folder, nil, "free, and the copy needs", "MiB")
    }

    @Test func aHolderIsNamed() throws {
        let folder = try FolderOfTest()
        try write("a", to: folder.path + "/day")
        var program = try SpawnedProgram("folder-exerciser", ["0", "hold", "open", folder.path + "/day"])
        #expect(program.line() == "holding")
        try expectRefusal(folder, nil, "folder-exerciser (\(program.process)) has \(folder.path)/day open")
        program.go()
        program.end()
        try folder.move()
    }

    /// A lock of a moment is that of a program which was just started by a thread that moves the folder.
    @Test func aMoveWaitsForAMomentOnly() throws {
        let folder = try FolderOfTest()
        try write("a", to: folder.path + "/day")
        let other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(other) }
        try #require(flock(other, LOCK_EX) == 0)
        let moment = try ContinuousClock().measure {
            try expectRefusal(folder, nil, "Another process is moving \(folder.path)")
        }
        #expect(moment > .milliseconds(900))
        let release = Background { flock(other, LOCK_UN) }
        try folder.move()
        #expect(try release.value == 0)
    }

    @Test func withoutItsKeyItStays() throws {
        let folder = try FolderOfTest()
        try write("a", to: folder.path + "/day")
        try #require(Patience.wait { try FolderKeys.remove(folder.identifier, from: folder.disk.path) != .absent })
        try expectRefusal(folder, nil, "latchkey unlock")
        try FolderOfTest.addKey(to: folder.disk.path)
        try folder.move()
        let key = [UInt8](repeating: 9, count: FolderKeys.keyCount)
        let other = try FolderKeys.add(key.span.bytes, to: folder.disk.path)
        let error = #expect(throws: FolderError.self) { try folder.move(.encrypted(other)) }
        #expect(error.map { "\($0)".contains("encrypted by another key") } == true)
    }

    @Test func anOrdinaryUserIsToldWhatItMayNot() throws {
        let folder = try FolderOfTest()
        let user = Privileges.ordinaryUser
        func line() throws -> String {
            var program = try SpawnedProgram(
                "folder-exerciser", ["\(user)", "move", "7", folder.path, "encrypted", "0"])
            let lines = program.lines()
            program.end()
            return lines.last ?? ""
        }
        try write("a", to: folder.path + "/day", mode: 0)
        #expect(try line().contains("belongs to another user"))
        try #require(chown(folder.path, user, user) == 0 && chown(folder.path + "/day", user, user) == 0)
        try #require(chmod(folder.path + "/day", 0) == 0)
        #expect(try line().contains("Nothing can be created in \(folder.disk.path)"))
        try #require(chmod(folder.disk.path, 0o777) == 0)
        #expect(try line().contains("\(folder.path)/day cannot be read"))
        try #require(chmod(folder.path + "/day", 0o400) == 0)
        #expect(try line().hasPrefix("moved 1 files"))
        #expect(try folder.encryption == .encrypted(folder.identifier))
    }
}
