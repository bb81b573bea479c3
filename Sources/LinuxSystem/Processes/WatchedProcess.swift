internal import CLinux
internal import Glibc

/// A process whose end you can wait for, even if the system later gives its number to another process.
package struct WatchedProcess: ~Copyable {
    private let number: Int32
    /// A descriptor that becomes readable when the process ends; -1 if the system has no such descriptors or the
    /// process has ended.
    private let descriptor: Int32

    /// Watches the process with this number.
    package init(_ number: Int32) {
        self.number = number
        descriptor = latchkey_watch_process(number)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a signal to the process that was watched from the start, and to no other that got its number later. Returns 0 or the
    /// system's error number: `ESRCH` if the process has ended.
    package func send(_ signal: Int32) -> Int32 {
        descriptor >= 0 ? latchkey_signal_process(descriptor, signal) : ESRCH
    }

    /// Waits up to this many milliseconds, and returns true if the process has ended.
    package func isGone(within milliseconds: Int32) -> Bool {
        let deadline = Deadline(milliseconds)
        while descriptor >= 0 {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&waited, 1, deadline.left)
            if count > 0 { return true }
            if count == 0 || errno != EINTR { return false }
        }
        while kill(number, 0) == 0 || errno != ESRCH {
            if deadline.left <= 1 { return false }
            usleep(20_000)
        }
        return true
    }
}
