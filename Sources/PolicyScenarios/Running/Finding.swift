package import ScenarioFormat

/// An expectation that was not met.
package struct Finding: Sendable {
    /// The position of the expectation.
    package let position: Position
    /// The expected outcome.
    package let expected: String
    /// The actual outcome.
    package let actual: String
}
