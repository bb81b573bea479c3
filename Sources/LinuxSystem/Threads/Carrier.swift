internal import Synchronization

/// A box that carries a noncopyable value out of a closure that can return only copyable ones, or to another thread.
package final class Carrier<Value: ~Copyable & Sendable>: Sendable {
    private let value: Mutex<Value?>

    package init() { value = Mutex(nil) }

    package init(_ value: consuming sending Value) { self.value = Mutex(consume value) }

    package func fill(_ value: consuming sending Value) {
        var value: Value? = consume value
        self.value.withLock { $0 = value.take() }
    }

    /// Removes the value and returns it; nil if there is none.
    package func take() -> Value? { value.withLock { $0.take() } }
}
