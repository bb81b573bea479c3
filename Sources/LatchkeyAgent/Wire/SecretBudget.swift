internal import Synchronization

/// How many bytes of large secrets and long lists all clients together may have with the agent, from when one begins to come
/// until what was asked with it is answered, or from when it is there until it is sent, so that nobody fills the memory. Small
/// ones always find room.
final class SecretBudget: Sendable {
    private let left: Atomic<Int>

    init(_ bytes: Int) { left = Atomic(bytes) }

    /// What one secret takes of it, given back with the last reference.
    final class Share: Sendable {
        private let budget: SecretBudget
        private let bytes: Int

        fileprivate init(_ budget: SecretBudget, _ bytes: Int) {
            self.budget = budget
            self.bytes = bytes
        }

        deinit { budget.left.add(bytes, ordering: .relaxed) }
    }

    /// Room for so many bytes; nil for a small one, which needs none.
    func share(of bytes: Int) throws(WireFault) -> Share? {
        if bytes <= WireLimits.typed { return nil }
        if left.subtract(bytes, ordering: .relaxed).newValue >= 0 { return Share(self, bytes) }
        left.add(bytes, ordering: .relaxed)
        throw .noRoom
    }
}
