internal import Synchronization

/// Carries what has one owner out of a closure that can give back only what may be copied, or from one thread to another.
final class Carrier<Value: ~Copyable & Sendable>: Sendable {
    private let value: Mutex<Value?>

    init() { value = Mutex(nil) }

    init(_ value: consuming sending Value) { self.value = Mutex(consume value) }

    func fill(_ value: consuming sending Value) {
        var value: Value? = consume value
        self.value.withLock { $0 = value.take() }
    }

    /// What was put in; nil where nothing was, or it was taken before.
    func take() -> Value? { value.withLock { $0.take() } }
}
