internal import Glibc

/// Files that the command writes: whole, or not at all. Until then, a reader sees the former contents.
package enum OutputFile: Sendable {
    /// Writes `text` into a file that is not there yet.
    package static func create(_ path: String, with text: String) throws(SystemError) {
        try write(text, to: path) { draft in
            errno = NewFile.place(String(cString: draft), at: path)
            return errno == 0
        }
    }

    /// Writes `text` into the file at `path`, whatever is there.
    package static func replace(_ path: String, with text: String) throws(SystemError) {
        // A pipe or a terminal in the place of a file is written to, not replaced.
        var status = stat()
        if stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG {
            let file = open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw .last }
            defer { close(file) }
            guard fill(file, with: text) else { throw .last }
            return
        }
        try write(text, to: path) { draft in rename(draft, path) == 0 }
    }

    /// Under another name until it is whole.
    private static func write(
        _ text: String, to path: String, placing place: (UnsafePointer<CChar>) -> Bool
    ) throws(SystemError) {
        // mkstemp puts six letters of its own in the place of the last six.
        var draft = Array("\(path).\(String(repeating: "X", count: 6))".utf8CString)
        let file = mkstemp(&draft)
        guard file >= 0 else { throw .last }
        let mask = umask(0)
        umask(mask)
        let isWritten = fill(file, with: text) && fchmod(file, 0o666 & ~mask) == 0 && fsync(file) == 0
        var error = isWritten ? nil : SystemError.last
        close(file)
        if error == nil && !place(draft) { error = .last }
        unlink(draft)  // what was put in its place is not there any more
        if let error { throw error }
    }

    private static func fill(_ file: Int32, with text: String) -> Bool {
        var text = text
        return text.withUTF8 { Descriptors.write(UnsafeRawBufferPointer($0), to: file) }
    }
}
