public import Foundation

/// The time that a test waits for something that has to happen.
///
/// It bounds a hang and measures nothing. Only a failing test waits this long, so it leaves room for a machine that is a
/// hundred times slower than a quiet one.
public enum Patience: Sendable {
    /// The bound in seconds.
    public static let seconds = 180

    /// The end of a wait that begins now.
    public static var end: Date { Date(timeIntervalSinceNow: TimeInterval(seconds)) }

    /// The bound for something that must not wait, below the shortest timeout of the product (ten seconds).
    public static let withoutWaiting = Duration.seconds(8)

    /// Returns true if one of several tries of `body` took less than `bound`.
    ///
    /// For a delay that strikes each time when the product is wrong: on a busy machine single tries are slow for other reasons.
    public static func isQuick(_ bound: Duration, tries: Int = 20, _ body: () throws -> Void) rethrows -> Bool {
        for _ in 0..<tries where try ContinuousClock().measure(body) < bound { return true }
        return false
    }

    /// Waits until `condition` holds. Returns false if it did not hold in time.
    public static func wait(
        everyMilliseconds pause: UInt32 = 5, until condition: () throws -> Bool
    ) rethrows -> Bool {
        let end = end
        while try !condition() {
            if Date() > end { return false }
            usleep(pause * 1000)
        }
        return true
    }

    /// Returns the processor time that `body` takes on this thread. Other work of a busy machine does not count.
    public static func work(_ body: () throws -> Void) rethrows -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        try body()
        return now() - start
    }
}
