package import AgentProtocol
package import LinuxSystem

extension Worker {
    /// Starts a worker that repeats its work: `round` returns the milliseconds after which it has to be done again, and nil if it is
    /// done. Throws if the system has no thread left.
    package static func repeating(_ round: @escaping @Sendable () -> Int?) throws(AgentError) -> Worker {
        do throws(NoThreadError) { return try Worker(round) } catch {
            throw AgentError(.agent, "the system has no thread left for the agent: end other programs")
        }
    }

    /// Starts a worker that does its work once each time it is wanted. Throws if the system has no thread left.
    package static func doing(_ work: @escaping @Sendable () -> Void) throws(AgentError) -> Worker {
        try repeating {
            work()
            return nil
        }
    }
}
