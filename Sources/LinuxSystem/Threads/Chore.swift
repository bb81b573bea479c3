internal import Synchronization

/// Work that runs on a thread of its own, so that the caller never waits for it. If it is wanted while it runs, it runs once
/// more.
package final class Chore: Sendable {
    private let body: @Sendable () -> Void
    private let state = Mutex((isUnderWay: false, isWanted: false))

    /// Creates the work, which does not begin yet.
    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Starts the work. If no thread can be started, the caller does it.
    package func want() {
        let isFirst = state.withLock { state in
            state.isWanted = true
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        if isFirst && !Supervisor.detach({ self.work() }) { work() }
    }

    private func work() {
        while isStillWanted() { body() }
    }

    private func isStillWanted() -> Bool {
        state.withLock { state in
            defer { state.isWanted = false }
            state.isUnderWay = state.isWanted
            return state.isWanted
        }
    }
}
