internal import Glibc
internal import LinuxSystem

/// The content of a folder that can be moved.
package struct FolderSurvey: Sendable {
    /// The number of files and symbolic links.
    package let files: Int
    /// The number of folders, including the folder itself.
    package let folders: Int
    /// The bytes in the files.
    package let bytes: Int64
    /// The number of processes into which this one may not look. They may use files of the folder.
    package let hiddenProcesses: Int
}

extension FolderTree {
    /// Surveys an open folder at `place`.
    ///
    /// - Throws: ``FolderError`` if it holds anything that cannot be moved.
    init(
        surveying folder: OpenFile, at place: FolderPlace, isEncrypted: Bool
    ) throws(FolderError) {
        let device: UInt64
        do throws(SystemError) {
            let status = try folder.status()
            device = UInt64(status.st_dev)
            guard status.st_uid == geteuid() else { throw SystemError(EPERM) }
        } catch {
            throw error.code == EPERM ? .notOwned(place.path) : .system(place.path, error)
        }
        try self.init(of: folder) {
            let path = place.path($0.path)
            return $0.error.isOfAnotherEntry ? .changed(path) : .unreadable(path, $0.error)
        } visit: {
            (rest, entry, status) throws(FolderError) in
            let path = place.path(rest)
            let marks: FileMarks
            do throws(SystemError) { marks = try entry.marks() } catch { throw Self.failure(path, error) }
            guard !marks.isMountPoint, UInt64(status.st_dev) == device else { throw .mountBelow(path) }
            guard status.st_uid == geteuid() else { throw .notOwned(path) }
            guard !marks.isImmutable, !marks.isAppendOnly else { throw .immutable(path) }
            guard !marks.isVerity else { throw .verity(path) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                guard marks.isEncrypted == isEncrypted else { throw .encryptedBelow(path) }
                try Self.requireAccess(entry, R_OK | X_OK, path)
                let foldsCase: Bool
                do throws(SystemError) {
                    let folder = try OpenFile(entry, O_RDONLY | O_DIRECTORY)
                    foldsCase = try FolderEntry.foldsCase(folder.descriptor)
                } catch { throw Self.failure(path, error) }
                guard !foldsCase else { throw .foldsCase(path) }
            case S_IFREG: try Self.requireAccess(entry, R_OK, path)
            case S_IFLNK: break
            default: throw .special(path)
            }
        }
        if let outside = linkedOutside { throw .linkedOutside(place.path(outside)) }
    }

    private static func requireAccess(_ entry: FolderEntry, _ right: Int32, _ path: String) throws(FolderError) {
        guard faccessat(entry.folder, entry.name, right, AT_EACCESS) == 0 else {
            let error = SystemError.last
            throw error.isOfAnotherEntry ? .changed(path) : .unreadable(path, error)
        }
    }

    private static func failure(_ path: String, _ error: SystemError) -> FolderError {
        error.isOfAnotherEntry ? .changed(path) : .system(path, error)
    }

    /// The numbers of the survey.
    func summary(hiddenProcesses: Int) -> FolderSurvey {
        var (files, bytes): (Int, Int64) = (0, 0)
        for folder in folders {
            files += folder.entries.count
            for entry in folder.entries where entry.first == nil { bytes += Int64(entry.status.st_size) }
        }
        return FolderSurvey(files: files, folders: folders.count, bytes: bytes, hiddenProcesses: hiddenProcesses)
    }

    /// Throws unless the file system of an open folder has room for a copy.
    func requireSpace(on folder: OpenFile) throws(FolderError) {
        var system = statvfs()
        guard fstatvfs(folder.descriptor, &system) == 0 else { return }
        // Encrypted names are longer, so a folder may need twice its blocks.
        var (needed, files): (Int64, UInt64) = (0, 0)
        for folder in self.folders {
            needed += 2 * Int64(folder.status.st_size) + 4096
            files += 1 + UInt64(folder.entries.count)
            for entry in folder.entries where entry.first == nil {
                needed += Int64(entry.status.st_blocks) * 512 + 4096
            }
        }
        let free = Int64(clamping: UInt64(system.f_bavail) * UInt64(system.f_frsize))
        guard needed <= free else { throw .noSpace(needed: needed, free: free) }
        // Some file systems make room for files as they come, and say 0.
        guard system.f_files == 0 || UInt64(system.f_favail) >= files else {
            throw .system("\(files) files are too many for the disk", SystemError(ENOSPC))
        }
    }
}
