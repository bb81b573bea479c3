package import ScenarioFormat

/// Something that was expected and is not so.
package struct Finding: Sendable {
    /// Where it was expected.
    package let position: Position
    /// What was.
    package let expected: String
    /// What came of it.
    package let actual: String
}
