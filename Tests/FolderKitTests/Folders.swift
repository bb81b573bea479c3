import FolderKit
import Glibc
import LinuxSystem
import TestSupport
import Testing

/// An encrypted disk with a folder and its key.
final class FolderOfTest {
    static let keyByte: UInt8 = 7
    let disk: EncryptedDisk
    let path: String
    let identifier: FolderKeyIdentifier

    init(megabytes: Int = 32) throws {
        disk = try EncryptedDisk(megabytes: megabytes)
        path = try disk.makeFolder("journal")
        identifier = try Self.addKey(to: disk.path)
    }

    @discardableResult
    static func addKey(to path: String) throws -> FolderKeyIdentifier {
        let key = [UInt8](repeating: keyByte, count: FolderKeys.keyCount)
        return try FolderKeys.add(key.span.bytes, to: path)
    }

    /// Moves the folder in or out.
    @discardableResult
    func move(_ goal: FolderMove.Goal? = nil, _ progress: @escaping (FolderMoveProgress) -> Bool = { _ in true })
        throws -> FolderMoveReport
    {
        try FolderMove(folder: path, to: goal ?? .encrypted(identifier)).run(progress: progress)
    }

    /// Takes the key back and adds it again, so that everything is read from the disk.
    func lockAndUnlock() throws {
        let identifier = identifier, path = disk.path
        try #require(Patience.wait { try FolderKeys.remove(identifier, from: path) == .removed })
        try Self.addKey(to: path)
    }

    /// The names beside the folder that begin with its name, with or without a dot.
    var besides: [String] {
        get throws {
            let top = try opened(disk.path)
            return try FolderEntry.names(in: top.descriptor).filter { $0 != "journal" && $0 != "lost+found" }
        }
    }

    var encryption: FolderEncryption { get throws { try FolderKeys.encryption(of: path) } }
}

func opened(_ path: String) throws -> OpenFile {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(folder >= 0, "\(path): \(SystemError.last)")
    return OpenFile(folder)
}

func write(_ text: String, to path: String, mode: mode_t = 0o644) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(file >= 0, "\(path): \(SystemError.last)")
    defer { close(file) }
    try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
}

/// Everything that a move keeps of a tree, by path.
struct Picture: Equatable {
    var files: [String: [String]] = [:]

    init(of path: String) throws {
        let top = try opened(path)
        let tree = try FolderTree(of: top, failing: { $0 }) { (_, _, _) throws(FolderTree.Failure) in }
        for number in tree.folders.indices {
            let folder = try tree.open(number, below: top)
            files[tree.path(of: number) + "/"] = try Self.facts(folder)
            for entry in tree.folders[number].entries {
                let here = FolderEntry(entry.name, in: folder.descriptor)
                let path = tree.path(of: number, entry.name)
                if entry.type == S_IFLNK {
                    let status = entry.status
                    files[path] = ["\(try here.target())", "\(status.st_mode)", "\(Moment(status.st_mtim).text)"]
                } else {
                    let file = try OpenFile(here, O_RDONLY)
                    let first = entry.first.map {
                        tree.path(of: $0.folder, tree.folders[$0.folder].entries[$0.entry].name)
                    }
                    files[path] = try Self.facts(file) + [Self.sum(file), first ?? "first"]
                }
            }
        }
    }

    private static func facts(_ file: OpenFile) throws -> [String] {
        let status = try file.status()
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        // A move that is not complete has its mark at the folder.
        let attributes = try ExtendedAttributes(of: file.descriptor).values
            .filter { $0.key != "user.latchkey.moving" }.sorted { $0.key < $1.key }
        return [
            "\(status.st_mode)", "\(status.st_uid) \(status.st_gid)", isFolder ? "" : "\(status.st_size)",
            Moment(status.st_mtim).text, "\(attributes)", isFolder ? "" : "\(status.st_nlink)",
        ]
    }

    private static func sum(_ file: OpenFile) -> String {
        var sum = Hasher()
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file.descriptor, &bytes, bytes.count)
            if count <= 0 { return "\(sum.finalize())" }
            bytes.withUnsafeBytes { sum.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}

/// Fills a folder with one of everything that a folder may hold.
func fill(_ path: String) throws {
    try write("a day", to: path + "/day")
    try write("", to: path + "/empty", mode: 0o600)
    try write("a program", to: path + "/run", mode: 0o4755)
    try #require(chmod(path + "/run", 0o4755) == 0)
    try write("closed", to: path + "/closed")
    try write("long", to: path + "/" + String(repeating: "n", count: 255))
    let folder = try opened(path)
    let raw = openat(folder.descriptor, [CChar(bitPattern: 0xFF), 0x61, 0], O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    try #require(raw >= 0)
    close(raw)
    // A hole of 4 MiB between two bytes.
    let holes = open(path + "/holes", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try #require(pwrite(holes, "a", 1, 0) == 1 && pwrite(holes, "b", 1, 4 << 20) == 1 && ftruncate(holes, 5 << 20) == 0)
    var attributes = try ExtendedAttributes(of: holes)
    attributes.values["user.note"] = Array("kept".utf8)
    // The owner and user 1000 read and write, with a mask; version 2, then tag, rights and number of each.
    attributes.values["system.posix_acl_access"] =
        [2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 6, 0, 0xE8, 3, 0, 0, 4, 0, 4, 0, 255, 255, 255, 255]
        + [16, 0, 6, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255]
    try attributes.set(on: holes)
    close(holes)
    try #require(symlink("/etc/hostname", path + "/absolute") == 0 && symlink("nowhere", path + "/dangling") == 0)
    try #require(mkdir(path + "/sub", 0o755) == 0 && mkdir(path + "/sub/none", 0o700) == 0)
    try #require(link(path + "/day", path + "/sub/other") == 0)
    try write("deep", to: path + "/sub/deep")
    try #require(symlink("..", path + "/sub/up") == 0)
    try #require(mkdir(path + "/readonly", 0o755) == 0)
    try write("r", to: path + "/readonly/r", mode: 0o444)
    try #require(chmod(path + "/readonly", 0o555) == 0 && chmod(path + "/closed", 0) == 0)
    let times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789), timespec(tv_sec: 1_100_000_000, tv_nsec: 987)]
    for name in ["day", "sub", "readonly", "absolute"] {
        try FolderEntry(name, in: folder.descriptor).setTimes(times[0], times[1])
    }
    try #require(chmod(path, 0o750) == 0 && utimensat(AT_FDCWD, path, times, 0) == 0)
}
