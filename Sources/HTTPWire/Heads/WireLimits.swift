/// The bounds of a head. They also bound the memory that a reader uses.
package struct WireLimits: Hashable, Sendable {
    /// The bytes of a head, with all interim answers before it.
    package var head = 32 * 1024
    /// The bytes of the first line.
    package var startLine = 16 * 1024
    /// The number of fields.
    package var fields = 100
    /// The number of interim answers (1xx) before the final one.
    package var interimAnswers = 8

    /// Creates the default bounds.
    package init() {}
}
