internal import Glibc
internal import LinuxSystem

extension FolderPlace {
    /// The state of a move, as the disk tells it.
    enum State {
        case none
        case copying
        case removing(Moved)
    }

    func entry(in parent: OpenFile) -> FolderEntry { FolderEntry(name, in: parent.descriptor) }

    /// The entry of the copy.
    func sibling(in parent: OpenFile) -> FolderEntry { FolderEntry(siblingName, in: parent.descriptor) }

    /// Returns true if an open folder has this name.
    func isAt(_ entry: FolderEntry, _ folder: OpenFile) throws(SystemError) -> Bool {
        guard let status = try entry.status() else { return false }
        return Stamp(status).isSameFile(as: Stamp(try folder.status()))
    }

    /// Tells how far a move came.
    func state(of top: OpenFile, in parent: OpenFile) throws(FolderError) -> State {
        let mark: Mark
        do { mark = try Self.mark(of: top) } catch { throw .unreadable(path, error) }
        if case .moved(let moved) = mark { return .removing(moved) }
        guard let sibling = try openSibling(siblingName, in: parent) else { return .none }
        try requireCopy(sibling)
        return .copying
    }

    /// Throws unless an open folder at the name of the copy is one.
    private func requireCopy(_ sibling: OpenFile) throws(FolderError) {
        do {
            if try Self.mark(of: sibling) != .none { return }
            // A crash may leave a new folder before it has its mark.
            if try FolderEntry.names(in: sibling.descriptor).isEmpty { return }
        } catch {
            throw .system(siblingPath, error)
        }
        throw .inTheWay(siblingPath)
    }

    /// Opens the originals after the exchange of the names; nil if nothing is left of them.
    ///
    /// - Throws: ``FolderError/inTheWay(_:)`` if another folder has their name, ``FolderError/strayed(_:from:mark:)`` if the copy was
    ///   moved away from them.
    func openOriginals(_ moved: Moved, in parent: OpenFile) throws(FolderError) -> OpenFile? {
        let originals = try openSibling(moved.siblingName, in: parent)
        let path = parentPath + "/" + moved.siblingName
        let (found, above) = try FolderError.at(path, (originals?.status().st_ino, parent.status().st_ino))
        if found.map(UInt64.init) == moved.number { return originals }
        guard UInt64(above) == moved.parent else { throw .strayed(self.path, from: moved.siblingName, mark: Self.mark) }
        guard originals == nil else { throw .inTheWay(path) }
        return nil
    }

    /// Removes an incomplete copy.
    func discardSibling(in parent: OpenFile) throws(FolderError) {
        guard let copy = try openSibling(siblingName, in: parent) else { return }
        try requireCopy(copy)
        do throws(FolderTree.Failure) {
            let tree = try FolderTree(of: copy, failing: { $0 }) { (_, _, _) throws(FolderTree.Failure) in }
            let children = tree.children
            for number in tree.folders.indices.reversed() {
                let path = tree.path(of: number)
                do {
                    let folder = try tree.open(number, below: copy)
                    // A folder that was read-only gave its mode to the copy.
                    _ = fchmod(folder.descriptor, 0o700)
                    for entry in tree.folders[number].entries {
                        try FolderEntry(entry.name, in: folder.descriptor).remove(isFolder: false)
                    }
                    for child in children[number] {
                        try FolderEntry(tree.folders[child].name, in: folder.descriptor).remove(isFolder: true)
                    }
                } catch {
                    throw FolderTree.Failure(path: path, error: error)
                }
            }
        } catch {
            throw .system("\(siblingPath)/\(error.path)", error.error)
        }
        do {
            try sibling(in: parent).remove(isFolder: true)
            try parent.sync()
        } catch {
            throw .system(siblingPath, error)
        }
    }
}
