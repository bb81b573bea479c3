internal import Glibc
internal import LinuxSystem

/// Removes the originals after the exchange of the names.
///
/// It removes an original only if nothing can be lost: if this run copied it and it did not change since, or if it is the same as the
/// file in the copy, and if no process has it open for writing. Everything else stays, in a folder that the report names.
///
/// If the system refuses, so that it is not known which of these is true, the removal ends. The mark of the copy stays, and the next
/// run goes on.
struct FolderRemoval {
    let place: FolderPlace
    /// The originals as they were copied; nil if an earlier run copied them.
    let original: FolderTree?
    let moved: FolderPlace.Moved
    let progress: (FolderMoveProgress) -> Bool

    private var siblingPath: String { place.parentPath + "/" + moved.siblingName }

    /// Removes the originals and the mark of the copy.
    func run(
        copy: OpenFile, in parent: OpenFile, _ report: inout FolderMoveReport
    ) throws(FolderError) {
        if let originals = try place.openOriginals(moved, in: parent) {
            if original == nil {
                // The run that copied them has claimed them already. Killed in time, it has not synced the exchange.
                try place.claim(originals)
                do {
                    try parent.sync()
                    // Without their key, no original has the name of its copy.
                    try FolderMove.requirePresence(ofKeyOf: originals)
                } catch {
                    throw error.code == ENOKEY ? .locked(place.path) : .left(siblingPath, error)
                }
            }
            var kept = try remove(originals, copy, &report)
            let sibling = FolderEntry(moved.siblingName, in: parent.descriptor)
            if kept.isEmpty {
                do { try sibling.remove(isFolder: true) } catch {
                    // A process has created something in it just now.
                    guard [ENOTEMPTY, EEXIST].contains(error.code) else { throw .left(siblingPath, error) }
                    kept.append("")
                }
            }
            if !kept.isEmpty { report.add(kept, in: try keep(sibling, in: parent), of: place) }
        }
        do {
            try parent.sync()
            try FolderPlace.set(.none, on: copy)
            try copy.sync()
        } catch {
            throw .left(place.path, error)
        }
    }

    /// Gives the rest of the originals a name that a person sees, and returns its path.
    private func keep(_ sibling: FolderEntry, in parent: OpenFile) throws(FolderError) -> String {
        do {
            var number = 1
            while true {
                let name = place.name + FolderPlace.kept + (number > 1 ? "-\(number)" : "")
                let kept = FolderEntry(name, in: parent.descriptor)
                if try kept.status() == nil {
                    try sibling.rename(to: kept)
                    return place.parentPath + "/" + name
                }
                number += 1
            }
        } catch {
            throw .left(siblingPath, error)
        }
    }

    /// Removes everything that may go, the deepest first. Returns the paths of what stays.
    private func remove(
        _ originals: OpenFile, _ copy: OpenFile, _ report: inout FolderMoveReport
    ) throws(FolderError) -> [String] {
        let tree = try FolderTree(of: originals) {
            FolderError.left(siblingPath, $0.error)
        } visit: {
            (_, _, _) throws(FolderError) in
        }
        if let original { report.returned += original.paths.subtracting(tree.paths).sorted() }
        let children = tree.children
        let total = Int64(tree.folders.reduce(0) { $0 + 1 + $1.entries.count })
        var (kept, done): ([String], Int64) = ([], 0)
        var stamps = original.map(Self.stamps)
        for number in tree.folders.indices.reversed() {
            let folder: OpenFile
            do { folder = try tree.open(number, below: originals) } catch {
                // A process has put something else in its place.
                guard error.isOfAnotherEntry else { throw left(tree.path(of: number), error) }
                kept.append(tree.path(of: number))
                continue
            }
            // A folder that is read-only keeps its entries otherwise.
            let mode = tree.folders[number].status.st_mode & 0o7777
            if mode & 0o700 != 0o700 { _ = fchmod(folder.descriptor, mode | 0o700) }
            for entry in tree.folders[number].entries {
                let path = tree.path(of: number, entry.name)
                let name = FolderEntry(entry.name, in: folder.descriptor)
                do {
                    if try !remove(name, of: number, in: tree, copy, &stamps) { kept.append(path) }
                } catch {
                    throw left(path, error)
                }
                done += 1
                // After the exchange, a wish to stop comes too late.
                _ = progress(FolderMoveProgress(step: .removing, done: done, total: total))
            }
            for child in children[number] {
                let path = tree.path(of: child)
                do {
                    try FolderEntry(tree.folders[child].name, in: folder.descriptor).remove(isFolder: true)
                } catch {
                    if error.code == ENOENT { continue }
                    guard [ENOTEMPTY, EEXIST, ENOTDIR].contains(error.code) else { throw left(path, error) }
                    // Its files were kept and are in the report, or another program has just added them.
                    if !kept.contains(where: { $0.utf8.starts(with: (path + "/").utf8) }) { kept.append(path) }
                }
            }
            done += 1
            _ = progress(FolderMoveProgress(step: .removing, done: done, total: total))
        }
        return kept.sorted()
    }

