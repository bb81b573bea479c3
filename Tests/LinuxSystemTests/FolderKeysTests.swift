import Glibc
import LinuxSystem
import PlainText
import TestSupport
import Testing

/// The identifiers of keys, and the lines of `/proc/self/mountinfo`.
@Suite struct FolderEncryptionTextTests {
    @Test func anIdentifierIsReadAsItIsWritten() throws {
        let identifier = try #require(FolderKeyIdentifier(bytes: (0..<16).map { UInt8($0 * 17) }))
        #expect("\(identifier)" == "00112233445566778899aabbccddeeff")
        #expect(FolderKeyIdentifier("\(identifier)") == identifier)
        for text in [
            "", "00", "\(identifier)0", "\(identifier)00", "é\(identifier)", "g" + "\(identifier)".dropFirst(),
        ] {
            #expect(FolderKeyIdentifier(text) == nil, "\(text)")
        }
        #expect(FolderKeyIdentifier(bytes: [1, 2, 3]) == nil)
    }

    @Test func aMountIsFoundByItsNumber() throws {
        let lines = Array(
            """
            22 28 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw
            2 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw
            31 2 8:17 /a /mnt/a\\040b\\134c\\377 rw shared:1 master:2 - f2fs /dev/my\\040disk rw

            """.utf8)
        func found(_ number: String) -> [String]? {
            MountedFileSystem(number: Array(number.utf8), in: lines).map { [$0.type, $0.device, $0.mountPoint] }
        }
        #expect(found("22") == ["sysfs", "sysfs", "/sys"])
        #expect(found("2") == ["ext4", "/dev/vda1", "/"])
        #expect(found("1") == nil && found("") == nil)
        let mount = try #require(MountedFileSystem(number: Array("31".utf8), in: lines))
        #expect(mount.device == "/dev/my disk")
        #expect(PathText.bytes(mount.mountPoint) == Array("/mnt/a b\\c".utf8) + [0xFF])
    }

    @Test func aFileSystemThatCannotEncryptSaysWhich() throws {
        guard case .unavailable(let trouble) = try FolderKeys.encryption(of: "/proc") else {
            Issue.record("/proc cannot be encrypted")
            return
        }
        #expect(trouble.cause == .fileSystemType)
        #expect(trouble.fileSystem?.type == "proc" && trouble.fileSystem?.mountPoint == "/proc")
        #expect(throws: SystemError(ENOENT)) { try FolderKeys.encryption(of: "/nowhere") }
        #expect(throws: SystemError(ENOTDIR)) { try FolderKeys.encryption(of: "/proc/self/stat") }
    }
}

/// The kernel's encryption of folders, on a file system of its own.
@Suite(.needsEncryptedDisk) struct FolderKeysTests {
    private static let key = [UInt8](repeating: 7, count: FolderKeys.keyCount)

