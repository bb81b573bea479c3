internal import Glibc
internal import LinuxSystem
internal import PlainText

/// Why a file could not be read.
package struct FileError: Error, CustomStringConvertible {
    package let path: String
    package let description: String

    /// The file at `path` cannot be read, for this reason.
    package init(path: String, because why: String) {
        self.path = path
        description = "\(Terminal.line(path)): \(why)"
    }
}

/// Files as they are read: whole, and no larger than a document may be.
package enum SourceFile {
    /// The bytes of the file at `path`.
    package static func bytes(_ path: String) throws(FileError) -> [UInt8] {
        func trouble(_ why: String) -> FileError { FileError(path: path, because: why) }
        // Nothing is waited for: a pipe in the place of a file would keep the run for ever.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw trouble(SystemError.last.description) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw trouble(SystemError.last.description) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw trouble("this is no file") }
        // One byte more than there may be shows that there is more.
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

    /// The path without links and dots; nil where there is no such file.
    package static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The folder that `path` is in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
