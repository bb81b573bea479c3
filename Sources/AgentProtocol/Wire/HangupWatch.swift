internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A thread that waits for the other end of a socket to close.
package final class HangupWatch: Sendable {
    /// The thread, and the pipe that ends it; nil once it was ended, or if the system has no room for it.
    private let thread: Mutex<(pipe: Pipe, done: Signal)?>

    /// Starts the thread, which calls `whenGone` if the other end closes.
    package init(_ socket: Int32, _ whenGone: @escaping @Sendable () -> Void) {
        thread = Mutex(nil)
        guard let pipe = try? Pipe() else { return }
        let done = Signal()
        let isStarted = Supervisor.detach {
            var waited = [
                pollfd(fd: socket, events: 0, revents: 0),
                pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&waited, 2, -1) < 0 && errno == EINTR {}
            if waited[0].revents != 0 { whenGone() }
            done.give()
        }
        if isStarted { thread.withLock { $0 = (pipe, done) } } else { pipe.close() }
    }

    /// False if the system had no room for the thread, or after ``end()``.
    package var isWatching: Bool { thread.withLock { $0 != nil } }

    /// Returns true if the other end of a socket is closed.
    package static func isGone(_ socket: Int32) -> Bool {
        var waited = pollfd(fd: socket, events: 0, revents: 0)
        return poll(&waited, 1, 0) > 0 && waited.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    /// Ends the thread. Call this before the socket is closed.
    package func end() {
        let ended = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let (pipe, done) = ended else { return }
        var byte: UInt8 = 0
        _ = write(pipe.writing, &byte, 1)
        done.wait()
        pipe.close()
    }
}
