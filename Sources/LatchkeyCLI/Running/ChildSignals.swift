internal import CLinux
internal import Glibc
internal import LatchkeyAgent

/// The signals of a process that waits for a child, held back on this thread and on those that it starts, and read one by one.
struct ChildSignals {
    /// Those that ask a process to end.
    static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
    /// Those by which a terminal stops a process.
    private static let stopping = [SIGTSTP, SIGTTIN, SIGTTOU]

    /// A signal that has arrived.
    struct Received {
        let number: Int32
        /// Whether the system sent it, as for a key: then everybody in the group has it.
        let isOfTerminal: Bool
        /// Which process sent it.
        let sender: pid_t
    }

    /// What was held back before.
    let former: sigset_t
    /// Something can be read from it when a signal has arrived.
    let descriptor: Int32

    /// Holds them back from now on.
    init() throws(Fault) {
        // What is ignored stays ignored, as by a program that nohup has started.
        let passed = Self.ending + Self.stopping + [SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT]
        signal(SIGCHLD, SIG_DFL)
        var awaited = StopSignals.set(of: passed.filter { !CrashSafety.isIgnored($0) } + [SIGCHLD])
        var held = awaited
        // Writing to a pipe that nobody reads is an error then, which is met where it happens.
        sigaddset(&held, SIGPIPE)
        var former = sigset_t()
        pthread_sigmask(SIG_BLOCK, &held, &former)
        self.former = former
        descriptor = latchkey_signals(&awaited)
        if descriptor < 0 { throw Fault(.vault, "signals: \(String(cString: strerror(errno)))") }
    }

    /// The next one that has arrived.
    func next() -> Received? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard read(descriptor, &info, size) == size else { return nil }
        return Received(
            number: Int32(bitPattern: info.ssi_signo), isOfTerminal: info.ssi_code == 0x80,  // SI_KERNEL
            sender: pid_t(bitPattern: info.ssi_pid))
    }

    /// Stops this process as `number` has stopped the child, until it is to go on. A child that somebody else has stopped is
    /// let alone.
    func stop(by number: Int32) {
        guard Self.stopping.contains(number) else { return }
        var only = StopSignals.set(of: [number])
        raise(number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        pthread_sigmask(SIG_BLOCK, &only, nil)
    }
}
