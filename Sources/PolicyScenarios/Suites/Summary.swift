/// The outcome of a suite.
package struct Summary: Sendable {
    package var passed = 0
    package var failed = 0
    package var steps = 0
    /// How many were to be played.
    package var planned = 0
    package var coverage = Coverage()

    package init() {}

    /// How many were left out, because one before them failed.
    package var notRun: Int { planned - passed - failed }

    package mutating func add(_ result: ScenarioResult) {
        if result.passed { passed += 1 } else { failed += 1 }
        steps += result.stepCount
        coverage.add(result.coverage)
    }
}
