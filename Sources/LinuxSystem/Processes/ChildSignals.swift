internal import CLinux
internal import Glibc

/// The signals of a process that waits for a child. They are blocked on this thread and on those that it starts, and
/// read one by one.
package struct ChildSignals: Sendable {
    /// The signals by which a terminal stops a process.
    private static let stopping = [SIGTSTP, SIGTTIN, SIGTTOU]

    /// A signal that has arrived.
    package struct Received: Sendable {
        package let number: Int32
        /// True if the system sent the signal, for example because of a key. Then every process of the group got it
        /// too.
        package let isOfTerminal: Bool
        /// The number of the process that sent the signal.
        package let sender: Int32
    }

    /// The signals that were blocked before.
    package let former: SignalSet
    /// A descriptor that becomes readable when a signal has arrived.
    package let descriptor: Int32

    /// Blocks the signals from now on. Throws if the process has no descriptors left.
    package init() throws(SystemError) {
        // A signal that this process ignores stays ignored, as in a program that nohup has started.
        let passed = Signals.ending + Self.stopping + [SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT]
        signal(SIGCHLD, SIG_DFL)
        let awaited = passed.filter { !Signals.isIgnored($0) } + [SIGCHLD]
        // Blocking SIGPIPE turns a write to a closed pipe into an error, handled where the write happens.
        former = SignalSet(awaited + [SIGPIPE]).hold()
        descriptor = try SignalSet(awaited).descriptor()
    }

    /// Returns the next signal that has arrived; nil if there is none.
    package func next() -> Received? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard read(descriptor, &info, size) == size else { return nil }
        return Received(
            number: Int32(bitPattern: info.ssi_signo), isOfTerminal: info.ssi_code == 0x80,  // SI_KERNEL
            sender: Int32(bitPattern: info.ssi_pid))
    }

    /// Stops this process with the signal that has stopped the child, until it is continued. If another process stopped
    /// the child with any other signal, this does nothing.
    package func stop(by number: Int32) {
        guard Self.stopping.contains(number) else { return }
        let only = SignalSet([number])
        raise(number)
        only.letThrough()
        only.hold()
    }
}
