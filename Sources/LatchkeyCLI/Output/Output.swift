package import CommandLineKit
internal import Glibc
package import LinuxSystem
internal import PlainText

/// The output of the command, and the ways in which it ends.
package enum Output {
    /// True if standard output is a terminal that may be colored.
    package static var isColored: Bool {
        let isWanted = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
        return isatty(STDOUT_FILENO) == 1 && isWanted && getenv("TERM").map { strcmp($0, "dumb") } != 0
    }

    /// The width of the terminal that standard output is; nil if it is none, or cannot show the lines of a border.
    package static var borderWidth: Int? {
        guard isatty(STDOUT_FILENO) == 1, let terminal = getenv("TERM"), strcmp(terminal, "dumb") != 0 else {
            return nil
        }
        // The first of these that is set names the encoding.
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { value($0) }.first { !$0.isEmpty }
        guard let name = locale?.lowercased(), name.hasSuffix("utf-8") || name.hasSuffix("utf8") else { return nil }
        // The members of this structure belong to whichever module was loaded first, so it is read as its four numbers: rows,
        // columns, and both in pixels.
        var size: [UInt16] = [0, 0, 0, 0]
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size[1] > 0 else { return nil }
        return Int(size[1])
    }

    /// Occupies standard input, output and error if they are closed. Otherwise the next file that is opened would get the
    /// number of one of them, and output would go into that file. Writing to an occupied one is still an error.
    static func reserveDescriptors() {
        for file in STDIN_FILENO...STDERR_FILENO where fcntl(file, F_GETFD) < 0 {
            // The system takes the lowest free number, which is this one.
            _ = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes `text` to standard output, and ends the command if that fails. Text for standard error may be lost.
    package static func write(_ text: String, isError: Bool = false) {
        if isError {
            _ = write(text, to: STDERR_FILENO)
            return
        }
        do throws(OutputError) { try put(text) } catch {
            if error.isBrokenPipe {
                TemporaryPlace.removeAll()
                Signals.end(by: SIGPIPE)
            }
            fail(error.description, status: 1)
        }
    }

    /// Writes `text` to standard output, and throws if that fails.
    package static func put(_ text: String) throws(OutputError) {
        if !write(text, to: STDOUT_FILENO) { throw OutputError(code: errno) }
    }

    /// Reports a success in one line. It goes to standard error, so that standard output holds only what was asked for.
    package static func confirm(_ message: String) { write(Terminal.line(message) + "\n", isError: true) }

    /// Reports a failure in one line on standard error.
    package static func complain(_ message: String) { write("latchkey: \(Terminal.line(message))\n", isError: true) }

    /// Reports a failure in one line on standard error, and ends the command.
    package static func fail(_ message: String, status: Int32) -> Never {
        complain(message)
        exit(status)
    }

    /// Writes all of `text`. Returns false if that failed, with the reason in `errno`.
    package static func write(_ text: String, to file: Int32) -> Bool {
        var text = text
        return text.withUTF8 { Descriptors.write(UnsafeRawBufferPointer($0), to: file) }
    }

    /// Replaces the file at `path` by `text`, or ends the command.
    package static func replace(_ path: String, with text: String) {
        do { try OutputFile.replace(path, with: text) } catch { fail(words(error, on: path), status: 1) }
    }

    /// The option that names the file to write.
    package static let option = Option(
        "--output", value: "FILE", says: "write to this file, whole or not at all, and replace it", values: .file)

    /// Writes `text` into the file at `path`, or returns it if `path` is nil.
    package static func deliver(_ text: String, to path: String?) -> String {
        guard let path else { return text }
        replace(path, with: text)
        confirm("Wrote \(path).")
        return ""
    }

    /// Returns the reason why a file could not be written.
    package static func words(_ error: SystemError, on path: String) -> String {
        let isThere = error.code == EEXIST
        return "\(Terminal.line(path)): \(isThere ? "the file exists already, and is left as it is" : "\(error)")"
    }
}

/// An error in writing to standard output.
package struct OutputError: Error, CustomStringConvertible {
    package let code: Int32
    /// The consequence, if it is not obvious.
    var consequence: String?

    package init(code: Int32, consequence: String? = nil) { (self.code, self.consequence) = (code, consequence) }

    /// True if the reader has closed the pipe. Most programs end silently then.
    package var isBrokenPipe: Bool { code == EPIPE }
    package var description: String {
        "standard output: \(SystemError(code))" + (consequence.map { "; \($0)" } ?? "")
    }
}
