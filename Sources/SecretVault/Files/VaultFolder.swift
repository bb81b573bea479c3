internal import Glibc
internal import LinuxSystem

/// The folder of a vault, and the names of what is in it.
struct VaultFolder: Sendable {
    /// Where it is, with every link above it followed.
    let path: String

    var database: String { path + "/vault.db" }
    var device: String { path + "/device" }
    var lock: String { path + "/lock" }

    /// The folder at `path`, which may not exist yet; its parent has to.
    init(_ path: String) throws(VaultError) {
        var trimmed = Substring(path)
        while trimmed.count > 1 && trimmed.last == "/" { trimmed.removeLast() }
        let cut = trimmed.lastIndex(of: "/")
        let name = cut.map { trimmed[trimmed.index(after: $0)...] } ?? trimmed
        let parent = cut.map { $0 == trimmed.startIndex ? "/" : String(trimmed[..<$0]) } ?? "."
        guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
            throw .system(path, code: EINVAL, text: "this names no folder of its own")
        }
        guard let resolved = realpath(parent, nil) else { throw .afterCall(on: parent) }
        defer { free(resolved) }
        guard let folder = String(validatingCString: resolved) else {
            throw .system(path, code: EILSEQ, text: "it lies in a folder whose path is not UTF-8")
        }
        self.path = (folder == "/" ? "" : folder) + "/" + name
    }

    /// True if anything is there.
    var exists: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Throws unless the folder is ours alone, and nobody else could put another in its place.
    func requirePrivate() throws(VaultError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw errno == ENOENT ? .noVault(path) : .afterCall(on: path) }
        try requireOurs(status, path, kind: S_IFDIR)
        try requireSafeParents()
    }

    /// Throws where somebody else could put another folder in the place of this one.
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

    /// Throws unless this file of the folder is a plain one, ours alone; where it may be missing, that is fine as well.
    func requirePrivate(_ file: String, mayBeMissing: Bool = false) throws(VaultError) {
        var status = stat()
        guard lstat(file, &status) == 0 else {
            if errno == ENOENT && mayBeMissing { return }
            if errno == ENOENT { throw file == device ? .noDeviceFile(file) : .noVault(path) }
            throw .afterCall(on: file)
        }
        try requireOurs(status, file, kind: S_IFREG)
    }

    /// Throws unless we may read and write this file of the folder; where it may be missing, that is fine as well. SQLite would
    /// open what it may only read, and leave files beside it that have the same mode.
    func requireWritable(_ file: String, mayBeMissing: Bool = false) throws(VaultError) {
        guard access(file, R_OK | W_OK | (file == path ? X_OK : 0)) != 0 else { return }
        let code = errno
        if code == ENOENT && mayBeMissing { return }
        var status = stat()
        guard code == EACCES, lstat(file, &status) == 0 else { throw .system(code, on: file) }
        throw .notWritable(file, mode: UInt32(status.st_mode & 0o7777), isFolder: file == path)
    }

    /// Throws where a rollback journal lies beside the database. A vault keeps a log and never has one; SQLite would play it
    /// back into the database before anybody can look at it.
    func requireNoJournal() throws(VaultError) {
        var status = stat()
        let journal = database + "-journal"
        if lstat(journal, &status) == 0 { throw .unsafePath(journal, .kind) }
    }

    /// Builds the folder under another name and puts it into place in one step: either all of it is there, or none.
    func create(_ fill: (VaultFolder) throws -> Void) throws {
        if exists { throw VaultError.alreadyThere(path) }
        try requireSafeParents()
        let building = VaultFolder(building: path)
        guard mkdir(building.path, 0o700) == 0 else { throw VaultError.afterCall(on: path) }
        // The umask may take away rights of the owner.
        guard chmod(building.path, 0o700) == 0 else {
            let error = VaultError.afterCall(on: path)
            building.remove()
            throw error
        }
        var isInPlace = false
        do {
            try fill(building)
            try building.synchronize()
            guard rename(building.path, path) == 0 else {  // fails where somebody has put something there meanwhile
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
        let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let random = (0..<8).map { _ in String(UInt8.random(in: .min ... .max), radix: 36) }.joined()
        self.path = path[..<cut] + ".creating-" + random
    }

    /// Makes what was created in the folder last.
    func synchronize() throws(VaultError) { try Self.synchronizeFolder(path) }

    static func synchronize(parentOf path: String) throws(VaultError) {
        let cut = path.lastIndex(of: "/") ?? path.startIndex
        try synchronizeFolder(cut == path.startIndex ? "/" : String(path[..<cut]))
    }

    private static func synchronizeFolder(_ path: String) throws(VaultError) {
        let folder = try Descriptor(path, O_RDONLY | O_DIRECTORY)
        guard fsync(folder.number) == 0 else { throw .afterCall(on: path) }
    }

    /// Takes away what was created, as long as nobody has used it.
    func remove() {
        for file in [database, database + "-wal", database + "-shm", database + "-journal", device, lock] {
            unlink(file)
        }
        rmdir(path)
    }
}
