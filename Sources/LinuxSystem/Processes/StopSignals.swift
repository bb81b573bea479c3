internal import Dispatch
internal import Glibc
internal import Synchronization

/// The signals that ask a process to end. They are blocked until this process looks for them.
package final class StopSignals: Sendable {
    private let arrived = Atomic<Int32>(0)
    /// The reading end of a pipe. The other end is closed when a signal has arrived.
    private let wake: Int32

    private init(wake: Int32) { self.wake = wake }

    /// Blocks the signals on this thread and on those that it starts. If one arrives, `act` runs on a thread of its
    /// own; you need it if you never call ``wait(for:)``. Returns nil if the process has no descriptors left.
    package static func held(_ act: @escaping @Sendable (Int32) -> Void = { _ in }) -> StopSignals? {
        guard let pipe = try? Pipe() else { return nil }
        // A signal that this process ignores stays ignored, as in a program that nohup has started.
        let awaited = SignalSet(Signals.ending.filter { !Signals.isIgnored($0) })
        // Blocking SIGPIPE turns a write to a closed pipe into an error, handled where the write happens.
        SignalSet(Signals.ending + [SIGPIPE]).hold()
        let signals = StopSignals(wake: pipe.reading)
        DispatchQueue(label: "latchkey.signals").async {
            var awaited = awaited.set
            var signal: Int32 = 0
            guard sigwait(&awaited, &signal) == 0 else { return }
            signals.arrived.store(signal, ordering: .sequentiallyConsistent)
            close(pipe.writing)
            act(signal)
        }
        return signals
    }

    /// The signal that has arrived; nil if none has.
    package var caught: Int32? {
        let signal = arrived.load(ordering: .sequentiallyConsistent)
        return signal == 0 ? nil : signal
    }

    /// Waits until `descriptor` has something to read or a signal arrives.
    package func wait(for descriptor: Int32) {
        var waited = [descriptor, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&waited, nfds_t(waited.count), -1) < 0 && errno == EINTR {}
    }
}
