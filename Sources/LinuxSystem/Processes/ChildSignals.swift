internal import CLinux
internal import Glibc

/// The signals of a process that waits for a child, held back on this thread and on those that it starts, and read one by one.
package struct ChildSignals: Sendable {
    /// Those by which a terminal stops a process.
    private static let stopping = [SIGTSTP, SIGTTIN, SIGTTOU]

    /// A signal that has arrived.
    package struct Received: Sendable {
        /// Its number.
        package let number: Int32
        /// True if the system sent it, as for a key: then everybody in the group has it.
        package let isOfTerminal: Bool
        /// Which process sent it.
        package let sender: Int32
    }

    /// What was held back before.
    package let former: SignalSet
    /// Something can be read from it when a signal has arrived.
    package let descriptor: Int32

    /// Holds them back from now on.
    package init() throws(SystemError) {
        // What is ignored stays ignored, as by a program that nohup has started.
        let passed = Signals.ending + Self.stopping + [SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT]
        signal(SIGCHLD, SIG_DFL)
        let awaited = passed.filter { !Signals.isIgnored($0) } + [SIGCHLD]
        // Writing to a pipe that nobody reads is an error then, which is met where it happens.
        former = SignalSet(awaited + [SIGPIPE]).hold()
        descriptor = try SignalSet(awaited).descriptor()
    }

    /// The next one that has arrived.
    package func next() -> Received? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard read(descriptor, &info, size) == size else { return nil }
        return Received(
            number: Int32(bitPattern: info.ssi_signo), isOfTerminal: info.ssi_code == 0x80,  // SI_KERNEL
            sender: Int32(bitPattern: info.ssi_pid))
    }

    /// Stops this process as `number` has stopped the child, until it is to go on. A child that somebody else has stopped is
    /// let alone.
    package func stop(by number: Int32) {
        guard Self.stopping.contains(number) else { return }
        let only = SignalSet([number])
        raise(number)
        only.letThrough()
        only.hold()
    }
}
