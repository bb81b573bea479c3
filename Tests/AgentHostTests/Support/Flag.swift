import Synchronization

/// A flag that is raised once for several threads, and counts their answers.
final class Flag: Sendable {
    private let state = Mutex((isUp: false, count: 0))

    var isUp: Bool { state.withLock { $0.isUp } }
    var count: Int { state.withLock { $0.count } }
    func raise() { state.withLock { $0.isUp = true } }
    func add() { state.withLock { $0.count += 1 } }
}
