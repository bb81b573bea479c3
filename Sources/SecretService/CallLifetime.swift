internal import Synchronization

/// The time during which a store may prompt the user for one call.
package final class CallLifetime: Sendable {
    private struct State {
        var isOver = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Creates one that lasts until ``end()``.
    package init() {}

    /// True once no more prompts may be shown: the caller has left, the prompt was dismissed, or the time is over.
    package var isOver: Bool { state.withLock { $0.isOver } }

    /// Throws ``SecretFault/locked`` if the time is over. Call it before a change: the caller was answered then, and
    /// would store the same a second time.
    package func check() throws(SecretFault) { if isOver { throw .locked } }

    /// Ends all prompts of the call, from any thread.
    package func end() {
        let actions = state.withLock { state in
            defer { state.actions = [] }
            state.isOver = true
            return state.actions
        }
        for action in actions { action() }
    }

    /// Runs a closure when the time to ask is over, or at once if it is.
    package func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.actions.append(body) }
            return state.isOver
        }
        if isOver { body() }
    }
}
