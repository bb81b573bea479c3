/// A moment until which a wait may last. Time during which the machine sleeps counts.
package struct Deadline: Sendable {
    /// The end in nanoseconds of the clock.
    private let end: Int64

    /// Creates a deadline this many milliseconds from now.
    package init(_ milliseconds: Int32) { end = Self.now + Int64(milliseconds) * 1_000_000 }

    /// The number of milliseconds that are left, rounded up.
    package var left: Int32 { Int32(clamping: max(0, (end - Self.now) / 1_000_000 + 1)) }

    private static var now: Int64 { SystemClock.sinceBoot.nanoseconds }
}
