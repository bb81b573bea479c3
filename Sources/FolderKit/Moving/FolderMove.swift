internal import Glibc
package import LinuxSystem

/// The move of a folder's content into an encrypted folder in its place, or out of one.
///
/// The content is copied into a new folder beside it, compared and synced. Then the two folders exchange their names in one step, and
/// the originals are removed. A crash at any moment loses nothing: the folder's own name always leads to complete content, and the
/// next run finishes.
///
///     let move = FolderMove(folder: "/home/me/journal", to: .encrypted(identifier))
///     let report = try move.run { _ in true }
///
/// If a program changes an original after it was copied, the original is kept beside the folder, and the report names it.
package struct FolderMove: Sendable {
    /// The encryption that the folder is to have.
    package enum Goal: Hashable, Sendable {
        /// It is encrypted by this key, which has to be there.
        case encrypted(FolderKeyIdentifier)
        /// It is not encrypted. The key that it is encrypted by has to be there.
        case plain
    }

    /// The path of the folder.
    package let folder: String
    package let goal: Goal

    /// Creates the move, which begins with ``run(progress:)``.
    package init(folder: String, to goal: Goal) {
        self.folder = folder
        self.goal = goal
    }

    /// A move that a crash or a kill has interrupted.
    package enum Unfinished: Hashable, Sendable {
        /// The copy was not complete. The folder is as it was before.
        case copying
        /// The folder has its new encryption. Originals are left beside it.
        case removing
    }

    /// Returns the interrupted move of the folder at a path; nil if there is none. The folder may be locked.
    ///
    /// - Throws: ``FolderError`` if the folder cannot be read, or another process is moving it.
    package static func unfinished(at folder: String) throws(FolderError) -> Unfinished? {
        let place = try FolderPlace(folder)
        let parent = try place.openParent()
        let top = try place.openFolder(in: parent)
        return switch try place.state(of: top, in: parent) {
        case .none: nil
        case .copying: .copying
        case .removing: .removing
        }
    }

    /// Returns the folders beside the one at a path that moves of it have left, and that this key encrypts or may encrypt.
    package static func remains(
        of folder: String, encryptedBy identifier: FolderKeyIdentifier
    ) throws(FolderError) -> [String] {
        let place = try FolderPlace(folder)
        let parent = try place.openParent()
        let names = try FolderError.at(place.parentPath, FolderEntry.names(in: parent.descriptor))
        let kept = place.name + FolderPlace.kept
        return names.filter { $0 == place.siblingName || $0 == kept || $0.utf8.starts(with: (kept + "-").utf8) }
            .filter { name in
                do throws(SystemError) {
                    let found = try OpenFile(FolderEntry(name, in: parent.descriptor), O_RDONLY | O_DIRECTORY)
                    return try FolderKeys.encryption(of: found.descriptor) == .encrypted(identifier)
                } catch {
                    return error.code != ENOTDIR && error.code != ENOENT
                }
            }
            .map { place.parentPath + "/" + $0 }
    }

    /// Finds out if the folder can be moved, and what is in it. It changes nothing.
    ///
    /// - Throws: ``FolderError`` with the first reason against it.
    package func survey() throws(FolderError) -> FolderSurvey {
        let place = try FolderPlace(folder)
        let parent = try place.openParent()
        let top = try place.openFolder(in: parent)
        return try inspect(top, at: place, in: parent).survey
    }

    /// Moves the folder, or finishes a move that was interrupted.
    ///
    /// - Parameter progress: Gets the progress after each file. If it returns false before the names are exchanged, the copy is
    ///   removed and the call throws ``FolderError/cancelled``.
    /// - Throws: ``FolderError``. The folder is then as it was.
    package func run(
        progress: @escaping (FolderMoveProgress) -> Bool
    ) throws(FolderError) -> FolderMoveReport {
        let place = try FolderPlace(folder)
        let parent = try place.openParent()
        let top = try place.openFolder(in: parent)
        var report = FolderMoveReport()
        switch try place.state(of: top, in: parent) {
        case .none: break
        case .copying:
            try place.discardSibling(in: parent)
            if try isReached(by: top, at: place) { return report }
        case .removing(let moved):
            report.hasFinishedEarlier = true
            do { try Self.requirePresence(ofKeyOf: top) } catch {
                throw error.code == ENOKEY ? .locked(place.path) : .system(place.path, error)
            }
            let removal = FolderRemoval(place: place, original: nil, moved: moved, progress: progress)
            try removal.run(copy: top, in: parent, &report)
            if try isReached(by: top, at: place) { return report }
        }
        let (tree, survey) = try inspect(top, at: place, in: parent)
        (report.files, report.folders, report.bytes) = (survey.files, survey.folders, survey.bytes)
        let above = try FolderError.at(place.parentPath, parent.status().st_ino)
        let moved = FolderPlace.Moved(
            number: UInt64(tree.folders[0].status.st_ino), parent: UInt64(above), name: place.name)
        // A change in the tick of the survey would not show in the time of a file.
        Moment.waitForNext()

        do { try place.sibling(in: parent).makeFolder(0o700) } catch {
            throw error.code == EEXIST ? .inTheWay(place.siblingPath) : .system(place.siblingPath, error)
        }
        let copy: OpenFile
        do {
            copy = try makeCopy(of: top, tree, moved, place, parent, survey, progress)
        } catch {
            // What failed matters more than what is left; the next run removes that.
            try? place.discardSibling(in: parent)
            throw error
        }
        // From here on, the originals have the name of the copy.
        do { try parent.sync() } catch { throw .left(place.siblingPath, error) }
        let removal = FolderRemoval(place: place, original: tree, moved: moved, progress: progress)
        try removal.run(copy: copy, in: parent, &report)
        return report
    }

    /// Returns true if an open folder has the encryption that it is to have.
    private func isReached(by top: OpenFile, at place: FolderPlace) throws(FolderError) -> Bool {
        let encryption: FolderEncryption
        do { encryption = try FolderKeys.encryption(of: top.descriptor) } catch {
            throw .system(place.path, error)
        }
        return switch (encryption, goal) {
        case (.encrypted(let found), .encrypted(let wanted)) where found == wanted: true
        case (.encrypted, .plain), (.plain, .encrypted): false
        case (.plain, .plain): true
        case (.encrypted, .encrypted), (.foreign, _): throw .foreign(place.path)
        case (.unavailable(let trouble), .encrypted): throw .unavailable(place.path, trouble)
        case (.unavailable, .plain): true
        }
    }

    /// Checks everything that could be against the move.
    private func inspect(
        _ top: OpenFile, at place: FolderPlace, in parent: OpenFile
    ) throws(FolderError) -> (tree: FolderTree, survey: FolderSurvey) {
        guard !(try isReached(by: top, at: place)) else { throw .already(place.path) }
        guard place.siblingName.utf8.count <= 255 else { throw .longName(place.path) }
        let (marks, owner) = try FolderError.at(place.path, (FileMarks(of: top.descriptor), top.status().st_uid))
        guard !marks.isMountPoint else { throw .mountPoint(place.path) }
        guard owner == geteuid() else { throw .notOwned(place.path) }
        guard !marks.isImmutable, !marks.isAppendOnly else { throw .immutable(place.path) }
        let foldsCase = try FolderError.at(place.path, FolderEntry.foldsCase(top.descriptor))
        guard !foldsCase else { throw .foldsCase(place.path) }
        try requirePlainParent(parent, at: place)
        do { try requireKey(of: top) } catch {
            throw error.code == ENOKEY ? .locked(place.path) : .system(place.path, error)
        }
        guard faccessat(parent.descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
            throw .closedParent(place.parentPath, .last)
        }
        let tree = try FolderTree(surveying: top, at: place, isEncrypted: goal == .plain)
        let moment = Deadline(FolderPlace.moment)
        var search = try FolderError.at(place.path, HolderSearch(top, tree))
        while !search.holders.isEmpty && moment.left > 0 {
            usleep(100_000)
            search = try FolderError.at(place.path, HolderSearch(top, tree))
        }
        guard search.holders.isEmpty else { throw .held(place.path, by: search.holders) }
        try tree.requireSpace(on: parent)
        return (tree, tree.summary(hiddenProcesses: search.hidden))
    }

    /// Throws if the folder is to be plain in a folder that is encrypted as a whole.
    private func requirePlainParent(_ parent: OpenFile, at place: FolderPlace) throws(FolderError) {
        guard goal == .plain else { return }
        let encryption = try FolderError.at(place.parentPath, FolderKeys.encryption(of: parent.descriptor))
        switch encryption {
        case .encrypted, .foreign: throw .encryptedAbove(place.path, place.parentPath)
        case .plain, .unavailable: break
        }
    }

    /// Throws `ENOKEY` unless the key is there that the folder has or is to have.
    private func requireKey(of top: OpenFile) throws(SystemError) {
        switch goal {
        case .encrypted(let identifier): try Self.requirePresence(of: identifier, at: top)
        case .plain: try Self.requirePresence(ofKeyOf: top)
        }
    }

    static func requirePresence(ofKeyOf top: OpenFile) throws(SystemError) {
        guard case .encrypted(let found) = try FolderKeys.encryption(of: top.descriptor) else { return }
        try requirePresence(of: found, at: top)
    }

    private static func requirePresence(
        of identifier: FolderKeyIdentifier, at top: OpenFile
    ) throws(SystemError) {
        guard case .present = try FolderKeys.state(of: identifier, at: top.descriptor) else {
            throw SystemError(ENOKEY)
        }
    }

    /// Fills the new folder for the copy, and puts it where the folder is. If this throws, the names are not exchanged.
    private func makeCopy(
        of top: OpenFile, _ tree: FolderTree, _ moved: FolderPlace.Moved, _ place: FolderPlace, _ parent: OpenFile,
        _ survey: FolderSurvey, _ progress: @escaping (FolderMoveProgress) -> Bool
    ) throws(FolderError) -> OpenFile {
        let (sibling, entry) = (place.sibling(in: parent), place.entry(in: parent))
        let copy: OpenFile
        do {
            copy = try OpenFile(sibling, O_RDONLY | O_DIRECTORY)
            try FolderPlace.set(.copying, on: copy)
            if case .encrypted(let identifier) = goal {
                try FolderKeys.protect(empty: copy.descriptor, by: identifier)
            }
            try parent.sync()
        } catch {
            throw error.code == ENOKEY ? .locked(place.path) : .system(place.siblingPath, error)
        }
        try place.claim(copy)
        let work = FolderCopy(tree: tree, place: place, progress: progress, total: survey.bytes)
        try work.copy(from: top, to: copy)
        try work.compare(top, with: copy)
        do throws(SystemError) {
            try FolderPlace.set(.moved(moved), on: copy)
            try FolderCopy.copyAttributes(of: top, to: copy)
            try FolderEntry.syncFileSystem(of: copy.descriptor)
            guard progress(FolderMoveProgress(step: .exchanging, done: 0, total: 0)) else {
                throw SystemError(ECANCELED)
            }
            // Another process may have put something else at either name.
            guard try place.isAt(entry, top), try place.isAt(sibling, copy) else { throw SystemError(ESTALE) }
            try sibling.exchange(with: entry)
        } catch {
            switch error.code {
            case ECANCELED: throw .cancelled
            case ESTALE: throw .changed(place.path)
            default: throw .system(place.path, error)
            }
        }
        return copy
    }
}

/// A step of a move.
package struct FolderMoveProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Files are copied. The progress counts bytes.
        case copying
        /// Originals and copies are compared. The progress counts bytes.
        case comparing
        /// The next step exchanges the names.
        case exchanging
        /// The originals are removed. The progress counts files and folders.
        case removing
    }

    package let step: Step
    package let done: Int64
    package let total: Int64
}

/// The outcome of a move.
package struct FolderMoveReport: Hashable, Sendable {
    /// The number of files and symbolic links that were moved.
    package var files = 0
    /// The number of folders, including the folder itself.
    package var folders = 0
    /// The bytes in the files.
    package var bytes: Int64 = 0
    /// True if this run removed originals that an interrupted run had left.
    package var hasFinishedEarlier = false
    /// The folder with originals that a program changed after they were copied; nil if there are none.
    package var keptFolder: String?
    /// The paths of those originals in that folder.
    package var kept: [String] = []
    /// The paths in the folder of files and folders that a program removed or renamed after they were copied. The copy has them
    /// again.
    package var returned: [String] = []
}
