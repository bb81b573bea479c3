internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The signals that are held up while a terminal is not as it was, until it is again.
///
/// The handler only writes the signal's number into a pipe, so that it does not matter which thread it interrupts; whoever
/// asks at the terminal reads it there, and does everything else. The pipe stays for as long as the process, because a
/// handler may still be about to write to it when the prompt is long over.
enum TerminalSignals {
    /// What was there before, for the signals that are held up.
    struct Former {
        fileprivate var actions: [(signal: Int32, action: sigaction)] = []
    }

    /// They end the process, or the prompt where the program handles them itself.
    private static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
    /// They end the process unless the program handles them, and then they have nothing to do with the prompt.
    private static let endingByDefault = [SIGALRM, SIGPIPE, SIGUSR1, SIGUSR2]
    /// They stop and go on. What touches the terminal from the background is stopped before it has changed anything.
    private static let stopping = [SIGTSTP, SIGCONT]

    private static let pipeEnds: Pipe? = {
        let pipe = try? Pipe()
        pipe?.doNotBlock()
        return pipe
    }()
    private static let writingEnd = Atomic<Int32>(-1)
    private static let owner = Atomic<Int32>(0)

    /// Polls as readable when a signal has arrived; -1 where the process has no descriptors left.
    static var arrivals: Int32 { pipeEnds?.reading ?? -1 }

    /// Returns true if the question is asked again after `signal`.
    static func isAskedAgain(after signal: Int32) -> Bool { stopping.contains(signal) }

    /// Holds signals up from now on; nil where that is not possible.
    static func hold() -> Former? {
        guard let pipeEnds else { return nil }
        writingEnd.store(pipeEnds.writing, ordering: .sequentiallyConsistent)
        owner.store(getpid(), ordering: .sequentiallyConsistent)
        var former = Former()
        for signal in ending + endingByDefault + stopping {
            var old = sigaction()
            guard sigaction(signal, nil, &old) == 0 else { continue }
            // What is ignored stays ignored.
            if old.address == ignored || (endingByDefault.contains(signal) && old.address != byDefault) { continue }
            var new = sigaction()
            new.__sigaction_handler.sa_handler = note
            // Other threads shall notice as little as possible.
            new.sa_flags = SA_RESTART | SA_ONSTACK
            if sigaction(signal, &new, &old) == 0 { former.actions.append((signal, old)) }
        }
        return former
    }

    /// Lets them through again, except where the program has put a handler of its own in place meanwhile.
    static func letThrough(_ former: Former) {
        for (signal, action) in former.actions {
            var current = sigaction()
            guard sigaction(signal, nil, &current) == 0, current.address == own else { continue }
            var action = action
            sigaction(signal, &action, nil)
        }
    }

    /// The next that has arrived.
    static func next() -> Int32? {
        var number: UInt8 = 0
        while true {
            let count = read(arrivals, &number, 1)
            if count == 1 { return Int32(number) }
            if count < 0 && errno == EINTR { continue }
            return nil
        }
    }

    /// Has `signal` take its effect on the process before this returns.
    static func deliver(_ signal: Int32) {
        // To this thread, which may block it: sent to the process, it could arrive when the terminal is changed again.
        let former = SignalSet([signal]).letThrough()
        pthread_kill(pthread_self(), signal)
        former.holdOnly()
    }

    private static let byDefault = unsafeBitCast(SIG_DFL, to: Int.self)
    private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    private static let own = unsafeBitCast(note, to: Int.self)

    /// The handler. Only what is safe in one.
    private static let note: @convention(c) (Int32) -> Void = { signal in
        let before = errno
        if getpid() == owner.load(ordering: .relaxed) {
            var number = UInt8(truncatingIfNeeded: signal)
            _ = write(writingEnd.load(ordering: .relaxed), &number, 1)
        } else {
            // A forked process, in which nobody reads the pipe, and whose end it is not either.
            var action = sigaction()
            action.__sigaction_handler.sa_handler = SIG_DFL
            sigaction(signal, &action, nil)
            raise(signal)
        }
        errno = before
    }
}

extension sigaction {
    /// Where its handler is, for comparing.
    fileprivate var address: Int { unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) }
}
