internal import Glibc

/// Files that are written whole, or not at all.
package enum NewFile {
    /// Writes `text` into a new file. One that is there already stays as it is, unless it may be replaced.
    package static func write(_ text: String, to path: String, replacing: Bool = false) throws(FileTrouble) {
        func trouble() -> FileTrouble {
            let why =
                errno == EEXIST
                ? "there is such a file already, and it stays as it is" : String(cString: strerror(errno))
            return FileTrouble(path: path, description: "\(printable(path)): \(why)")
        }
        // Under another name until it is whole.
        let draft = "\(path).\(getpid()).new"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw trouble() }
        var text = text
        let isWritten = text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        let isPlaced =
            isWritten && close(file) == 0 && (replacing ? rename(draft, path) : link(draft, path)) == 0
        if isPlaced && replacing { return }
        let code = errno
        unlink(draft)
        errno = code
        if !isPlaced { throw trouble() }
    }
}
