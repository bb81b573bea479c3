internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// Watches logind, and calls a closure when the machine is about to sleep or a session of this user is locked.
///
/// The machine does not sleep until the closure has returned, or until logind's own limit has passed (five seconds,
/// unless logind.conf sets another). If there is no system bus or no logind, this only keeps looking for them;
/// ``trouble`` has the reason.
package final class SleepWatch: Sendable {
    /// The reason to wipe keys.
    package enum Reason: Hashable, Sendable {
        /// The machine is about to sleep.
        case sleep
        /// A session of this user is locked.
        case lock
    }

    private let board = SleepBoard()
    private let thread: WakeableThread?

    /// Starts to watch on a thread of its own. That thread also calls `onSleepOrLock`.
    ///
    /// `address` names another bus than the system's. `backOff` sets how long to wait before looking again for a lost
    /// bus.
    package init(
        address: String? = nil, backOff: BackOff = BackOff(), onSleepOrLock: @escaping @Sendable (Reason) -> Void
    ) {
        let board = board
        thread = WakeableThread { wake in
            SleepLoop(board: board, address: address, backOff: backOff, wake: wake, act: onSleepOrLock).run()
        }
        if thread == nil {
            board.trouble = "sleep is not watched: this process has no descriptors or threads left"
        }
    }

    deinit { stop() }

    /// The reason why keys stay in memory while the machine sleeps, in one line; nil while logind waits for this
    /// process.
    package var trouble: String? { board.trouble }

    /// Stops watching. When this returns, the closure no longer runs, unless the closure itself called this.
    package func stop() {
        guard let thread else { return }
        board.stop()
        thread.end()
    }
}

/// The state that the thread shares with its owner.
final class SleepBoard: Sendable {
    private let notes = Mutex((trouble: String?.some("logind has not answered yet"), isStopped: false))

    var trouble: String? {
        get { notes.withLock { $0.trouble } }
        set { notes.withLock { $0.trouble = newValue } }
    }

    var isStopped: Bool { notes.withLock { $0.isStopped } }

    func stop() {
        notes.withLock {
            $0.isStopped = true
            $0.trouble = "sleep is no longer watched"
        }
    }
}

/// The pauses between tries: each is twice as long as the one before, up to a limit.
package struct BackOff: Sendable {
    private let first: Int
    private let longest: Int
    private var pause: Int

    /// Creates pauses that begin with `first` milliseconds and grow up to `longest`.
    package init(first: Int = 1000, longest: Int = 60_000) {
        self.first = first
        self.longest = longest
        pause = first
    }

    /// Returns the length of the next pause, in milliseconds.
    package mutating func next() -> Int {
        defer { pause = min(pause * 2, longest) }
        return pause
    }

    /// Begins again with the first pause, after a try has succeeded.
    package mutating func reset() { pause = first }
}
