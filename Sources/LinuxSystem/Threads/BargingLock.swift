public import Glibc
public import Synchronization

/// A lock that a running thread may take ahead of the threads that wait for it.
///
/// `Mutex` hands itself over in the order of waiting. If a holder loses its core, a queue forms, and from then on every
/// operation waits for a change of threads. This lock prevents that: the thread that runs goes on. Use it for short work that
/// many threads do often, and `Mutex` for everything else. A thread that takes it twice ends the process.
///
/// It is public so that other modules specialize it, which costs a read 3 % less. This module is part of no product.
public final class BargingLock<Value: ~Copyable>: @unchecked Sendable {  // the value is used under the lock only
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
        // A thread that meets a held lock spins for a moment before it sleeps.
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

    /// Runs `body` if the lock is free, and returns nil at once otherwise.
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
