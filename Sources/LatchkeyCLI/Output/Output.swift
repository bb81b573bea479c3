internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// What the command prints, and how it ends.
enum Output {
    /// True if standard output is a terminal that may be colored.
    static var isColored: Bool { isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil }

    /// Puts something in the place of standard input, output and error where whoever started the command has closed them, so
    /// that no file is opened there, and written into. What is written to them is still an error.
    static func reserveDescriptors() {
        for file in STDIN_FILENO...STDERR_FILENO where fcntl(file, F_GETFD) < 0 {
            // The lowest that is free is taken, which is this.
            _ = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes `text` to standard output, and ends the command when that cannot be done. What goes to standard error may be lost.
    static func write(_ text: String, isError: Bool = false) {
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

    /// Writes `text` to standard output.
    static func put(_ text: String) throws(OutputError) {
        if !write(text, to: STDOUT_FILENO) { throw OutputError(code: errno) }
    }

    /// Says what went wrong, in one line.
    static func complain(_ message: String) { write("latchkey: \(Terminal.line(message))\n", isError: true) }

    /// Says what went wrong, in one line, and ends the command.
    static func fail(_ message: String, status: Int32) -> Never {
        complain(message)
        exit(status)
    }

    /// Writes all of `text`; whether that could be done, or else `errno` says why.
    static func write(_ text: String, to file: Int32) -> Bool {
        var text = text
        return text.withUTF8 { Descriptors.write(UnsafeRawBufferPointer($0), to: file) }
    }

    /// Writes `text` into the file at `path`, whatever is there, or ends the command.
    static func replace(_ path: String, with text: String) {
        do { try OutputFile.replace(path, with: text) } catch { fail(words(error, on: path), status: 1) }
    }

    /// The option that names the file to write.
    static let option = Option(
        "--output", value: "FILE", says: "write there instead, the whole or nothing; what was there before is replaced",
        values: .file)

    /// Writes `text` into the file at `path`, or returns it if there is none to write.
    static func deliver(_ text: String, to path: String?) -> String {
        guard let path else { return text }
        replace(path, with: text)
        return ""
    }

    /// Says why a file could not be written.
    static func words(_ error: SystemError, on path: String) -> String {
        let isThere = error.code == EEXIST
        return "\(Terminal.line(path)): \(isThere ? "there is such a file already, and it stays as it is" : "\(error)")"
    }
}

/// Standard output takes no more.
struct OutputError: Error, CustomStringConvertible {
    let code: Int32
    /// The consequence, unless it is obvious.
    var consequence: String?

    /// True if its reader is gone, which ends most programs without a word.
    var isBrokenPipe: Bool { code == EPIPE }
    var description: String {
        "standard output: \(SystemError(code))" + (consequence.map { "; \($0)" } ?? "")
    }
}
