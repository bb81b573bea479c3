internal import Synchronization
internal import UserPresence

/// Something that is done on a thread of its own, so that whoever wants it done waits for nobody. What is wanted while it is being
/// done is done once more.
final class Chore: Sendable {
    private let body: @Sendable () -> Void
    private let state = Mutex((isUnderWay: false, isWanted: false))

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Has it done. Where there is no thread for it, it is done here.
    func want() {
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
