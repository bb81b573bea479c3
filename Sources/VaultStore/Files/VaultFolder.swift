internal import Glibc
internal import LinuxSystem

/// The folder of a vault, with the paths of its files.
package struct VaultFolder: Sendable {
    /// The absolute path of the folder, in which every link above it is resolved.
    package let path: String

    package var database: String { path + "/vault.db" }
    package var device: String { path + "/device" }
    package var lock: String { path + "/lock" }
    package var reserve: String { "\(path)/\(DiskRoom.reserveName)" }

    /// The copy of the database that a transfer makes. It is there only while it is made, or after a crash.
    package static func snapshot(in folder: String) -> String { folder + "/transfer.db" }

    /// Deletes the copy that a crash has left behind. Call it under the lock.
    package func removeSnapshot() {
        var status = stat()
        let snapshot = Self.snapshot(in: path)
        if lstat(snapshot, &status) == 0 { unlink(snapshot) }
    }

    /// Creates the description of the folder at `path`. The folder need not exist, but its parent has to.
    package init(_ path: String) throws(VaultError) {
        var trimmed = path
        while trimmed.count > 1 && trimmed.last == "/" { trimmed.removeLast() }
        let parts = SystemPath.split(trimmed)
        let name = parts?.name ?? trimmed
        let parent = parts.map { $0.above.isEmpty ? "/" : $0.above } ?? "."
        guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
            throw .system(path, code: EINVAL, text: "the path has to end with the name of a folder")
        }
        guard let folder = realpath(parent) else { throw .afterCall(on: parent) }
        self.path = (folder == "/" ? "" : folder) + "/" + name
    }

    /// True if there is a file or folder at the path.
    package var exists: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Throws unless the folder belongs to the user alone, and no other user can replace it.
    package func requirePrivate() throws(VaultError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw errno == ENOENT ? .noVault(path) : .afterCall(on: path) }
        try requireOurs(status, path, kind: S_IFDIR)
        try requireSafeParents()
    }

    /// Throws if another user can replace the folder, because of the rights to a folder above it.
    func requireSafeParents() throws(VaultError) {
        do {
            if let parent = try PathTrust.openParent(of: path) {
                throw VaultError.unsafePath(path, .openParent(parent))
            }
        } catch PathTrust.TrustError.unreadable(let code) {
            throw .system(code, on: path)
        } catch {
            throw error as? VaultError ?? .system(path, code: EINVAL, text: "\(error)")
        }
    }

    /// Throws unless this file of the folder is a regular file that belongs to the user alone. A file that may be
    /// missing passes if it is.
    package func requirePrivate(_ file: String, mayBeMissing: Bool = false) throws(VaultError) {
        var status = stat()
        guard lstat(file, &status) == 0 else {
            if errno == ENOENT && mayBeMissing { return }
            if errno == ENOENT { throw file == device ? .noDeviceFile(file) : .noVault(path) }
            throw .afterCall(on: file)
        }
        try requireOurs(status, file, kind: S_IFREG)
    }

    /// Throws unless the user may read and write this file of the folder. A file that may be missing passes if it is.
    ///
    /// SQLite would open a file that it may only read, and create files with the same mode beside it.
    package func requireWritable(_ file: String, mayBeMissing: Bool = false) throws(VaultError) {
        guard access(file, R_OK | W_OK | (file == path ? X_OK : 0)) != 0 else { return }
        let code = errno
        if code == ENOENT && mayBeMissing { return }
        var status = stat()
        guard code == EACCES, lstat(file, &status) == 0 else { throw .system(code, on: file) }
        throw .notWritable(file, mode: UInt32(status.st_mode & 0o7777), isFolder: file == path)
    }

    /// Throws if there is a rollback journal beside the database. A vault is in WAL mode and never has one, and SQLite
    /// would apply it to the database before Latchkey could check anything.
    package func requireNoJournal() throws(VaultError) {
        var status = stat()
        let journal = database + "-journal"
        if lstat(journal, &status) == 0 { throw .unsafePath(journal, .kind) }
    }

    /// Creates the folder under another name, fills it, and renames it, so that it exists either completely or not at
    /// all.
    package func create(_ fill: (VaultFolder) throws -> Void) throws {
        if exists { throw VaultError.alreadyThere(path) }
        try requireSafeParents()
        let building = VaultFolder(building: path)
        guard mkdir(building.path, 0o700) == 0 else { throw VaultError.afterCall(on: path) }
        // The umask may remove rights of the owner.
        guard chmod(building.path, 0o700) == 0 else {
            let error = VaultError.afterCall(on: path)
            building.remove()
            throw error
        }
        var isInPlace = false
        do {
            try fill(building)
            try building.synchronize()
            guard rename(building.path, path) == 0 else {  // fails if the path has come into existence meanwhile
                throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno)
                    ? VaultError.alreadyThere(path) : VaultError.afterCall(on: path)
            }
            isInPlace = true
            try VaultFolder.synchronize(parentOf: path)
        } catch {
            if isInPlace { remove() } else { building.remove() }
            throw error
        }
    }

    private init(building path: String) {
        let above = SystemPath.split(path).map { $0.above + "/" } ?? ""
        let random = (0..<8).map { _ in String(UInt8.random(in: .min ... .max), radix: 36) }.joined()
        self.path = above + ".creating-" + random
    }

    /// Synchronizes the folder, so that new names in it survive a loss of power.
    package func synchronize() throws(VaultError) { try Self.synchronizeFolder(path) }

    package static func synchronize(parentOf path: String) throws(VaultError) {
        let above = SystemPath.split(path)?.above ?? ""
        try synchronizeFolder(above.isEmpty ? "/" : above)
    }

    private static func synchronizeFolder(_ path: String) throws(VaultError) {
        let folder = try Descriptor(path, O_RDONLY | O_DIRECTORY)
        guard fsync(folder.number) == 0 else { throw .afterCall(on: path) }
    }

    /// Deletes the folder and the files of a vault in it, for a vault that could not be created.
    package func remove() {
        for file in [
            database, database + "-wal", database + "-shm", database + "-journal", device, lock,
            reserve, Self.snapshot(in: path),
        ] {
            unlink(file)
        }
        rmdir(path)
    }
}
