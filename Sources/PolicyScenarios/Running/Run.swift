internal import AccessPolicy
internal import Synchronization

/// What came of a scenario.
package struct ScenarioResult: Sendable {
    /// The step that did not come out as expected.
    package struct Failure: Sendable {
        /// Its place among the steps, from one.
        package let number: Int
        package let step: Step
        package let outcome: Outcome
        package let findings: [Finding]
    }

    package let scenario: Scenario
    /// The step that ended it.
    package internal(set) var failure: Failure?
    /// Why it could not begin, or that people were asked too often.
    package internal(set) var trouble: Finding?
    /// How many steps were done, each time counted.
    package internal(set) var stepCount = 0
    /// What was exercised.
    package internal(set) var coverage = Coverage()

    /// Whether everything was as expected.
    package var passed: Bool { trouble == nil && failure == nil }
}

extension Scenario {
    /// Plays it on a device of its own. `watch` is told every outcome.
    package func run(watching watch: (Step, Outcome) -> Void = { _, _ in }) -> ScenarioResult {
        var result = ScenarioResult(scenario: self)
        let stage: Stage
        do throws(StageTrouble) { stage = try Stage(self) } catch {
            result.trouble = Finding(position: error.position, expected: "that it can begin", actual: error.what)
            return result
        }
        var prompts = 0
        for (place, step) in steps.enumerated() {
            var last = Outcome()
            var findings: [Finding] = []
            for _ in 0..<step.times {
                last = stage.perform(step)
                stage.closeFormer()
                result.stepCount += 1
                prompts += last.prompts.count
                result.coverage.note(last)
                watch(step, last)
                findings = stage.findings(of: step, last) + stage.takeTrouble()
                if !findings.isEmpty { break }
            }
            if findings.isEmpty { findings = untried(step, at: place) }
            if findings.isEmpty { continue }
            result.failure = ScenarioResult.Failure(number: place + 1, step: step, outcome: last, findings: findings)
            return result
        }
        if let promptBudget, prompts > promptBudget {
            result.trouble = Finding(
                position: position, expected: "at most \(promptBudget) prompts in all the steps", actual: "\(prompts)")
        }
        return result
    }

    /// Tries what a step says would have turned its denial: everything before it is played again on another device, then that,
    /// then the step, which has to be granted.
    private func untried(_ step: Step, at place: Int) -> [Finding] {
        guard let expectation = step.expectation else { return [] }
        return expectation.flips.compactMap { flip in
            guard case .step(let turn) = flip else { return nil }
            var again = self
            var repeated = step
            repeated.times = 1
            repeated.expectation = Expectation(position: expectation.position, verdict: .granted)
            var turning = turn
            turning.expectation = turn.expectation ?? Expectation(position: turn.position, verdict: .anything)
            again.steps = steps[..<place].map { former in
                var former = former
                former.expectation?.flips = []
                return former
            }
            again.steps += [turning, repeated]
            again.promptBudget = nil
            let result = again.run()
            if result.passed { return nil }
            let last = result.failure?.outcome.inWords ?? result.trouble?.actual ?? ""
            return Finding(
                position: turn.position, expected: "\"\(turn.words)\" to turn the denial", actual: "then, \(last)")
        }
    }
}

extension Stage {
    fileprivate func takeTrouble() -> [Finding] {
        state.withLock { state in
            defer { state.trouble = [] }
            return state.trouble
        }
    }
}
