internal import CLinux
internal import Glibc

/// Functions on open file descriptors.
package enum Descriptors: Sendable {
    /// Writes all of `bytes`, and waits while the other end is full. Returns false if that fails; `errno` has the
    /// reason.
    package static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        var rest = bytes[...]
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

    /// Closes every descriptor that the parent left open, apart from the first three and those in `kept`.
    package static func closeInherited(but kept: [Int32]) {
        // `kept` is short, so closing the descriptors between its entries one by one costs little.
        let highest = kept.max() ?? STDERR_FILENO
        for descriptor in (STDERR_FILENO + 1)..<max(highest, STDERR_FILENO + 1) where !kept.contains(descriptor) {
            close(descriptor)
        }
        _ = latchkey_close_from(UInt32(highest + 1))
    }
}
