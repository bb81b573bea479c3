internal import CSandbox
internal import Glibc
internal import LinuxSystem

/// A file or folder that a plan brings into a sandbox, as it was when it was checked.
///
/// A command in another sandbox may write to a folder above it, and put a link to something else in its place before bwrap takes it.
struct BoundFile: Hashable, Sendable {
    /// The path, without symbolic links.
    let path: String
    let kind: mode_t
    private let device: UInt64
    private let number: UInt64

    /// Examines the file at a path; at the end of it, if that is a symbolic link.
    ///
    /// - Throws: ``SystemError`` if there is none, or its path cannot be found.
    init(_ path: String) throws(SystemError) {
        let file = LinuxSystem.open(path, latchkey_only_path() | O_CLOEXEC)
        guard file >= 0 else { throw .last }
        defer { close(file) }
        var status = stat()
        // This is the path of the very file that was opened.
        guard fstat(file, &status) == 0, let real = SystemFile.target(of: "/proc/self/fd/\(file)") else { throw .last }
        self.init(real, status)
    }

    /// Examines the file at a path, and no other that a symbolic link leads to. Returns nil if there is none.
    init?(itself path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .last
        }
        self.init(path, status)
    }

    private init(_ path: String, _ status: stat) {
        self.path = path
        kind = status.st_mode & S_IFMT
        (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// Returns true if a process has the very file at this path.
    func isHad(by process: Int32) -> Bool {
        var status = stat()
        return lstat("/proc/\(process)/root\(path)", &status) == 0 && UInt64(status.st_dev) == device
            && UInt64(status.st_ino) == number
    }
}
