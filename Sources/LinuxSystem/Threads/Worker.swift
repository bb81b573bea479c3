internal import Dispatch
internal import Synchronization

/// Work that a thread of its own does whenever it is wanted, so that the caller need not wait. Wishes that come while it runs
/// share one more round.
///
/// The thread is started in advance, because the system may have none left later.
package final class Worker: Sendable {
    /// The error if the system has no thread left.
    package struct NoThreadError: Error, Hashable, Sendable {}

    private struct State: Sendable {
        /// The number of wishes so far.
        var wanted = 0
        var waiting: [(wish: Int, signal: Signal)] = []
    }

    private let state = Mutex(State())
    private let wish = DispatchSemaphore(value: 0)

    /// Starts the thread.
    ///
    /// - Parameter round: Does the work. Returns the milliseconds after which it has to be done again; nil if it is done.
    package init(_ round: @escaping @Sendable () -> Int?) throws(NoThreadError) {
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
        if !isStarted { throw NoThreadError() }
    }

    private func giveSignals(upTo done: Int) {
        let over = state.withLock { state in
            defer { state.waiting.removeAll { $0.wish <= done } }
            return state.waiting.filter { $0.wish <= done }
        }
        for waiting in over { waiting.signal.give() }
    }

    /// Wants a round, and does not wait for it.
    package func want() {
        state.withLock { $0.wanted += 1 }
        wish.signal()
    }

    /// Wants a round, and waits for its end. Returns false if it takes longer than this.
    package func settle(upTo milliseconds: Int) -> Bool {
        let signal = Signal()
        state.withLock { state in
            state.wanted += 1
            state.waiting.append((state.wanted, signal))
        }
        wish.signal()
        return signal.wait(upTo: milliseconds)
    }
}
