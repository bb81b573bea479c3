internal import Glibc
internal import LinuxSystem
internal import SodiumKit

/// Room on the disk that only records may use: the file `reserve` beside the database.
///
/// An attempt at the passcode has to be on record before it is checked, also on a full disk. A commit that only records
/// something then takes the blocks of this file. The file grows to its full size again as soon as there is room.
package final class DiskReserve: Sendable {
    /// The full size of the file in bytes: the index of SQLite's log, a log of some commits, and the pages by which the
    /// database grows.
    package static let size = 192 * 1024

    private let path: String
    /// The folder of the vault, open: another one may take its path, and the file must never come into that one.
    private let folder: Int32
    private static let name = String(VaultFolder.reserveName.dropFirst())

    package init(_ folder: VaultFolder) {
        path = folder.reserve
        self.folder = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    deinit { if folder >= 0 { close(folder) } }

    /// Gives the blocks to the file system. Returns false if there are none.
    package func release() -> Bool {
        let isReleased = try? withFile(O_WRONLY) { file, held in
            // Some file systems give blocks back only once the change is on the disk.
            held > 0 && ftruncate(file.number, 0) == 0 && fsync(file.number) == 0
        }
        return isReleased ?? false
    }

    /// Writes the file to its full size, or as far as there is room. Returns false if the disk is too full for that.
    @discardableResult
    package func refill() -> Bool {
        var status = stat()
        if fstatat(folder, Self.name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_size >= Self.size { return true }
        // A process whose files may not become that large keeps no reserve: writing the file could end it.
        guard LimitedResource.fileSize.limit.current >= UInt64(Self.size) else { return true }
        do {
            try withFile(O_WRONLY | O_CREAT) { file, held in
                guard held < Self.size else { return }
                // Random bytes take their room on every file system. One that compresses would keep zeros in none.
                let bytes = Sodium.randomBytes(Self.size - held)
                try bytes.withUnsafeBytes { try file.write($0, at: held) }
            }
        } catch VaultError.full {
            return false
        } catch {
            // Another fault of the file, such as its rights, keeps no change from being written.
        }
        return true
    }

    /// Calls `body` with the open file and its size. Throws unless it is a file that belongs to this vault alone.
    private func withFile<Result>(
        _ flags: Int32, _ body: (borrowing Descriptor, _ held: Int) throws -> Result
    ) throws -> Result {
        let file = try Descriptor(Self.name, flags, in: folder, named: path)
        try file.requirePrivate()
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_nlink == 1 else { throw VaultError.unsafePath(path, .kind) }
        return try body(file, Int(status.st_size))
    }
}

/// The room on the disk of a vault.
package struct DiskRoom: Hashable, Sendable {
    /// The bytes that the user's programs can still write.
    package let free: UInt64
    /// The bytes of the reserve that are there.
    package let reserve: Int
    /// True if the reserve has its full size.
    package var isReserveWhole: Bool { reserve >= DiskReserve.size }
    /// True if there is no room for a change: it would have to take that of the reserve, or the pages by which a small one grows
    /// the files do not fit.
    package var isFull: Bool { free < max(64 * 1024, UInt64(DiskReserve.size - reserve)) }
    /// The full size of the reserve in bytes.
    package static var reserveSize: Int { DiskReserve.size }

    /// Reads the room on the disk of the vault in this folder, without opening the vault. Returns nil if the file
    /// system does not say it.
    package init?(ofVaultAt folder: String) {
        var system = statvfs()
        guard statvfs(folder, &system) == 0 else { return nil }
        free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
        var status = stat()
        let isThere = lstat(folder + VaultFolder.reserveName, &status) == 0
        reserve = isThere ? min(Int(status.st_size), DiskReserve.size) : 0
    }
}
