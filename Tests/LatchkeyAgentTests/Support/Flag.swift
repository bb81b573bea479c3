import Synchronization

/// Something that is said once to several threads, and that they answer.
final class Flag: Sendable {
    private let state = Mutex((isUp: false, count: 0))

    var isUp: Bool { state.withLock { $0.isUp } }
    var count: Int { state.withLock { $0.count } }
    func raise() { state.withLock { $0.isUp = true } }
    func add() { state.withLock { $0.count += 1 } }
}
