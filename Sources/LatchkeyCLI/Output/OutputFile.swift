internal import Glibc
internal import PlainText
internal import SecretVault

/// Files that the command writes: whole, or not at all. Whoever reads one meanwhile sees what was there before.
enum OutputFile {
    /// Writes `text` into a file that is not there yet. What went wrong, if something did.
    static func create(_ path: String, with text: String) -> String? {
        write(text, to: path) { draft in
            errno = NewFile.place(String(cString: draft), at: path)
            return errno == 0
        }
    }

    /// Writes `text` into the file at `path`, whatever is there. What went wrong, if something did.
    static func replace(_ path: String, with text: String) -> String? {
        // A pipe or a terminal in the place of a file is written to, not replaced.
        var status = stat()
        if stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG {
            let file = open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return trouble(path) }
            defer { close(file) }
            return Output.write(text, to: file) ? nil : trouble(path)
        }
        return write(text, to: path) { draft in rename(draft, path) == 0 }
    }

    /// Under another name until it is whole.
    private static func write(
        _ text: String, to path: String, placing place: (UnsafePointer<CChar>) -> Bool
    ) -> String? {
        // mkstemp puts six letters of its own in the place of the last six.
        var draft = Array("\(path).\(String(repeating: "X", count: 6))".utf8CString)
        let file = mkstemp(&draft)
        guard file >= 0 else { return trouble(path) }
        let mask = umask(0)
        umask(mask)
        let isWritten = Output.write(text, to: file) && fchmod(file, 0o666 & ~mask) == 0 && fsync(file) == 0
        var message = isWritten ? nil : trouble(path)
        close(file)
        if message == nil && !place(draft) { message = trouble(path) }
        unlink(draft)  // what was put in its place is not there any more
        return message
    }

    private static func trouble(_ path: String) -> String {
        let why =
            errno == EEXIST ? "there is such a file already, and it stays as it is" : String(cString: strerror(errno))
        return "\(Terminal.line(path)): \(why)"
    }
}
