internal import Glibc
internal import LinuxSystem
internal import PlainText

/// An error that says why a file cannot be read.
package struct ScenarioFileError: Error, CustomStringConvertible {
    package let path: String
    /// The message: the path and the reason.
    package let description: String

    package init(path: String, because why: String) {
        self.path = path
        description = "\(Terminal.line(path)): \(why)"
    }
}

/// Reads whole files, up to the size that a document may have.
package enum SourceFile {
    /// Returns the bytes of the file at `path`, up to one more than a document may have.
    package static func bytes(_ path: String) throws(ScenarioFileError) -> [UInt8] {
        func trouble(_ why: String) -> ScenarioFileError { ScenarioFileError(path: path, because: why) }
        // Without O_NONBLOCK, opening a pipe would wait forever.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw trouble(SystemError.last.description) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw trouble(SystemError.last.description) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw trouble("not a regular file") }
        // One byte beyond the limit is enough to show that the file is too large.
        let limit = DocumentLimits.bytes + 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(limit, Int(status.st_size)))
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < limit {
            let count = read(file, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw trouble(SystemError.last.description) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Returns the path without links and dots; nil if there is no such file.
    package static func resolved(_ path: String) -> String? { realpath(path) }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
