internal import CLinux
package import Glibc
internal import PlainText

/// A file, link or folder in an open folder. Its calls follow no symbolic link, so that another process that replaces the entry by a
/// link cannot lead them elsewhere.
///
/// Each call throws ``SystemError`` if it fails.
package struct FolderEntry: Hashable, Sendable {
    /// The open folder.
    package let folder: Int32
    /// The name, with a zero byte at the end.
    package let name: [CChar]

    /// Creates the entry of this name, which is the text of a path without a slash.
    package init(_ name: String, in folder: Int32) {
        (self.folder, self.name) = (folder, PathText.cString(name))
    }

    /// The name as the text of a path.
    package var text: String { PathText.text(name.dropLast().map { UInt8(bitPattern: $0) }) }

    /// Opens the entry. The flags never follow a link, and no child inherits the descriptor.
    package func open(_ flags: Int32, _ mode: mode_t = 0) throws(SystemError) -> Int32 {
        let file = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)
        guard file >= 0 else { throw .last }
        return file
    }

    /// Returns the status of the entry; nil if there is none.
    package func status() throws(SystemError) -> stat? {
        var status = stat()
        if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw .last }
        return nil
    }

    package func marks() throws(SystemError) -> FileMarks { try FileMarks(of: name, in: folder) }

    package func makeFolder(_ mode: mode_t) throws(SystemError) {
        guard mkdirat(folder, name, mode) == 0 else { throw .last }
    }

    /// Creates a symbolic link to this path.
    package func makeLink(to target: [CChar]) throws(SystemError) {
        guard symlinkat(target, folder, name) == 0 else { throw .last }
    }

    package func makeHardLink(to other: FolderEntry) throws(SystemError) {
        guard linkat(other.folder, other.name, folder, name, 0) == 0 else { throw .last }
    }

    /// Returns the path to which a symbolic link leads, with a zero byte at the end.
    package func target() throws(SystemError) -> [CChar] {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlinkat(folder, name, &path, path.count - 1)
        guard count >= 0 else { throw .last }
        return path[..<count] + [0]
    }

    package func setOwner(_ user: uid_t, _ group: gid_t) throws(SystemError) {
        guard fchownat(folder, name, user, group, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
    }

    /// Sets the times of the last access and the last change.
    package func setTimes(_ access: timespec, _ change: timespec) throws(SystemError) {
        guard utimensat(folder, name, [access, change], AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
    }

    /// Removes the entry, which is a folder if `isFolder` says so.
    package func remove(isFolder: Bool) throws(SystemError) {
        guard unlinkat(folder, name, isFolder ? AT_REMOVEDIR : 0) == 0 else { throw .last }
    }

    /// Exchanges the names of two entries of one folder, in one step.
    package func exchange(with other: FolderEntry) throws(SystemError) {
        let code = latchkey_exchange(folder, name, other.name)
        guard code == 0 else { throw SystemError(code) }
    }

    /// Renames the entry within its folder, in place of what has the other name.
    package func rename(to other: FolderEntry) throws(SystemError) {
        guard renameat(folder, name, other.folder, other.name) == 0 else { throw .last }
    }

    /// Returns the names in an open folder, without its own and that of the folder above, in the order of their bytes.
    package static func names(in folder: Int32) throws(SystemError) -> [String] {
        // The list needs a position of its own.
        let listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard listed >= 0 else { throw .last }
        guard let directory = fdopendir(listed) else {
            let error = SystemError.last
            close(listed)
            throw error
        }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                guard errno == 0 else { throw .last }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { PathText.text(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns true if an open folder ignores the case of names.
    package static func foldsCase(_ folder: Int32) throws(SystemError) -> Bool {
        var folds: Int32 = 0
        let code = latchkey_folds_case(folder, &folds)
        switch code {
        case 0: return folds != 0
        // A file system without such marks has no such folders.
        case ENOTTY, EOPNOTSUPP, ENOSYS: return false
        case let code: throw SystemError(code)
        }
    }

    /// Writes everything that changed on the file system of an open file to the disk.
    package static func syncFileSystem(of file: Int32) throws(SystemError) {
        let code = latchkey_sync_file_system(file)
        guard code == 0 else { throw SystemError(code) }
    }
}

/// Marks of a file that neither its mode nor its type tells.
package struct FileMarks: Hashable, Sendable {
    /// No process can change or remove the file.
    package let isImmutable: Bool
    /// Processes can only add to the file.
    package let isAppendOnly: Bool
    /// The kernel encrypts the file.
    package let isEncrypted: Bool
    /// Another file system, or another part of one, is mounted here.
    package let isMountPoint: Bool
    /// The file cannot be written, and the kernel checks what is read of it (fs-verity).
    package let isVerity: Bool

    fileprivate init(of name: [CChar], in folder: Int32) throws(SystemError) {
        var attributes: UInt64 = 0
        let code = latchkey_file_attributes(folder, name, &attributes)
        guard code == 0 else { throw SystemError(code) }
        isImmutable = attributes & 0x10 != 0
        isAppendOnly = attributes & 0x20 != 0
        isEncrypted = attributes & 0x800 != 0
        isMountPoint = attributes & 0x2000 != 0
        isVerity = attributes & 0x10_0000 != 0
    }

    package init(of descriptor: Int32) throws(SystemError) { try self.init(of: [0], in: descriptor) }
}
