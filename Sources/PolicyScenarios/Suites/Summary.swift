/// The outcome of a suite.
package struct Summary: Sendable {
    /// The number of scenarios that passed.
    package var passed = 0
    /// The number of scenarios that failed.
    package var failed = 0
    /// The number of steps that were played.
    package var steps = 0
    /// The number of scenarios to play.
    package var planned = 0
    /// The rules and flags that the scenarios exercised.
    package var coverage = Coverage()

    package init() {}

    /// The number of scenarios left out because an earlier one failed.
    package var notRun: Int { planned - passed - failed }

    package mutating func add(_ result: ScenarioResult) {
        if result.passed { passed += 1 } else { failed += 1 }
        steps += result.stepCount
        coverage.add(result.coverage)
    }
}
