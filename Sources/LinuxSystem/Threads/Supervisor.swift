internal import Dispatch
internal import Glibc
internal import Synchronization

/// Something that ends the waiting for what a ``Supervisor`` runs.
package struct EarlyEnd: Sendable {
    /// True if it has come.
    package var hasCome: @Sendable () -> Bool
    /// Calls a closure once it comes, at once if it has.
    package var whenItComes: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates one of what tells that it has come.
    package init(
        hasCome: @escaping @Sendable () -> Bool,
        whenItComes: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.hasCome = hasCome
        self.whenItComes = whenItComes
    }
}

/// Runs what may never come back on threads of its own, so many at a time, and leaves behind what does not come back.
package final class Supervisor: Sendable {
    /// What became of something.
    package enum Outcome<Value: Sendable>: Sendable {
        /// It came back, with this.
        case finished(Value)
        /// It did not come back in time, and goes on by itself.
        case leftBehind
        /// All places are taken, or there are no threads: it was not begun.
        case notBegun
    }

    private let places: Int
    private let free: DispatchSemaphore
    private let behind = Atomic(0)

    /// A supervisor of so many things at a time, those among them that were left behind.
    package init(places: Int) {
        self.places = places
        free = DispatchSemaphore(value: places)
    }

    /// How many things have not come back that nobody waits for any more.
    package var leftBehind: Int { behind.load(ordering: .relaxed) }

    /// Runs `body` on a thread of its own, and waits for it as long as `milliseconds` say. Where every place is taken by what
    /// was left behind, nobody waits for one to become free.
    ///
    /// Once `end` has come, there is only a moment left to come back in.
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

    /// Runs `body` on a thread of its own that nobody waits for, if there is a place for it now.
    package func begin(_ body: @escaping @Sendable () -> Void) {
        guard free.wait(timeout: .now()) == .success else { return }
        let isStarted = Self.detach { [self] in
            body()
            free.signal()
        }
        if !isStarted { free.signal() }
    }

    /// Runs `body` on a thread of its own that nobody waits for; false where there are no threads left.
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

/// One thing under way, and the one who waits for it.
private final class Job<Value: Sendable>: Sendable {
    private enum State {
        case underWay
        case finished(Value)
        case left
    }

    private let state = Mutex(State.underWay)
    private let done = DispatchSemaphore(value: 0)
    /// How long whoever is told that the prompt is over has to put their things in order, in milliseconds.
    private static var moment: Int { 500 }

    /// It came back; whether nobody waits for it any more.
    func finish(_ value: Value) -> Bool {
        let wasLeft = state.withLock { state in
            if case .left = state { return true }
            state = .finished(value)
            return false
        }
        done.signal()
        return wasLeft
    }

    /// Nobody waits for it any more, but for a moment.
    func wake() { done.signal() }

    private var isUnderWay: Bool {
        state.withLock { state in
            if case .underWay = state { return true }
            return false
        }
    }

    /// What it came back with; nil when it did not in time, after `leaving` was called.
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
