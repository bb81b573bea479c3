internal import Glibc
internal import LinuxSystem

/// Copies a tree, and compares the copy.
struct FolderCopy {
    let tree: FolderTree
    let place: FolderPlace
    let progress: (FolderMoveProgress) -> Bool
    /// The bytes in all files.
    let total: Int64

    /// Copies everything but the attributes of the top.
    func copy(from top: OpenFile, to copy: OpenFile) throws(FolderError) {
        var done: Int64 = 0
        let children = tree.children
        for number in tree.folders.indices {
            let (source, target) = (try open(number, below: top), try open(number, below: copy))
            for entry in tree.folders[number].entries {
                let path = place.path(tree.path(of: number, entry.name))
                let from = FolderEntry(entry.name, in: source.descriptor)
                let to = FolderEntry(entry.name, in: target.descriptor)
                if let first = entry.first {
                    try link(to, to: first, below: copy, path)
                } else if entry.type == S_IFLNK {
                    try FolderError.at(path, Self.copyLink(from, to, entry.status))
                } else {
                    try copyFile(from, to, entry.stamp, path, &done)
                }
                try report(.copying, done)
            }
            for child in children[number] {
                let name = tree.folders[child].name
                try FolderError.at(
                    place.path(tree.path(of: child)), FolderEntry(name, in: target.descriptor).makeFolder(0o700))
            }
        }
        // Times and rights of a folder come after its content.
        for number in tree.folders.indices.reversed() where number > 0 {
            let (source, target) = (try open(number, below: top), try open(number, below: copy))
            try FolderError.at(place.path(tree.path(of: number)), Self.copyAttributes(of: source, to: target))
        }
        try FolderError.at(place.path, FolderEntry.syncFileSystem(of: copy.descriptor))
    }

    /// Opens a folder of the tree.
    private func open(_ number: Int, below top: OpenFile) throws(FolderError) -> OpenFile {
        do { return try tree.open(number, below: top) } catch {
            let path = place.path(tree.path(of: number))
            // A folder that was there is gone, or something else has its name.
            throw error.isOfAnotherEntry ? .changed(path) : .system(path, error)
        }
    }

    private func report(_ step: FolderMoveProgress.Step, _ done: Int64) throws(FolderError) {
        guard progress(FolderMoveProgress(step: step, done: done, total: total)) else { throw .cancelled }
    }

    private func copyFile(
        _ from: FolderEntry, _ to: FolderEntry, _ stamp: Stamp, _ path: String, _ done: inout Int64
    ) throws(FolderError) {
        let source = try original(from, stamp, path)
        let target = try FolderError.at(path, OpenFile(to, O_RDWR | O_CREAT | O_EXCL, 0o600))
        try FileContents.copy(from: source.descriptor, to: target.descriptor, size: stamp.size) { error in
            FolderError.system(path, error)
        } pause: { bytes throws(FolderError) in
            done += bytes
            try report(.copying, done)
        }
        try FolderError.at(path, Self.copyAttributes(of: source, to: target))
        try requireUnchanged(source, stamp, path)
    }

    /// Opens an original, and throws if it changed since the survey or is about to.
    private func original(_ entry: FolderEntry, _ stamp: Stamp, _ path: String) throws(FolderError) -> OpenFile {
        let file: OpenFile
        do { file = try OpenFile(entry, O_RDONLY) } catch {
            throw error.isOfAnotherEntry ? .changed(path) : .system(path, error)
        }
        try requireUnchanged(file, stamp, path)
        guard !file.isOpenForWriting else { throw .beingWritten(path) }
        return file
    }

    private func requireUnchanged(
        _ file: OpenFile, _ stamp: Stamp, _ path: String
    ) throws(FolderError) {
        let status = try FolderError.at(path, file.status())
        guard Stamp(status) == stamp else { throw .changed(path) }
    }

    /// Gives a file in the copy another name.
    private func link(
        _ entry: FolderEntry, to first: FolderTree.Place, below copy: OpenFile, _ path: String
    ) throws(FolderError) {
        let folder = try open(first.folder, below: copy)
        let name = tree.folders[first.folder].entries[first.entry].name
        try FolderError.at(path, entry.makeHardLink(to: FolderEntry(name, in: folder.descriptor)))
    }

    private static func copyLink(_ from: FolderEntry, _ to: FolderEntry, _ status: stat) throws(SystemError) {
        try to.makeLink(to: try from.target())
        try to.setOwner(status.st_uid, status.st_gid)
        try ExtendedAttributes(ofLink: from).set(onLink: to)
        try to.setTimes(status.st_atim, status.st_mtim)
    }

