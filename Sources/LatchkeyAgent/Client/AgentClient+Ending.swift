internal import CLinux
internal import Glibc
internal import UserPresence

extension AgentClient {
    /// Has the agent wipe its keys and end. Comes back once its process is gone; throws where it does not go.
    package func stop() throws(Fault) {
        let watched = WatchedProcess(process)
        do throws(Fault) { _ = try ask(.stop, of: nil) } catch {
            // One that has ended before it said so has done what was asked.
            if watched.isGone(within: Self.patienceAtEnd) { return }
            throw error
        }
        guard watched.isGone(within: Self.patienceAtEnd) else { throw Self.goesOn(process) }
    }

    /// Ends an agent that cannot be connected to. Comes back once its process is gone; throws where it does not go.
    package static func end(
        _ process: Int32, of place: AgentPlace, within patience: Int32 = patienceAtEnd
    ) throws(Fault) {
        let watched = WatchedProcess(process)
        // Whoever holds the lock of a vault of ours is its agent.
        guard AgentLock.read(place)?.process == process else { return }
        kill(process, SIGTERM)
        guard watched.isGone(within: patience) else { throw goesOn(process) }
    }

    /// How long to wait for its end, in milliseconds. By itself it takes two seconds at most.
    package static let patienceAtEnd = WireLimits.patience

    private static func goesOn(_ process: Int32) -> Fault {
        Fault(.agent, "process \(process) was told to wipe its keys and does not end: kill -9 \(process) ends it")
    }
}

/// A process whose end is waited for, whoever gets its number after that.
private struct WatchedProcess: ~Copyable {
    private let number: Int32
    /// Nothing where the system has no such thing, or the process is gone already.
    private let descriptor: Int32

    init(_ number: Int32) {
        self.number = number
        descriptor = latchkey_watch_process(number)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether it is gone; waits for that so many milliseconds.
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
