package import Glibc
internal import LinuxSystem

/// An open file, which closes at the end of its owner's life.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32
    private let path: String

    /// Opens `path`, which begins in an open `folder` if it is not absolute. Errors name the file by `name`, if that is the name
    /// that the user knows.
    package init(
        _ path: String, _ flags: Int32, mode: mode_t = 0o600, in folder: Int32 = AT_FDCWD, named name: String? = nil
    ) throws(VaultError) {
        self.path = name ?? path
        number = path.withPath { openat(folder, $0, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
        guard number >= 0 else { throw .afterCall(on: self.path) }
        guard flags & O_CREAT != 0 else { return }
        // The umask may remove rights of the owner. On a file system without rights this has no effect.
        var status = stat()
        if fstat(number, &status) == 0, status.st_mode & mode != mode { _ = fchmod(number, mode) }
    }

    deinit { close(number) }

    /// Throws unless this is a regular file that belongs to the user, and to which other users have no rights.
    package borrowing func requirePrivate() throws(VaultError) {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .afterCall(on: path) }
        try requireOurs(status, path, kind: S_IFREG)
    }

    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(VaultError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(number, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw .afterCall(on: path)
            }
            done += count
        }
        return done
    }

    /// Reads `count` bytes at this offset. Returns nil if the file ends before that.
    package borrowing func bytes(_ count: Int, at offset: Int) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return try bytes.withUnsafeMutableBytes { try read(into: $0, at: offset) } == count ? bytes : nil
    }

    package borrowing func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(VaultError) {
        var done = 0
        while done < buffer.count {
            let count = pwrite(number, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .afterCall(on: path)
            }
            guard count > 0 else { throw .full(path) }
            done += count
        }
    }

    package borrowing func synchronize() throws(VaultError) {
        guard fdatasync(number) == 0 else { throw .afterCall(on: path) }
    }
}

/// Throws unless `status` describes a file of this kind that belongs to the user, and to which other users have no
/// rights.
func requireOurs(_ status: stat, _ path: String, kind: mode_t) throws(VaultError) {
    if status.st_mode & S_IFMT == S_IFLNK { throw .unsafePath(path, .symlink) }
    guard status.st_mode & S_IFMT == kind else { throw .unsafePath(path, .kind) }
    guard status.st_uid == geteuid() else { throw .unsafePath(path, .owner(status.st_uid)) }
    guard status.st_mode & 0o077 == 0 else { throw .unsafePath(path, .mode(UInt32(status.st_mode & 0o7777))) }
}

extension VaultError {
    /// Returns the error for the system call that has just failed.
    static func afterCall(on path: String) -> Self { system(errno, on: path) }

    package static func system(_ code: Int32, on path: String) -> Self {
        switch code {
        case ENOSPC, EDQUOT: .full(path)
        case EROFS: .readOnly(path)
        case EFBIG: .fileSizeLimit(path)
        case ELOOP: .unsafePath(path, .symlink)
        default: .system(path, code: code, text: SystemError(code).description)
        }
    }
}
