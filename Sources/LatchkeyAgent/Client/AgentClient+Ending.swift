internal import CLinux
internal import Glibc

extension AgentClient {
    /// Has the agent wipe its keys and end, and waits until its process is gone. Throws if it does not end in time.
    package func stop() throws(Fault) {
        let watched = WatchedProcess(process)
        do throws(Fault) { _ = try ask(.stop, of: nil) } catch {
            // An agent that ended before it could answer has done what was asked.
            if watched.isGone(within: Self.patienceAtEnd) { return }
            throw error
        }
        guard watched.isGone(within: Self.patienceAtEnd) else { throw Self.goesOn(process) }
    }

    /// Ends an agent that cannot be connected to and waits until its process is gone. Throws if it does not end in time.
    package static func end(
        _ process: Int32, of place: AgentPlace, within patience: Int32 = patienceAtEnd
    ) throws(Fault) {
        let watched = WatchedProcess(process)
        // Only the vault's agent holds its agent lock.
        guard AgentLock.read(place)?.process == process else { return }
        kill(process, SIGTERM)
        guard watched.isGone(within: patience) else { throw goesOn(process) }
    }

    /// The time an agent gets to end, in milliseconds. It takes two seconds at most by itself.
    package static let patienceAtEnd = WireLimits.patience

    private static func goesOn(_ process: Int32) -> Fault {
        Fault(.agent, "process \(process) was told to wipe its keys and does not end: kill -9 \(process) ends it")
    }
}

/// A process whose end can be waited for, even if its number is given to another one afterwards.
private struct WatchedProcess: ~Copyable {
    private let number: Int32
    /// Becomes readable when the process ends; -1 if the system has no such descriptors or the process is gone already.
    private let descriptor: Int32

    init(_ number: Int32) {
        self.number = number
        descriptor = latchkey_watch_process(number)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Waits up to this many milliseconds; true if the process is gone.
    func isGone(within milliseconds: Int32) -> Bool {
        let deadline = Deadline(milliseconds)
        while descriptor >= 0 {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&waited, 1, deadline.left)
            if count > 0 { return true }
            if count == 0 || errno != EINTR { return false }
        }
        while kill(number, 0) == 0 || errno != ESRCH {
            if deadline.left <= 1 { return false }
            usleep(20_000)
        }
        return true
    }
}
