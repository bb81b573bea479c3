package import AccessPolicy

/// A decision as whoever watches gets to know it.
package struct WatchedDecision: Sendable {
    /// What was decided about.
    package let request: Request
    /// Who asked.
    package let caller: String
    /// What it came to.
    package let decision: Decision
    /// The rules that fired.
    package let trace: Trace
    /// The device's hour.
    package let at: Instant
}
