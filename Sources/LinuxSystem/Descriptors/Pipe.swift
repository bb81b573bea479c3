internal import CLinux
internal import Glibc

/// The two ends of a pipe. No program inherits them, not even one that another thread starts at this moment.
package struct Pipe: Sendable {
    package let reading: Int32
    package let writing: Int32

    /// Creates a pipe. Neither descriptor is one of the first three, so a child can have both in place of those. Throws
    /// if the process has no descriptors left.
    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard latchkey_pipe(&ends) == 0 else { throw .last }
        for index in ends.indices where ends[index] < 3 {
            let low = ends[index]
            ends[index] = fcntl(low, F_DUPFD_CLOEXEC, 3)
            Glibc.close(low)
        }
        (reading, writing) = (ends[0], ends[1])
        guard ends.allSatisfy({ $0 >= 0 }) else {
            for end in ends where end >= 0 { Glibc.close(end) }
            throw SystemError(EMFILE)
        }
    }

    package func close() { for end in [reading, writing] { Glibc.close(end) } }

    /// Makes reads from an empty pipe and writes to a full one return at once.
    package func doNotBlock() { for end in [reading, writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) } }
}
