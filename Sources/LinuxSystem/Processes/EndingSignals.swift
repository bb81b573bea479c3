internal import Glibc
internal import Synchronization

/// The signals that ask this process to end, noted by a handler. Threads that began before may get them too.
package struct EndingSignals: Sendable {
    private let arrivals: Int32

    /// Has the signals noted from now on. A signal that this process ignores stays ignored.
    ///
    /// - Throws: ``SystemError`` if the process has no descriptors left.
    package init() throws(SystemError) {
        let pipe = try Pipe()
        pipe.doNotBlock()
        arrivals = pipe.reading
        notes.store(pipe.writing, ordering: .sequentiallyConsistent)
        for number in Signals.ending where !Signals.isIgnored(number) { signal(number, note) }
    }

    /// Waits for the next one of them. Returns its number.
    package func wait() -> Int32 {
        while true {
            var number: UInt8 = 0
            if read(arrivals, &number, 1) == 1 { return Int32(number) }
            var waited = pollfd(fd: arrivals, events: Int16(POLLIN), revents: 0)
            _ = poll(&waited, 1, -1)
        }
    }
}

/// The pipe that the handler writes to.
private let notes = Atomic<Int32>(-1)

/// Writes the number of a signal into the pipe. It does nothing that a handler must not do.
private let note: @convention(c) (Int32) -> Void = { number in
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(notes.load(ordering: .relaxed), &byte, 1)
    errno = before
}
