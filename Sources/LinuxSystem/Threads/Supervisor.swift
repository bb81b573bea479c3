internal import Dispatch
internal import Glibc
internal import Synchronization

/// An event that ends the wait for a job of a ``Supervisor`` early.
package struct EarlyEnd: Sendable {
    /// Returns true if the event has happened.
    package var hasCome: @Sendable () -> Bool
    /// Calls a closure when the event happens, or at once if it has happened.
    package var whenItComes: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates an early end from these two closures.
    package init(
        hasCome: @escaping @Sendable () -> Bool,
        whenItComes: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.hasCome = hasCome
        self.whenItComes = whenItComes
    }
}

/// Runs jobs that may never return, each on its own thread and only so many at a time. If a job does not return in
/// time, the supervisor leaves it behind.
package final class Supervisor: Sendable {
    /// The outcome of a job.
    package enum Outcome<Value: Sendable>: Sendable {
        case finished(Value)
        /// The job did not return in time, and continues by itself.
        case leftBehind
        /// The job did not start, because every place is taken or the process has no threads left.
        case notBegun
    }

    private let places: Int
    private let free: DispatchSemaphore
    private let behind = Atomic(0)

    /// Creates a supervisor with room for this many jobs at a time, including those left behind.
    package init(places: Int) {
        self.places = places
        free = DispatchSemaphore(value: places)
    }

    /// The number of jobs that were left behind and still run.
    package var leftBehind: Int { behind.load(ordering: .relaxed) }

    /// Runs `body` on a thread of its own, and waits for it up to `milliseconds`. If jobs left behind take every place,
    /// this does not wait for one to become free.
    ///
    /// Once `end` has happened, the job gets only a moment more to return.
    package func run<Value: Sendable>(
        upTo milliseconds: Int, until end: EarlyEnd? = nil, _ body: @escaping @Sendable () -> Value
    ) -> Outcome<Value> {
        let deadline = DispatchTime.now() + .milliseconds(milliseconds)
        if leftBehind >= places { return .notBegun }
        while free.wait(timeout: min(deadline, .now() + .milliseconds(100))) == .timedOut {
            if leftBehind >= places || end?.hasCome() == true || .now() >= deadline { return .notBegun }
        }
        let job = Job<Value>()
        let isStarted = Self.detach { [self] in
            let wasLeftBehind = job.finish(body())
            if wasLeftBehind { behind.subtract(1, ordering: .relaxed) }
            free.signal()
        }
        guard isStarted else {
            free.signal()
            return .notBegun
        }
        end?.whenItComes { job.wake() }
        if let value = job.wait(until: deadline, leaving: { behind.add(1, ordering: .relaxed) }) {
            return .finished(value)
        }
        return .leftBehind
    }

    /// Runs `body` on a thread of its own without waiting, if a place is free now.
    package func begin(_ body: @escaping @Sendable () -> Void) {
        guard free.wait(timeout: .now()) == .success else { return }
        let isStarted = Self.detach { [self] in
            body()
            free.signal()
        }
        if !isStarted { free.signal() }
    }

    /// Runs `body` on a thread of its own without waiting. Returns false if the process has no threads left.
    @discardableResult
    package static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { Body.run($0) }, box.toOpaque())
        guard code == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

private final class Body: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let box else { return nil }
        Unmanaged<Body>.fromOpaque(box).takeRetainedValue().body()
        return nil
    }
}

/// One job, and the thread that waits for it.
private final class Job<Value: Sendable>: Sendable {
    private enum State {
        case underWay
        case finished(Value)
        case left
    }

    private let state = Mutex(State.underWay)
    private let done = DispatchSemaphore(value: 0)
    /// The time, in milliseconds, that a job has to clean up after an early end.
    private static var moment: Int { 500 }

    /// Records the job's value. Returns true if the job had been left behind.
    func finish(_ value: Value) -> Bool {
        let wasLeft = state.withLock { state in
            if case .left = state { return true }
            state = .finished(value)
            return false
        }
        done.signal()
        return wasLeft
    }

    /// Ends the wait early, apart from a last moment.
    func wake() { done.signal() }

    private var isUnderWay: Bool {
        state.withLock { state in
            if case .underWay = state { return true }
            return false
        }
    }

    /// Returns the job's value. If the job does not return in time, calls `leaving` and returns nil.
    func wait(until deadline: DispatchTime, leaving: () -> Void) -> Value? {
        _ = done.wait(timeout: deadline)
        if isUnderWay { _ = done.wait(timeout: min(deadline, .now() + .milliseconds(Self.moment))) }
        return state.withLock { state in
            if case .finished(let value) = state { return value }
            state = .left
            leaving()
            return nil
        }
    }
}
