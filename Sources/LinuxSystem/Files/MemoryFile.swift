internal import CLinux
internal import Glibc

/// A file in memory with contents that never change, and with no path on a disk.
package final class MemoryFile: Sendable {
    /// The descriptor, which is open as long as the object exists.
    package let descriptor: Int32

    /// Creates a file with these contents.
    ///
    /// - Throws: ``SystemError`` if there is no memory or no descriptor left.
    package init(holding bytes: [UInt8]) throws(SystemError) {
        let file = latchkey_memory_file()
        guard file >= 0 else { throw .last }
        descriptor = file
        guard write(file, bytes, bytes.count) == bytes.count, latchkey_seal_memory_file(file) == 0 else {
            throw SystemError(errno == 0 ? ENOSPC : errno)
        }
    }

    deinit { close(descriptor) }
}
