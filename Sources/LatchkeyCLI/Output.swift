internal import Glibc

/// What the command prints, and how it ends.
enum Output {
    /// Whether standard output is a terminal that may be coloured.
    static var isColoured: Bool { isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil }

    /// Writes `text` to standard output, and ends the command when that cannot be done. What goes to standard error may be lost.
    static func write(_ text: String, isError: Bool = false) {
        if isError {
            _ = write(text, to: STDERR_FILENO)
        } else if !write(text, to: STDOUT_FILENO) {
            fail("standard output: \(String(cString: strerror(errno)))", status: 1)
        }
    }

    /// Says what went wrong, in one line.
    static func complain(_ message: String) { write("latchkey: \(message)\n", isError: true) }

    /// Says what went wrong, in one line, and ends the command.
    static func fail(_ message: String, status: Int32) -> Never {
        complain(message)
        exit(status)
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
