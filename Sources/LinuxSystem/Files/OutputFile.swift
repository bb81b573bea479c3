internal import Glibc
internal import PlainText

/// Files that the command writes completely or not at all. Until a file is complete, a reader sees its former contents.
package enum OutputFile: Sendable {
    /// Writes `text` to a new file. Throws if something is at `path` already.
    package static func create(_ path: String, with text: String) throws(SystemError) {
        try write(to: path, isPrivate: false) {
            fill($0, with: text)
        } placing: {
            create($0, at: path)
        }
    }

    /// Writes a new file that only its owner can read, with what `fill` writes to the descriptor. Throws if something is at
    /// `path`, or with `EPERM` if the file system lets other users read it.
    package static func createPrivate(_ path: String, _ fill: (Int32) -> Bool) throws(SystemError) {
        try write(to: path, isPrivate: true, fill) { create($0, at: path) }
    }

    /// Throws if ``createPrivate(_:_:)`` could not write to `path`. It leaves nothing behind.
    package static func requirePrivate(_ path: String) throws(SystemError) {
        var status = stat()
        if lstat(path, &status) == 0 { throw SystemError(EEXIST) }
        try write(to: path, isPrivate: true) { _ in
            true
        } placing: { _ in
            true
        }
    }

    private static func create(_ draft: String, at path: String) -> Bool {
        errno = NewFile.place(draft, at: path)
        return errno == 0
    }

    /// Writes `text` to a file that only its owner can read, and replaces what is at `path`. Throws `EPERM` if the file system
    /// lets other users read it.
    package static func replacePrivate(_ path: String, with text: String) throws(SystemError) {
        try write(to: path, isPrivate: true) {
            fill($0, with: text)
        } placing: { draft in
            draft.withPath { draft in path.withPath { rename(draft, $0) } } == 0
        }
    }

    /// Writes `text` to the file at `path`, and replaces a file that is there.
    package static func replace(_ path: String, with text: String) throws(SystemError) {
        // If the path is a pipe or a terminal, write to it instead of replacing it.
        var status = stat()
        if path.withPath({ stat($0, &status) }) == 0 && status.st_mode & S_IFMT != S_IFREG {
            let file = open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw .last }
            defer { close(file) }
            guard fill(file, with: text) else { throw .last }
            return
        }
        try write(to: path, isPrivate: false) {
            fill($0, with: text)
        } placing: {
            rename($0, path) == 0
        }
    }

    /// Fills a file with another name, and gives it its name once it is complete.
    private static func write(
        to path: String, isPrivate: Bool, _ fill: (Int32) -> Bool, placing place: (String) -> Bool
    ) throws(SystemError) {
        // mkstemp replaces the last six letters by its own. Only the owner can read the file.
        var template = PathText.cString("\(path).\(String(repeating: "X", count: 6))")
        let file = mkstemp(&template)
        guard file >= 0 else { throw .last }
        let draft = PathText.text(cString: template)
        let isWritten = (isPrivate ? isOfOwnerAlone(file) : share(file)) && fill(file) && fsync(file) == 0
        var error = isWritten ? nil : SystemError.last
        close(file)
        if error == nil && !place(draft) { error = .last }
        unlink(draft)  // no effect if the file was renamed
        if let error { throw error }
    }

    /// Gives the file the rights of any new file.
    private static func share(_ file: Int32) -> Bool {
        let mask = umask(0)
        umask(mask)
        return fchmod(file, 0o666 & ~mask) == 0
    }

    /// Returns true if no other user can read the file. Some file systems have no owners.
    private static func isOfOwnerAlone(_ file: Int32) -> Bool {
        var status = stat()
        guard fstat(file, &status) == 0 else { return false }
        errno = EPERM
        return status.st_mode & 0o077 == 0
    }

    private static func fill(_ file: Int32, with text: String) -> Bool {
        var text = text
        return text.withUTF8 { Descriptors.write(UnsafeRawBufferPointer($0), to: file) }
    }
}