    private func left(_ path: String, _ error: SystemError) -> FolderError {
        .left(path.isEmpty ? siblingPath : "\(siblingPath)/\(path)", error)
    }

    private static func stamps(of tree: FolderTree) -> [UInt64: Stamp] {
        var stamps: [UInt64: Stamp] = [:]
        for folder in tree.folders { for entry in folder.entries { stamps[entry.stamp.inode] = entry.stamp } }
        return stamps
    }

    /// Removes an entry if nothing is lost by that. Returns false if it stays.
    ///
    /// - Throws: ``SystemError`` if it is not known what would be lost, or the entry cannot be removed.
    private func remove(
        _ name: FolderEntry, of folder: Int, in tree: FolderTree, _ copy: OpenFile, _ stamps: inout [UInt64: Stamp]?
    ) throws(SystemError) -> Bool {
        guard let status = try name.status() else { return true }
        let stamp = Stamp(status)
        // An earlier run leaves no stamps. Content that came since then may be older than the move.
        let isUnchanged = stamps.map { $0[stamp.inode] == stamp } ?? false
        switch status.st_mode & S_IFMT {
        case S_IFLNK:
            if !isUnchanged {
                guard try isCopied(link: name, of: folder, in: tree, copy) else { return false }
            }
            return try removeIfThere(name)
        case S_IFREG:
            let file: OpenFile
            do { file = try OpenFile(name, O_RDONLY) } catch {
                // A process has put something else in its place, or has removed it.
                guard error.isOfAnotherEntry else { throw error }
                return error.code == ENOENT
            }
            guard Stamp(try file.status()) == stamp else { return false }
            if !isUnchanged {
                guard try isCopied(file, stamp, name, of: folder, in: tree, copy) else { return false }
            }
            guard !file.isOpenForWriting, Stamp(try file.status()) == stamp else { return false }
            guard try removeIfThere(name) else { return false }
            // Removing one of its names is a change of the file, so its other names have a new stamp.
            let rest = Stamp(try file.status())
            if stamps?[stamp.inode] == stamp, rest.size == stamp.size, rest.written == stamp.written {
                stamps?[stamp.inode] = rest
            }
            return true
        default: return false
        }
    }

    /// Removes an entry. Returns false if it is a folder by now.
    private func removeIfThere(_ name: FolderEntry) throws(SystemError) -> Bool {
        do { try name.remove(isFolder: false) } catch {
            switch error.code {
            case ENOENT: return true
            case EISDIR: return false
            default: throw error
            }
        }
        return true
    }

    /// Returns true if the copy has the same link in the same place.
    private func isCopied(
        link: FolderEntry, of folder: Int, in tree: FolderTree, _ copy: OpenFile
    ) throws(SystemError) -> Bool {
        guard let twin = try twin(link, of: folder, in: tree, copy), let status = try twin.entry.status(),
            status.st_mode & S_IFMT == S_IFLNK
        else { return false }
        return try FolderCopy.areEqualLinks(link, twin.entry)
    }

    /// Returns true if the copy has the same content in the same place.
    private func isCopied(
        _ file: OpenFile, _ stamp: Stamp, _ name: FolderEntry, of folder: Int, in tree: FolderTree, _ copy: OpenFile
    ) throws(SystemError) -> Bool {
        guard let twin = try twin(name, of: folder, in: tree, copy), let status = try twin.entry.status(),
            status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) == stamp.size
        else { return false }
        let other = try OpenFile(twin.entry, O_RDONLY)
        return try FileContents.areEqual(
            file.descriptor, other.descriptor, size: stamp.size, failing: { $0 }, pause: { (_) throws(SystemError) in })
    }

    /// Returns the entry in the copy that has the place of an original, and its folder, which has to stay open; nil if the copy has
    /// no such folder.
    private func twin(
        _ name: FolderEntry, of folder: Int, in tree: FolderTree, _ copy: OpenFile
    ) throws(SystemError) -> (folder: OpenFile, entry: FolderEntry)? {
        do {
            let above = try tree.open(folder, below: copy)
            return (above, FolderEntry(name.text, in: above.descriptor))
        } catch {
            guard error.isOfAnotherEntry else { throw error }
            return nil
        }
    }
}

extension FolderMoveReport {
    /// Adds originals that were kept in a folder. If an earlier run's were kept in another, the paths begin with those of the folders.
    fileprivate mutating func add(_ paths: [String], in folder: String, of place: FolderPlace) {
        guard let other = keptFolder else {
            (keptFolder, kept) = (folder, paths)
            return
        }
        func full(_ folder: String, _ path: String) -> String {
            folder.dropFirst(place.parentPath.count).drop { $0 == "/" } + (path.isEmpty ? "" : "/" + path)
        }
        kept = kept.map { full(other, $0) } + paths.map { full(folder, $0) }
        keptFolder = place.parentPath
    }
}
