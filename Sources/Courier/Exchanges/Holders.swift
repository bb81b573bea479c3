internal import LinuxSystem
internal import Synchronization

/// Counts the exchanges that have guarded memory, and lets no more in after a cut.
final class Holders: Sendable {
    private struct State: Sendable {
        var count = 0
        var isClosed = false
        var waiting: [Signal] = []
    }

    private let state = Mutex(State())

    /// True after ``close()``.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Counts an exchange. Returns false after ``close()``.
    func enter() -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.count += 1
            return true
        }
    }

    /// Notes that the guarded memory of an exchange is wiped.
    func leave() {
        let signals = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [] as [Signal] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for signal in signals { signal.give() }
    }

    /// Lets no exchange in from now on.
    func close() { state.withLock { $0.isClosed = true } }

    /// Waits until no exchange has guarded memory any more. Without ``close()`` before, another one may have some again.
    func wait(upToMilliseconds limit: Int) {
        let signal = Signal()
        let isOver = state.withLock { state in
            if state.count == 0 { return true }
            state.waiting.append(signal)
            return false
        }
        if !isOver { _ = signal.wait(upTo: limit) }
    }
}
