internal import Synchronization

/// Carries what has one owner out of a closure that can give back only what may be copied, or from one thread to another.
final class Carrier<Value: ~Copyable & Sendable>: Sendable {
    private let value: Mutex<Value?>

    /// Creates one with nothing in it.
    init() { value = Mutex(nil) }

    /// Creates one that holds `value`.
    init(_ value: consuming sending Value) { self.value = Mutex(consume value) }

    /// Puts `value` in.
    func fill(_ value: consuming sending Value) {
        var value: Value? = consume value
        self.value.withLock { $0 = value.take() }
    }

    /// Takes out what was put in. Returns nil if nothing was, or if it was taken before.
    func take() -> Value? { value.withLock { $0.take() } }
}
