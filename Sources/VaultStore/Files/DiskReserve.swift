internal import Glibc
internal import LinuxSystem
internal import SodiumKit

/// Room on the disk that only records may use: the file `reserve` beside the database.
///
/// An attempt at the passcode has to be on record before it is checked, also on a full disk. A commit that only records
/// something then takes the blocks of this file. The file grows to its full size again as soon as there is room.
package final class DiskReserve: Sendable {
    private static let size = DiskRoom.reserveSize

    private let path: String
    /// The folder of the vault, open: another one may take its path, and the file must never come into that one.
    private let folder: Int32
    private static let name = DiskRoom.reserveName

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
