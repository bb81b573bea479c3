internal import CLinux
internal import Glibc

/// Folders whose files are in memory and never on a disk, unless the system swaps.
package enum MemoryFolder: Sendable {
    /// Returns true if the folder at `path` is on tmpfs or ramfs, and no other user can rename or remove what is in it.
    package static func isInMemory(_ path: String) -> Bool {
        var status = stat()
        guard latchkey_is_in_memory(path) == 1, stat(path, &status) == 0 else { return false }
        let isOwn = status.st_uid == geteuid() && status.st_mode & 0o022 == 0
        return isOwn || (status.st_uid == 0 && status.st_mode & S_ISVTX != 0)
    }
}