    /// Copies owner, rights, extended attributes and times.
    static func copyAttributes(of source: OpenFile, to target: OpenFile) throws(SystemError) {
        let status = try source.status()
        guard fchown(target.descriptor, status.st_uid, status.st_gid) == 0 else { throw .last }
        var attributes = try ExtendedAttributes(of: source.descriptor)
        attributes.values[FolderPlace.mark] = try ExtendedAttributes(of: target.descriptor).values[FolderPlace.mark]
        try attributes.set(on: target.descriptor)
        // After the access control list, which has a part of the rights.
        guard fchmod(target.descriptor, status.st_mode & 0o7777) == 0,
            futimens(target.descriptor, [status.st_atim, status.st_mtim]) == 0
        else { throw .last }
    }
}

extension FolderCopy {
    /// Throws unless the copy is the same as the tree, read from the disk.
    func compare(_ top: OpenFile, with copy: OpenFile) throws(FolderError) {
        var done: Int64 = 0
        for number in tree.folders.indices {
            let (source, target) = (try open(number, below: top), try open(number, below: copy))
            let folderPath = place.path(tree.path(of: number))
            if number > 0 { try requireEqualAttributes(source, target, folderPath) }
            try requireSameNames(number, source, target, folderPath)
            for entry in tree.folders[number].entries {
                let path = place.path(tree.path(of: number, entry.name))
                let one = FolderEntry(entry.name, in: source.descriptor)
                let other = FolderEntry(entry.name, in: target.descriptor)
                if entry.type == S_IFLNK {
                    let isEqual = try FolderError.at(path, Self.areEqualLinks(one, other))
                    guard isEqual else { throw .differs(path) }
                } else if entry.first == nil {
                    try compareFile(one, other, entry.stamp, path, &done)
                }
                try report(.comparing, done)
            }
        }
    }

    private func compareFile(
        _ one: FolderEntry, _ other: FolderEntry, _ stamp: Stamp, _ path: String, _ done: inout Int64
    ) throws(FolderError) {
        let source = try original(one, stamp, path)
        let target = try FolderError.at(path, OpenFile(other, O_RDONLY))
        try requireEqualAttributes(source, target, path)
        // The copy is on the disk by now. Without its pages in memory, this reads what the disk has. POSIX_FADV_DONTNEED is 4.
        _ = posix_fadvise(target.descriptor, 0, 0, 4)
        let isEqual = try FileContents.areEqual(
            source.descriptor, target.descriptor, size: stamp.size
        ) { error in
            FolderError.system(path, error)
        } pause: { bytes throws(FolderError) in
            done += bytes
            try report(.comparing, done)
        }
        try requireUnchanged(source, stamp, path)
        guard isEqual else { throw .differs(path) }
    }

    /// Throws if a name was added or removed since the survey.
    private func requireSameNames(
        _ number: Int, _ source: OpenFile, _ target: OpenFile, _ path: String
    ) throws(FolderError) {
        let (one, other) = (source.descriptor, target.descriptor)
        let found = try FolderError.at(path, FolderEntry.names(in: one))
        let copied = try FolderError.at(path, FolderEntry.names(in: other))
        guard found == copied else { throw .changed(path) }
    }

    /// Throws unless two open files have the same owner, rights, size, time and extended attributes.
    func requireEqualAttributes(
        _ one: OpenFile, _ other: OpenFile, _ path: String
    ) throws(FolderError) {
        do throws(SystemError) {
            let (first, second) = (try one.status(), try other.status())
            var attributes = try ExtendedAttributes(of: one.descriptor)
            var others = try ExtendedAttributes(of: other.descriptor)
            attributes.values[FolderPlace.mark] = nil
            others.values[FolderPlace.mark] = nil
            let isFolder = first.st_mode & S_IFMT == S_IFDIR
            guard first.st_mode == second.st_mode, first.st_uid == second.st_uid, first.st_gid == second.st_gid,
                isFolder || (first.st_size == second.st_size && first.st_nlink == second.st_nlink),
                Moment(first.st_mtim) == Moment(second.st_mtim), attributes == others
            else { throw SystemError(0) }
        } catch {
            throw error.code == 0 ? .differs(path) : .system(path, error)
        }
    }

    /// Returns true if two symbolic links lead to the same path.
    static func areEqualLinks(_ one: FolderEntry, _ other: FolderEntry) throws(SystemError) -> Bool {
        try one.target() == other.target()
    }
}

extension FolderError {
    /// Calls the system for the file at a path.
    static func at<Value>(
        _ path: String, _ body: @autoclosure () throws(SystemError) -> Value
    ) throws(FolderError) -> Value {
        do { return try body() } catch { throw .system(path, error) }
    }
}

extension SystemError {
    /// True if an entry that was there is gone, or something else has its name.
    var isOfAnotherEntry: Bool { [ENOENT, ENOTDIR, ELOOP].contains(code) }
}
