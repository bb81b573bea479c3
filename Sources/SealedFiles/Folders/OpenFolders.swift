internal import LinuxSystem
internal import Synchronization

/// The folders that are open in this process, by their paths.
enum OpenFolders {
    private struct Entry: Sendable {
        /// The path without links.
        let path: String
        let number: ObjectIdentifier
        weak let folder: ProtectedFolder?
    }

    private static let all = Mutex<[Entry]>([])

    static func add(_ folder: ProtectedFolder) {
        let path = realpath(folder.path) ?? folder.path
        let entry = Entry(path: path, number: ObjectIdentifier(folder), folder: folder)
        all.withLock { $0.append(entry) }
    }

    static func remove(_ folder: ProtectedFolder) {
        let number = ObjectIdentifier(folder)
        all.withLock { $0.removeAll { $0.number == number } }
    }

    /// Returns the folder that contains this path; of several, the innermost one that was opened last.
    static func containing(_ path: String) -> ProtectedFolder? {
        // Most programs have none.
        if all.withLock({ $0.isEmpty }) { return nil }
        let path = withoutLinks(path)
        return all.withLock { all in
            var found: (count: Int, folder: ProtectedFolder)?
            for entry in all where isBelow(path, entry.path) {
                let count = entry.path.utf8.count
                if let folder = entry.folder, count >= found?.count ?? 0 { found = (count, folder) }
            }
            return found?.folder
        }
    }

    /// Returns a path without links and dots. Its last parts may not exist yet.
    static func withoutLinks(_ path: String) -> String {
        var (rest, missing) = (path, "")
        while true {
            if let found = realpath(rest) { return found + missing }
            guard let (above, name) = SystemPath.split(rest), !rest.isEmpty else { return path }
            missing = "/\(name)" + missing
            rest = above.isEmpty ? "/" : above
            if rest == "/" { return missing }
        }
    }

    /// Returns true if a path without links is that of the folder, or below it.
    static func isBelow(_ path: String, _ folder: String) -> Bool {
        path == folder || path.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
    }
}
