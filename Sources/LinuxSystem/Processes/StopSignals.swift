internal import Dispatch
internal import Glibc
internal import Synchronization

/// The signals that ask a process to end, held back from when it is made until somebody looks.
package final class StopSignals: Sendable {
    private let arrived = Atomic<Int32>(0)
    /// A pipe; its other end is closed when a signal has arrived.
    private let wake: Int32

    private init(wake: Int32) { self.wake = wake }

    /// Holds them back, on this thread and on those that it starts. Whoever waits for none of them says what is done when one
    /// arrives. Nil where the process has no descriptors left.
    package static func held(_ act: @escaping @Sendable (Int32) -> Void = { _ in }) -> StopSignals? {
        guard let pipe = try? Pipe() else { return nil }
        // What is ignored stays ignored, as by a program that nohup has started.
        let awaited = SignalSet(Signals.ending.filter { !Signals.isIgnored($0) })
        // Writing to a pipe that nobody reads is an error then, which is met where it happens.
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

    /// The signal that has arrived, if one has.
    package var caught: Int32? {
        let signal = arrived.load(ordering: .sequentiallyConsistent)
        return signal == 0 ? nil : signal
    }

    /// Waits until `descriptor` has something to read, or a signal arrives.
    package func wait(for descriptor: Int32) {
        var waited = [descriptor, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&waited, nfds_t(waited.count), -1) < 0 && errno == EINTR {}
    }
}
