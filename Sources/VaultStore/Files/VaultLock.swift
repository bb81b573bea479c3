internal import Glibc
internal import LinuxSystem

/// The lock that a program holds while it changes the database and the device file. Its file is never replaced.
package final class VaultLock: Sendable {
    private let file: Descriptor
    private let path: String
    private let patience: Patience

    /// Creates the lock that is held while a passcode is checked. It is on the folder itself, so that other programs
    /// can still read and write.
    package init(attemptsAt folder: VaultFolder, patience: Patience) throws(VaultError) {
        path = folder.path
        self.patience = patience
        file = try Descriptor(folder.path, O_RDONLY | O_DIRECTORY)
    }

    package init(_ path: String, creating: Bool = false, patience: Patience) throws(VaultError) {
        self.path = path
        self.patience = patience
        file = try Descriptor(path, creating ? O_RDWR | O_CREAT | O_EXCL : O_RDWR)
        try file.requirePrivate()
    }

    /// Waits for the lock as long as the patience lasts. Once `isEnding` returns true, it waits only a moment longer.
    package func acquire(unless isEnding: () -> Bool = { false }) throws(VaultError) {
        var end = patience.end
        var hasShortened = false
        var pause: UInt32 = 50
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                if !hasShortened, isEnding() {
                    hasShortened = true
                    end = min(end, Patience.now + Self.lastPatience)
                }
                guard Patience.now < end else { throw .busy(path) }
                usleep(pause)
                pause = min(pause * 2, 5_000)
            default: throw .afterCall(on: path)
            }
        }
    }

    /// The time in milliseconds that the last record of a closed vault waits for the lock.
    private static let lastPatience: Int64 = 200

    package func release() { flock(file.number, LOCK_UN) }
}

/// The time to wait for other programs and threads.
package struct Patience: Sendable {
    package var milliseconds: Int32

    package init(milliseconds: Int32 = 10_000) { self.milliseconds = milliseconds }

    package static var now: Int64 { SystemClock.awake.milliseconds }

    package var end: Int64 { Self.now + Int64(milliseconds) }
}
