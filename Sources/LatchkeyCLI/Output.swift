internal import Glibc
internal import PolicyScenarios

/// What the command prints, and how it ends.
enum Output {
    /// Whether standard output is a terminal that may be coloured.
    static var isColoured: Bool { isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil }

    /// Writes `text` to standard output, and ends the command when that cannot be done.
    static func write(_ text: String) {
        if !write(text, to: STDOUT_FILENO) {
            fail("standard output: \(String(cString: strerror(errno)))", status: 1)
        }
    }

    /// Says what went wrong, in one line, and ends the command.
    static func fail(_ message: String, status: Int32) -> Never {
        _ = write("latchkey: \(message)\n", to: STDERR_FILENO)
        exit(status)
    }

    /// Says what is wrong with a file, a line a mistake as editors and compilers know it, and ends the command.
    static func fail(_ mistakes: [Mistake], status: Int32) -> Never {
        _ = write(mistakes.map { "\($0)\n" }.joined(), to: STDERR_FILENO)
        exit(status)
    }

    /// Puts `text` into the file at `path`, whole or not at all: whoever reads it meanwhile sees what was there before.
    /// What went wrong, if something did.
    static func replace(_ path: String, with text: String) -> String? {
        func trouble() -> String { "\(shownPath(path)): \(String(cString: strerror(errno)))" }
        // A pipe or a terminal in the place of a file is written to, not replaced.
        var status = stat()
        if stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG {
            let file = open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return trouble() }
            defer { close(file) }
            return write(text, to: file) ? nil : trouble()
        }
        // mkstemp puts six letters of its own in the place of the last six.
        var template = Array("\(path).\(String(repeating: "X", count: 6))".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { return trouble() }
        let mask = umask(0)
        umask(mask)
        let isWritten = write(text, to: file) && fchmod(file, 0o666 & ~mask) == 0 && fsync(file) == 0
        let failure = isWritten ? nil : trouble()
        close(file)
        if failure == nil && rename(template, path) == 0 { return nil }
        let message = failure ?? trouble()
        unlink(template)
        return message
    }

    private static func write(_ text: String, to file: Int32) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    if errno == EAGAIN {
                        var waiting = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                        _ = poll(&waiting, 1, -1)
                        continue
                    }
                    return false
                }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
