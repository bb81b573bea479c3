internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// Watches logind, and says so when the machine is about to sleep or a session of this user is locked.
///
/// The machine is held back from sleeping until the closure has come back, though no longer than logind lets anybody hold it
/// back (five seconds, unless logind.conf says otherwise). Where there is no system bus or no logind, this does nothing but
/// look for them again; `trouble` says so.
package final class SleepWatch: Sendable {
    /// Why keys have to go.
    package enum Reason: Hashable, Sendable {
        /// The machine is about to sleep.
        case sleep
        /// A session of this user is locked.
        case lock
    }

    private let board = SleepBoard()
    private let thread: Mutex<Running?>

    private struct Running {
        let thread: pthread_t
        /// The thread holds the other end; it ends when this one is closed.
        let wake: Int32
    }

    /// Starts to watch, on a thread of its own, on which `onSleepOrLock` is called too.
    ///
    /// `address` names another bus than the system's, and `backOff` how long to wait before a lost bus is looked for again.
    package init(
        address: String? = nil, backOff: BackOff = BackOff(), onSleepOrLock: @escaping @Sendable (Reason) -> Void
    ) {
        thread = Mutex(Self.start(board, address, backOff, onSleepOrLock))
        if thread.withLock({ $0 == nil }) {
            board.trouble = "sleep is not watched: the process has no descriptors or threads left"
        }
    }

    deinit { stop() }

    /// Why keys are kept when the machine sleeps, in one line; nil while logind is watched and waits for us.
    package var trouble: String? { board.trouble }

    /// Ends it. The closure is not running any more when this comes back, unless it is the closure that calls it.
    package func stop() {
        guard let running = thread.withLock({ $0.take() }) else { return }
        board.stop()
        close(running.wake)
        if pthread_equal(running.thread, pthread_self()) != 0 {
            pthread_detach(running.thread)
        } else {
            pthread_join(running.thread, nil)
        }
    }

    private static func start(
        _ board: SleepBoard, _ address: String?, _ backOff: BackOff, _ act: @escaping @Sendable (Reason) -> Void
    ) -> Running? {
        guard let pipe = try? Pipe() else { return nil }
        let body = Body(board: board, address: address, backOff: backOff, wake: pipe.reading, act: act)
        // Signals are for the threads that expect them.
        let before = SignalSet.all.hold()
        defer { before.holdOnly() }
        let box = Unmanaged.passRetained(body)
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { Body.run($0) }, box.toOpaque()) == 0 else {
            box.release()
            pipe.close()
            return nil
        }
        return Running(thread: thread, wake: pipe.writing)
    }

    /// What the thread is given.
    private final class Body: Sendable {
        let board: SleepBoard
        let address: String?
        let backOff: BackOff
        let wake: Int32
        let act: @Sendable (Reason) -> Void

        init(
            board: SleepBoard, address: String?, backOff: BackOff, wake: Int32,
            act: @escaping @Sendable (Reason) -> Void
        ) {
            self.board = board
            self.address = address
            self.backOff = backOff
            self.wake = wake
            self.act = act
        }

        static func run(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let box else { return nil }
            let body = Unmanaged<Body>.fromOpaque(box).takeRetainedValue()
            SleepLoop(board: body.board, address: body.address, backOff: body.backOff, wake: body.wake, act: body.act)
                .run()
            close(body.wake)
            return nil
        }
    }
}

/// What the thread and everybody else tell each other.
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
            $0.trouble = "sleep is not watched any more"
        }
    }
}

/// How long to wait before the next try: twice as long each time, up to a limit.
package struct BackOff: Sendable {
    private let first: Int
    private let longest: Int
    private var pause: Int

    /// Waits of `first` milliseconds and more, up to `longest`.
    package init(first: Int = 1000, longest: Int = 60_000) {
        self.first = first
        self.longest = longest
        pause = first
    }

    /// How long to wait this time, in milliseconds.
    package mutating func next() -> Int {
        defer { pause = min(pause * 2, longest) }
        return pause
    }

    /// What was waited for has come: the next time begins from the first.
    package mutating func reset() { pause = first }
}