    /// Creates a file of this text.
    private func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        try #require(file >= 0, "\(SystemError.last)")
        defer { close(file) }
        try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
    }

    /// Returns 0, or the error number of opening a file.
    private func code(ofOpening path: String) -> Int32 {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { return errno }
        close(file)
        return 0
    }

    /// Takes the key back, and returns true once nothing keeps files readable.
    ///
    /// A child that another test has just started shares this test's open files until it runs its own program.
    private func isRemoved(_ identifier: FolderKeyIdentifier, from path: String) throws -> Bool {
        try Patience.wait { try FolderKeys.remove(identifier, from: path) == .removed }
    }

    /// Runs the exerciser as a user, and returns its lines.
    private func lines(as user: uid_t, _ words: String...) throws -> [String] {
        var program = try SpawnedProgram("folder-exerciser", ["\(user)"] + words)
        let lines = program.lines()
        program.end()
        return lines
    }

    @Test func aFolderOpensWithItsKeyAlone() throws {
        let disk = try EncryptedDisk()
        let folder = try disk.makeFolder("journal")
        #expect(try FolderKeys.encryption(of: folder) == .plain)
        let identifier = try FolderKeys.add(Self.key.span.bytes, to: disk.path)
        #expect(try FolderKeys.add(Self.key.span.bytes, to: folder) == identifier)
        #expect(try FolderKeys.state(of: identifier, at: disk.path) == .present(byThisUser: true, users: 1))
        try FolderKeys.protect(empty: folder, by: identifier)
        #expect(try FolderKeys.encryption(of: folder) == .encrypted(identifier))
        try write("a secret", to: folder + "/day")
        #expect(try isRemoved(identifier, from: disk.path))
        #expect(try FolderKeys.state(of: identifier, at: disk.path) == .absent)
        #expect(try FolderKeys.remove(identifier, from: disk.path) == .absent)
        // Names are encrypted, nothing opens, and nothing can be created.
        #expect(code(ofOpening: folder + "/day") == ENOENT)
        #expect(open(folder + "/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) == -1 && errno == ENOKEY)
        #expect(try FolderKeys.encryption(of: folder) == .encrypted(identifier))
        try disk.remount()
        #expect(code(ofOpening: folder + "/day") == ENOENT)
        #expect(try FolderKeys.add(Self.key.span.bytes, to: folder) == identifier)
        #expect(SystemFile.bytes(folder + "/day") == Array("a secret".utf8))
        #expect(try isRemoved(identifier, from: folder))
    }

    @Test func anOpenFileKeepsItselfReadable() throws {
        let disk = try EncryptedDisk()
        let folder = try disk.makeFolder("journal")
        let identifier = try FolderKeys.add(Self.key.span.bytes, to: disk.path)
        try FolderKeys.protect(empty: folder, by: identifier)
        try write("a secret", to: folder + "/day")
        try write("another", to: folder + "/night")
        let held = open(folder + "/day", O_RDONLY | O_CLOEXEC)
        try #require(held >= 0)
        let openFiles = KeyHolders(openFiles: true, otherUsers: false)
        #expect(try FolderKeys.remove(identifier, from: folder) == .remains(openFiles))
        #expect(try FolderKeys.state(of: identifier, at: folder) == .busy)
        #expect(SystemFile.bytes("/proc/self/fd/\(held)") == Array("a secret".utf8))
        #expect(SystemFile.bytes(folder + "/day") == Array("a secret".utf8))
        #expect(code(ofOpening: folder + "/night") != 0)
        #expect(try FolderKeys.remove(identifier, from: folder) == .remains(openFiles))
        close(held)
        #expect(try isRemoved(identifier, from: folder))
        #expect(code(ofOpening: folder + "/day") == ENOENT)
    }

    @Test func anotherUserKeepsTheKeyThatItAdded() throws {
        let disk = try EncryptedDisk()
        let folder = try disk.makeFolder("journal", for: Privileges.ordinaryUser)
        let added = try lines(as: Privileges.ordinaryUser, "add", "7", folder)
        let identifier = try #require(added.first.flatMap { FolderKeyIdentifier($0) })
        #expect(try FolderKeys.state(of: identifier, at: disk.path) == .present(byThisUser: false, users: 1))
        let others = KeyHolders(openFiles: false, otherUsers: true)
        // Only others have added it; then this user has, too.
        #expect(try FolderKeys.remove(identifier, from: disk.path) == .remains(others))
        #expect(try FolderKeys.add(Self.key.span.bytes, to: disk.path) == identifier)
        #expect(try FolderKeys.state(of: identifier, at: disk.path) == .present(byThisUser: true, users: 2))
        #expect(try FolderKeys.remove(identifier, from: disk.path) == .remains(others))
        #expect(try lines(as: Privileges.ordinaryUser, "protect", "\(identifier)", folder) == ["protected"])
        #expect(try FolderKeys.encryption(of: folder) == .encrypted(identifier))
        #expect(try lines(as: Privileges.ordinaryUser, "remove", "\(identifier)", folder) == ["removed"])
        #expect(try FolderKeys.state(of: identifier, at: disk.path) == .absent)
        // A user who has not added a key can neither use it for a folder nor protect the folder of another user.
        let other = try disk.makeFolder("notes", for: Privileges.otherUser)
        let missing = SystemError(ENOKEY)
        #expect(try lines(as: Privileges.otherUser, "protect", "\(identifier)", other) == ["failed: \(missing)"])
        #expect(try lines(as: Privileges.ordinaryUser, "add", "7", folder) == ["\(identifier)"])
        let denied = SystemError(EACCES)
        #expect(try lines(as: Privileges.ordinaryUser, "protect", "\(identifier)", other) == ["failed: \(denied)"])
    }

    @Test func whatCannotBeProtectedSaysWhy() throws {
        let disk = try EncryptedDisk()
        let identifier = try FolderKeys.add(Self.key.span.bytes, to: disk.path)
        let other = try FolderKeys.add([UInt8](repeating: 8, count: FolderKeys.keyCount).span.bytes, to: disk.path)
        let full = try disk.makeFolder("full")
        try write("a", to: full + "/a")
        #expect(throws: SystemError(ENOTEMPTY)) { try FolderKeys.protect(empty: full, by: identifier) }
        let folder = try disk.makeFolder("folder")
        try FolderKeys.protect(empty: folder, by: identifier)
        try FolderKeys.protect(empty: folder, by: identifier)
        #expect(throws: SystemError(EEXIST)) { try FolderKeys.protect(empty: folder, by: other) }
        #expect(throws: SystemError(EINVAL)) { try FolderKeys.add([1, 2, 3].span.bytes, to: disk.path) }
        try #require(symlink(folder, disk.path("link")) == 0)
        #expect(throws: SystemError.self) { try FolderKeys.encryption(of: disk.path("link")) }
        #expect(throws: SystemError.self) { try FolderKeys.add(Self.key.span.bytes, to: "/proc") }
    }

    @Test func aFolderWithOtherCiphersIsForeign() throws {
        let disk = try EncryptedDisk()
        let identifier = try FolderKeys.add(Self.key.span.bytes, to: disk.path)
        let path = try disk.makeFolder("folder")
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(folder >= 0)
        defer { close(folder) }
        // A policy of version 2 with names padded to 4 bytes, set by FS_IOC_SET_ENCRYPTION_POLICY.
        var policy: [UInt8] = [2, 1, 4, 0, 0, 0, 0, 0] + identifier.bytes
        try #require(ioctl(folder, 0x800C_6613, &policy) == 0)
        #expect(try FolderKeys.encryption(of: path) == .foreign)
    }

    @Test func aFileSystemWithoutTheFeatureNamesItsDevice() throws {
        let disk = try EncryptedDisk(canEncrypt: false)
        guard case .unavailable(let trouble) = try FolderKeys.encryption(of: disk.path) else {
            Issue.record("it can encrypt")
            return
        }
        #expect(trouble.cause == .feature)
        #expect(trouble.fileSystem?.type == "ext4" && trouble.fileSystem?.mountPoint == disk.path)
        #expect(trouble.fileSystem?.device.hasPrefix("/dev/loop") == true)
        #expect(throws: SystemError(EOPNOTSUPP)) { try FolderKeys.add(Self.key.span.bytes, to: disk.path) }
    }
}
