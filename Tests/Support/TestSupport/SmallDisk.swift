internal import Foundation

/// A small file system that a test mounts and fills. It is mounted for the life of this object.
public final class SmallDisk: Sendable {
    /// The kind of a file system.
    public enum Kind: CaseIterable, Sendable {
        /// One in memory.
        case tmpfs
        /// One in a file, with a journal.
        case ext4
    }

    private let folder: TemporaryFolder
    /// The path of the folder at which it is mounted.
    public var path: String { folder.path("disk") }

    /// The file system could not be made or mounted.
    public struct Unavailable: Error {}

    /// Makes and mounts a file system of this size. One on ext4 is larger, for its journal.
    public init(kibibytes: Int, _ kind: Kind = .tmpfs) throws {
        folder = try TemporaryFolder(inMemory: kind == .ext4)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        switch kind {
        case .tmpfs:
            let options = "size=\(kibibytes)k,mode=0700"
            guard Self.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]) else { throw Unavailable() }
        case .ext4:
            let image = folder.path("image")
            guard FileManager.default.createFile(atPath: image, contents: nil),
                truncate(image, (kibibytes + 8192) << 10) == 0,
                Self.run("mkfs.ext4", ["-q", "-F", "-m", "0", "-b", "4096", image]),
                Self.run("mount", ["-o", "loop", image, path]), chmod(path, 0o700) == 0
            else { throw Unavailable() }
        }
    }

    deinit { if !Self.run("umount", [path]) { _ = Self.run("umount", ["-l", path]) } }

    /// Mounts it anew, so that it can only be read, or also be written.
    public func remount(readOnly: Bool) throws {
        guard Self.run("mount", ["-o", "remount,\(readOnly ? "ro" : "rw")", path]) else { throw Unavailable() }
    }

    private var filler: String { path + "/filler" }

    /// Fills the disk, and then frees this many bytes.
    public func fill(leaving rest: Int = 0) throws {
        let file = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Unavailable() }
        defer { close(file) }
        let piece = [UInt8](repeating: 1, count: 4096)
        // A file system with a journal gives freed blocks back only after it has written it, and some of them a little later.
        var roundsWithoutRoom = 0
        for _ in 0..<100 where roundsWithoutRoom < 3 {
            sync()
            roundsWithoutRoom += 1
            while write(file, piece, piece.count) > 0 { roundsWithoutRoom = 0 }
        }
        guard roundsWithoutRoom == 3 else { throw Unavailable() }
        sync()
        guard rest > 0 else { return }
        guard ftruncate(file, max(0, lseek(file, 0, SEEK_END) - off_t(rest))) == 0, fsync(file) == 0 else {
            throw Unavailable()
        }
    }

    /// Frees what ``fill(leaving:)`` has taken.
    ///
    /// The file is truncated and not removed, because a process that another test is starting may still hold it open.
    public func free() throws {
        guard truncate(filler, 0) == 0 else { throw Unavailable() }
        sync()
    }

    /// True if an ext4 file system can be made and mounted here.
    public static let canBeExt4 = Privileges.mayMount && (try? SmallDisk(kibibytes: 1024, .ext4)) != nil

    /// The kinds that can be mounted here.
    public static var kinds: [Kind] { canBeExt4 ? Kind.allCases : [.tmpfs] }

    private static func run(_ tool: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
