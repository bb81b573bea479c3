internal import Dispatch
internal import LinuxSystem
internal import Synchronization

/// Work that runs on its own thread whenever it is requested, so that the caller never waits. If it is requested while
/// it runs, it runs once more.
///
/// The thread is started in advance, because the system may have none left later.
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

    func want() {
        if !isWanted.exchange(true, ordering: .sequentiallyConsistent) { wish.signal() }
    }
}
