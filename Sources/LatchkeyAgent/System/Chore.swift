internal import Dispatch
internal import LinuxSystem
internal import Synchronization

/// Work that a thread of its own does whenever it is wanted, so that the caller never waits for it. If it is wanted while it
/// runs, it runs once more.
///
/// The thread is there from the beginning: when work is wanted, the system may have none left.
final class Chore: Sendable {
    private let isWanted = Atomic(false)
    private let wish = DispatchSemaphore(value: 0)

    /// Starts the thread. Throws if the system has none left.
    init(_ body: @escaping @Sendable () -> Void) throws(AgentError) {
        let isStarted = Supervisor.detach { [self] in
            while true {
                wish.wait()
                isWanted.store(false, ordering: .sequentiallyConsistent)
                body()
            }
        }
        if !isStarted { throw AgentError(.agent, "the system has no thread left for the agent: end other programs") }
    }

    /// Has the work done.
    func want() {
        if !isWanted.exchange(true, ordering: .sequentiallyConsistent) { wish.signal() }
    }
}
