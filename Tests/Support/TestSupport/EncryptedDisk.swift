public import Foundation
public import Testing

/// An ext4 file system in a file, on which the kernel can encrypt folders. It is mounted for the life of this object.
public final class EncryptedDisk: Sendable {
    private let folder: TemporaryFolder

    /// The path of the folder at which it is mounted.
    public var path: String { folder.path("disk") }

    /// The file system could not be made or mounted.
    public struct Unavailable: Error {
        let reason: String
    }

    /// Makes and mounts a file system of this size. Without `encrypt`, it cannot encrypt.
    ///
    /// Every user may search its folder, so that a test can work in it as another user.
    public init(megabytes: Int = 32, canEncrypt: Bool = true) throws {
        folder = try TemporaryFolder(inMemory: megabytes <= 64)
        let image = folder.path("image")
        guard chmod(folder.url.path, 0o711) == 0, mkdir(path, 0o755) == 0,
            FileManager.default.createFile(atPath: image, contents: nil), truncate(image, megabytes << 20) == 0
        else { throw Unavailable(reason: "needs space for temporary files") }
        let features = canEncrypt ? ["-O", "encrypt"] : []
        guard Self.run("mkfs.ext4", ["-q", "-F", "-m", "0"] + features + [image]) else {
            throw Unavailable(reason: "needs mkfs.ext4")
        }
        guard Self.run("mount", ["-o", "loop", image, path]) else {
            throw Unavailable(reason: "needs root that may mount ext4 with encryption")
        }
    }

    deinit {
        // If a process that a failed test left holds a file, the lazy way still takes the folder's content away.
        if !Self.run("umount", [path]) { _ = Self.run("umount", ["-l", path]) }
    }

    /// Returns the path of `name` on the file system.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a folder on the file system for `user`, and returns its path.
    public func makeFolder(_ name: String, for user: uid_t = 0) throws -> String {
        let path = path(name)
        guard mkdir(path, 0o755) == 0, chown(path, user, user) == 0 else {
            throw Unavailable(reason: "cannot make \(path)")
        }
        return path
    }

    /// Unmounts the file system and mounts it again, as at a start of the machine: every key is gone.
    public func remount() throws {
        // A child that another test has just started shares the open files of this process for a moment.
        // A shell of another test that has begun a mount namespace holds a copy of the mount, and with it the keys, until
        // it ends.
        guard Patience.wait(until: { Self.run("umount", [path]) }), Patience.wait(until: { !isAttached }),
            Self.run("mount", ["-o", "loop", folder.path("image"), path])
        else {
            throw Unavailable(reason: "cannot mount it again")
        }
    }

    /// True while a loop device has the image, in any mount namespace.
    private var isAttached: Bool {
        let image = "\(folder.url.lastPathComponent)/image"
        let devices = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/block")) ?? []
        return devices.contains { device in
            (try? String(contentsOfFile: "/sys/block/\(device)/loop/backing_file", encoding: .utf8))?.contains(image)
                ?? false
        }
    }

    /// The reason why there can be no such file system here; nil if there can.
    fileprivate static let obstacle: String? = {
        guard Privileges.isRoot else { return "needs root" }
        do {
            _ = try EncryptedDisk()
            return nil
        } catch {
            return (error as? Unavailable)?.reason ?? "needs space for temporary files"
        }
    }()

    private static func run(_ tool: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", tool] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

extension Trait where Self == ConditionTrait {
    /// Enables a test only where a file system can be mounted on which the kernel encrypts folders.
    public static var needsEncryptedDisk: Self {
        .enabled(if: EncryptedDisk.obstacle == nil, Comment(rawValue: "skipped: \(EncryptedDisk.obstacle ?? "")"))
    }
}
