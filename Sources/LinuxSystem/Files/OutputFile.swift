internal import Glibc
internal import PlainText

/// Files that the command writes completely or not at all. Until a file is complete, a reader sees its former contents.
package enum OutputFile: Sendable {
    /// Writes `text` to a new file. Throws if something is at `path` already.
    package static func create(_ path: String, with text: String) throws(SystemError) {
        try write(text, to: path) { draft in
            errno = NewFile.place(draft, at: path)
            return errno == 0
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
        try write(text, to: path) { draft in rename(draft, path) == 0 }
    }

    /// Writes the text to a file with another name, and gives it its name once it is complete.
    private static func write(
        _ text: String, to path: String, placing place: (String) -> Bool
    ) throws(SystemError) {
        // mkstemp replaces the last six letters by its own.
        var template = PathText.cString("\(path).\(String(repeating: "X", count: 6))")
        let file = mkstemp(&template)
        guard file >= 0 else { throw .last }
        let draft = PathText.text(cString: template)
        let mask = umask(0)
        umask(mask)
        let isWritten = fill(file, with: text) && fchmod(file, 0o666 & ~mask) == 0 && fsync(file) == 0
        var error = isWritten ? nil : SystemError.last
        close(file)
        if error == nil && !place(draft) { error = .last }
        unlink(draft)  // no effect if the file was renamed
        if let error { throw error }
    }

    private static func fill(_ file: Int32, with text: String) -> Bool {
        var text = text
        return text.withUTF8 { Descriptors.write(UnsafeRawBufferPointer($0), to: file) }
    }
}
