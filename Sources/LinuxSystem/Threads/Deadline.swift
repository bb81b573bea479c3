/// A moment by which something has to be done.
package struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    /// Creates a deadline this many milliseconds from now.
    package init(_ milliseconds: Int32) { end = .now + .milliseconds(milliseconds) }

    /// The number of milliseconds that are left.
    package var left: Int32 {
        let left = end - .now
        let (seconds, attoseconds) = left.components
        return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
    }
}
