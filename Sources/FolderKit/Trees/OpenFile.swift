package import Glibc
package import LinuxSystem

/// An open file or folder, which closes at the end of its use.
package final class OpenFile: Sendable {
    package let descriptor: Int32

    /// Takes over an open descriptor.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    package convenience init(_ entry: FolderEntry, _ flags: Int32, _ mode: mode_t = 0) throws(SystemError) {
        self.init(try entry.open(flags, mode))
    }

    deinit { close(descriptor) }

    package func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        return status
    }

    /// Writes the changes of the file to the disk.
    package func sync() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// True if a process has the file open for writing, also one that this process may not look into. The file must be open here
    /// for reading alone.
    package var isOpenForWriting: Bool {
        // The kernel grants a lease for reading unless there is a writer. If a writer comes before the lease is given back, the kernel
        // sends a signal; take one that does nothing.
        _ = fcntl(descriptor, 10, SIGURG)  // F_SETSIG
        if fcntl(descriptor, 1024, Int32(F_RDLCK)) == 0 {  // F_SETLEASE
            _ = fcntl(descriptor, 1024, Int32(F_UNLCK))
            return false
        }
        // A file system without leases cannot tell.
        return errno == EAGAIN
    }
}

/// The state of a file by which a change shows.
package struct Stamp: Hashable, Sendable {
    /// The number of its device.
    package let device: UInt64
    /// The number of the file there.
    package let inode: UInt64
    /// The bytes in it.
    package let size: Int64
    /// The last change of its content.
    package let written: Moment
    /// The last change of anything about it.
    package let changed: Moment

    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        written = Moment(status.st_mtim)
        changed = Moment(status.st_ctim)
    }

    /// True if both are of one file, changed or not.
    package func isSameFile(as other: Stamp) -> Bool { device == other.device && inode == other.inode }
}

/// A time of a file system.
package struct Moment: Hashable, Comparable, Sendable {
    /// The seconds since 1970.
    package let seconds: Int
    /// The nanoseconds after them.
    package let nanoseconds: Int

    package init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }

    /// Creates the time of a text such as `1700000000.5`, whose second number counts nanoseconds.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let seconds = parts[0], let nanoseconds = parts[1] else { return nil }
        (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
    }

    /// Waits until the clock that gives files their times moves on, which takes some milliseconds.
    static func waitForNext() {
        func now() -> Moment {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME_COARSE, &time)
            return Moment(time)
        }
        let start = now()
        while now() == start { usleep(1000) }
    }

    /// The text that the initializer reads.
    package var text: String { "\(seconds).\(nanoseconds)" }

    /// Returns true if one time is before the other.
    package static func < (one: Moment, other: Moment) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }
}
