package import ScenarioFormat

/// An expectation that was not met.
package struct UnmetExpectation: Sendable {
    /// The position of the expectation.
    package let position: Position
    package let expected: String
    package let actual: String
}
