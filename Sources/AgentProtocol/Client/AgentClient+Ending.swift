internal import Glibc
internal import LinuxSystem

extension AgentClient {
    /// Ends the agent after it has wiped its keys, and waits until its process is gone.
    ///
    /// - Returns: The records that the audit log lacks; nil if there are none.
    /// - Throws: ``AgentError`` if the agent does not end in time.
    @discardableResult
    package func stop() throws(AgentError) -> LostRecords? {
        let watched = WatchedProcess(process)
        let lost: LostRecords?
        do throws(AgentError) { lost = try ask(StopCall(), of: nil).reply.lost } catch {
            // An agent that ended before it could answer has done its job.
            if watched.isGone(within: Self.patienceAtEnd) { return nil }
            throw error
        }
        guard watched.isGone(within: Self.patienceAtEnd) else { throw Self.goesOn(process) }
        return lost
    }

    /// Ends an agent that this client cannot talk to, and waits until its process is gone. Throws if it does not end in
    /// time.
    package static func end(
        _ process: Int32, of place: AgentPlace, within patience: Int32 = patienceAtEnd
    ) throws(AgentError) {
        let watched = WatchedProcess(process)
        // Only the vault's agent holds its agent lock.
        guard AgentLock.read(place)?.process == process else { return }
        kill(process, SIGTERM)
        guard watched.isGone(within: patience) else { throw goesOn(process) }
    }

    /// The time that an agent gets to end, in milliseconds. By itself it takes two seconds at most.
    package static let patienceAtEnd = WireLimits.patience

    private static func goesOn(_ process: Int32) -> AgentError {
        AgentError(.agent, "process \(process) was asked to wipe its keys, but does not end: run `kill -9 \(process)`")
    }
}
