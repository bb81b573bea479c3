internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The signals that are held while a terminal is in another mode, and delivered once it is restored.
///
/// The handler only writes the number of the signal to a pipe, so it may interrupt any thread. The thread that shows
/// the prompt reads the pipe and does the rest. The pipe stays open as long as the process runs, because a handler may
/// still write to it after the prompt.
enum TerminalSignals {
    /// The former actions of the signals that are held.
    struct Former {
        fileprivate var actions: [(signal: Int32, action: sigaction)] = []
    }

    /// Signals that end the process or, if the program handles them, the prompt.
    private static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
    /// Signals that end the process by default. If the program handles them, they are left alone.
    private static let endingByDefault = [SIGALRM, SIGPIPE, SIGUSR1, SIGUSR2]
    /// Signals that stop and continue the process. SIGTTIN and SIGTTOU are not held: they stop the process before it
    /// changes anything.
    private static let stopping = [SIGTSTP, SIGCONT]

    private static let pipeEnds: Pipe? = {
        let pipe = try? Pipe()
        pipe?.doNotBlock()
        return pipe
    }()
    private static let writingEnd = Atomic<Int32>(-1)
    private static let owner = Atomic<Int32>(0)

    /// A descriptor that polls as readable when a signal has arrived; -1 if the process has no descriptors left.
    static var arrivals: Int32 { pipeEnds?.reading ?? -1 }

    /// Returns true if the prompt appears again after `signal`.
    static func isAskedAgain(after signal: Int32) -> Bool { stopping.contains(signal) }

    /// Starts to hold signals. Returns nil if that is impossible.
    static func hold() -> Former? {
        guard let pipeEnds else { return nil }
        writingEnd.store(pipeEnds.writing, ordering: .sequentiallyConsistent)
        owner.store(getpid(), ordering: .sequentiallyConsistent)
        var former = Former()
        for signal in ending + endingByDefault + stopping {
            var old = sigaction()
            guard sigaction(signal, nil, &old) == 0 else { continue }
            // A signal that the program ignores stays ignored.
            if old.address == ignored || (endingByDefault.contains(signal) && old.address != byDefault) { continue }
            var new = sigaction()
            new.__sigaction_handler.sa_handler = note
            // Restart the system calls of other threads, and use their signal stack if they have one.
            new.sa_flags = SA_RESTART | SA_ONSTACK
            if sigaction(signal, &new, &old) == 0 { former.actions.append((signal, old)) }
        }
        return former
    }

    /// Restores the former actions, except for signals for which the program has set another handler in the meantime.
    static func letThrough(_ former: Former) {
        for (signal, action) in former.actions {
            var current = sigaction()
            guard sigaction(signal, nil, &current) == 0, current.address == own else { continue }
            var action = action
            sigaction(signal, &action, nil)
        }
    }

    /// Returns the next signal that has arrived; nil if there is none.
    static func next() -> Int32? {
        var number: UInt8 = 0
        while true {
            let count = read(arrivals, &number, 1)
            if count == 1 { return Int32(number) }
            if count < 0 && errno == EINTR { continue }
            return nil
        }
    }

    /// Delivers `signal` to the process. It takes effect before this returns.
    static func deliver(_ signal: Int32) {
        // Send it to this thread. Sent to the process, it could arrive when the terminal is in another mode again.
        let former = SignalSet([signal]).letThrough()
        pthread_kill(pthread_self(), signal)
        former.holdOnly()
    }

    private static let byDefault = unsafeBitCast(SIG_DFL, to: Int.self)
    private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    private static let own = unsafeBitCast(note, to: Int.self)

    /// The handler. It calls only functions that are safe in a signal handler.
    private static let note: @convention(c) (Int32) -> Void = { signal in
        let before = errno
        if getpid() == owner.load(ordering: .relaxed) {
            var number = UInt8(truncatingIfNeeded: signal)
            _ = write(writingEnd.load(ordering: .relaxed), &number, 1)
        } else {
            // A forked child must not write to its parent's pipe, which no thread of the child reads.
            var action = sigaction()
            action.__sigaction_handler.sa_handler = SIG_DFL
            sigaction(signal, &action, nil)
            raise(signal)
        }
        errno = before
    }
}

extension sigaction {
    /// The address of the handler, for comparison.
    fileprivate var address: Int { unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) }
}
