internal import Synchronization

/// A counter that several threads add to. It reports each new count, one call at a time.
final class Tally: Sendable {
    private let done = Mutex(0)
    private let all: Int
    private let tell: @Sendable (Int, Int) -> Void

    init(_ all: Int, _ tell: @Sendable @escaping (Int, Int) -> Void) {
        self.all = all
        self.tell = tell
    }

    func add(_ count: Int) {
        done.withLock { done in
            done += count
            tell(done, all)
        }
    }
}
