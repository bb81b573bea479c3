internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A thread that waits for descriptors, and a pipe that wakes it up.
package final class WakeableThread: Sendable {
    private struct Running {
        let thread: pthread_t
        /// The writing end of the pipe. The thread waits for the other end.
        let wake: Int32
    }

    private let running: Mutex<Running?>

    /// Starts the thread. `body` gets the descriptor to wait for: something can be read from it after each ``wake()`` and, for
    /// good, after ``end()``. Returns nil if this process has no descriptors or threads left.
    package init?(_ body: @escaping @Sendable (_ wake: Int32) -> Void) {
        guard let pipe = try? Pipe() else { return nil }
        pipe.doNotBlock()
        // The new thread inherits the blocked signals. Other threads expect them.
        let before = SignalSet.all.hold()
        defer { before.holdOnly() }
        let box = Unmanaged.passRetained(Body(wake: pipe.reading, run: body))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { Body.run($0) }, box.toOpaque()) == 0 else {
            box.release()
            pipe.close()
            return nil
        }
        running = Mutex(Running(thread: thread, wake: pipe.writing))
    }

    deinit { end() }

    package func wake() {
        running.withLock { running in
            guard let running else { return }
            // A full pipe wakes it up too.
            var byte: UInt8 = 0
            _ = write(running.wake, &byte, 1)
        }
    }

    /// Wakes the thread up for good, and waits for its end, unless the thread itself calls this.
    package func end() {
        guard let running = running.withLock({ $0.take() }) else { return }
        close(running.wake)
        if pthread_equal(running.thread, pthread_self()) != 0 {
            pthread_detach(running.thread)
        } else {
            pthread_join(running.thread, nil)
        }
    }

    /// Takes everything out of the pipe that has woken the thread up.
    static func drain(_ wake: Int32) {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(wake, &bytes, bytes.count) == bytes.count {}
    }

    private final class Body: Sendable {
        let wake: Int32
        let run: @Sendable (Int32) -> Void

        init(wake: Int32, run: @escaping @Sendable (Int32) -> Void) { (self.wake, self.run) = (wake, run) }

        static func run(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let box else { return nil }
            let body = Unmanaged<Body>.fromOpaque(box).takeRetainedValue()
            body.run(body.wake)
            close(body.wake)
            return nil
        }
    }
}
