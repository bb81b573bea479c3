internal import Dispatch
internal import LinuxSystem
internal import Synchronization

/// Work that a thread of its own does whenever it is asked to, and whose end can be waited for.
final class Rounds: Sendable {
    private struct State: Sendable {
        /// The number of requests so far.
        var wanted = 0
        var waiting: [(request: Int, signal: Signal)] = []
    }

    private let state = Mutex(State())
    private let wish = DispatchSemaphore(value: 0)

    /// Starts the thread. Throws if the system has none left.
    ///
    /// - Parameter round: Does the work. Returns the milliseconds after which it has to be done again; nil if it is done.
    init(_ round: @escaping @Sendable () -> Int?) throws(AgentError) {
        let isStarted = Supervisor.detach { [self] in
            var done = 0
            var pause: Int?
            while true {
                if let pause { _ = wish.wait(timeout: .now() + .milliseconds(pause)) } else { wish.wait() }
                let wanted = state.withLock { $0.wanted }
                // A wish that an earlier round has fulfilled.
                if wanted == done && pause == nil { continue }
                pause = round()
                done = wanted
                giveSignals(upTo: done)
            }
        }
        if !isStarted { throw AgentError(.agent, "the system has no thread left for the agent: end other programs") }
    }

    private func giveSignals(upTo done: Int) {
        let over = state.withLock { state in
            defer { state.waiting.removeAll { $0.request <= done } }
            return state.waiting.filter { $0.request <= done }
        }
        for waiting in over { waiting.signal.give() }
    }

    /// Requests a round, and does not wait for it.
    func want() {
        state.withLock { $0.wanted += 1 }
        wish.signal()
    }

    /// Requests a round, and waits for its end. Returns false if it takes longer than this.
    func settle(upTo milliseconds: Int) -> Bool {
        let signal = Signal()
        state.withLock { state in
            state.wanted += 1
            state.waiting.append((state.wanted, signal))
        }
        wish.signal()
        return signal.wait(upTo: milliseconds)
    }
}
