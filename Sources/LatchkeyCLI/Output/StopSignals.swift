internal import Dispatch
internal import Glibc
internal import LatchkeyAgent
internal import Synchronization

/// The signals that ask a process to end, held back from when it is made until somebody looks.
final class StopSignals: Sendable {
    private static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    private let arrived = Atomic<Int32>(0)
    /// A pipe; its other end is closed when a signal has arrived.
    private let wake: Int32

    private init(wake: Int32) { self.wake = wake }

    /// Holds them back, on this thread and on those that it starts. Whoever waits for none of them says what is done when one
    /// arrives. Nil where the process has no descriptors left.
    static func held(_ act: @escaping @Sendable (Int32) -> Void = { _ in }) -> StopSignals? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let writing = ends[1]
        // What is ignored stays ignored, as by a program that nohup has started.
        let awaited = set(of: ending.filter { !CrashSafety.isIgnored($0) })
        // Writing to a pipe that nobody reads is an error then, which is met where it happens.
        var held = set(of: ending + [SIGPIPE])
        pthread_sigmask(SIG_BLOCK, &held, nil)
        let signals = StopSignals(wake: ends[0])
        DispatchQueue(label: "latchkey.signals").async {
            var awaited = awaited
            var signal: Int32 = 0
            guard sigwait(&awaited, &signal) == 0 else { return }
            signals.arrived.store(signal, ordering: .sequentiallyConsistent)
            close(writing)
            act(signal)
        }
        return signals
    }

    /// The signal that has arrived, if one has.
    var caught: Int32? {
        let signal = arrived.load(ordering: .sequentiallyConsistent)
        return signal == 0 ? nil : signal
    }

    /// Waits until `descriptor` has something to read, or a signal arrives.
    func wait(for descriptor: Int32) {
        var waited = [descriptor, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&waited, nfds_t(waited.count), -1) < 0 && errno == EINTR {}
    }

    /// Ends the process as `number` ends one that holds nothing back. Comes back where it is ignored.
    static func end(by number: Int32) {
        if CrashSafety.isIgnored(number) { return }
        signal(number, SIG_DFL)
        var only = set(of: [number])
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
    }

    static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
