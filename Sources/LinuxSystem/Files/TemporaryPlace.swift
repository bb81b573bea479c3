internal import Glibc
internal import Synchronization

/// Temporary folders that are removed when the process ends.
package enum TemporaryPlace {
    private static let number = Atomic(0)
    /// The folders that exist; nil once the process is ending and no more may be made.
    private static let all = Mutex<Set<String>?>([])

    /// Creates a folder that only its owner can read, in `parent` or else in `TMPDIR`. Returns nil if that fails.
    package static func make(in parent: String? = nil) -> String? {
        let parent = parent ?? SystemPath.variable("TMPDIR") ?? "/tmp"
        // mkdtemp replaces the last six letters by its own.
        let template = "\(parent)/latchkey-\(String(repeating: "X", count: 6))"
        return all.withLock { all in
            guard all != nil, let folder = mkdtemp(template) else { return nil }
            all?.insert(folder)
            return folder
        }
    }

    /// Removes every folder, and makes no more. Call this when the process ends.
    package static func removeAll() {
        let folders = all.withLock { all in
            defer { all = nil }
            return all ?? []
        }
        for folder in folders {
            // Rename first: a thread that still writes into the folder then fails, and leaves no new file behind.
            let gone = folder + ".gone"
            removeTree(rename(folder, gone) == 0 ? gone : folder)
        }
    }

    /// Removes a file of such a folder.
    package static func removeFile(_ path: String) { unlink(path) }

    /// Returns a path in `folder` at which there is no file.
    package static func newName(in folder: String) -> String {
        "\(folder)/\(number.add(1, ordering: .relaxed).newValue)"
    }

    /// Removes a folder with everything in it.
    package static func remove(_ folder: String) {
        removeTree(folder)
        all.withLock { _ = $0?.remove(folder) }
    }

    private static func removeTree(_ folder: String) {
        empty(folder)
        rmdir(folder)
    }

    /// Removes everything in a folder.
    package static func empty(_ folder: String) {
        for name in SystemPath.names(in: folder) {
            let path = "\(folder)/\(name)"
            var status = stat()
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                removeTree(path)
            } else {
                unlink(path)
            }
        }
    }
}
