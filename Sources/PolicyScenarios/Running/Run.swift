internal import AccessPolicy
internal import PlainText
package import ScenarioFormat
internal import Synchronization

/// What came of a scenario.
package struct ScenarioResult: Sendable {
    /// The step that did not come out as expected.
    package struct Failure: Sendable {
        /// Its place among the steps, from one.
        package let number: Int
        /// Which time of several it was, from one.
        package let time: Int
        package let step: Step
        package let outcome: Outcome
        package let findings: [Finding]
    }

    package let scenario: Scenario
    /// The step that ended it.
    package internal(set) var failure: Failure?
    /// Why it could not begin.
    package internal(set) var trouble: Finding?
    /// True if the device and what is stored on it could be put up.
    package internal(set) var began = true
    /// How many steps were done, each time counted.
    package internal(set) var stepCount = 0
    /// What was exercised.
    package internal(set) var coverage = Coverage()

    /// True if everything was as expected.
    package var passed: Bool { trouble == nil && failure == nil }
}

extension Scenario {
    /// Plays it on a device of its own. `watch` is told every outcome, with the number of the step.
    package func run(watching watch: (Int, Step, Outcome) -> Void = { _, _, _ in }) -> ScenarioResult {
        var result = ScenarioResult(scenario: self)
        let stage: Stage
        do throws(StageError) { stage = try Stage(self) } catch {
            result.began = false
            result.trouble = Finding(position: error.position, expected: "that it can begin", actual: error.what)
            return result
        }
        var prompts = 0
        for (place, step) in steps.enumerated() {
            var last = Outcome()
            var findings: [Finding] = []
            var times = 0
            for time in 1...step.times {
                times = time
                last = stage.perform(step)
                result.stepCount += 1
                prompts += last.promptCount
                result.coverage.note(last)
                watch(place + 1, step, last)
                findings = stage.findings(of: step, last) + stage.consumeTrouble()
                if let promptBudget, prompts > promptBudget {
                    findings.append(
                        Finding(
                            position: step.position,
                            expected:
                                "at most \(counted(promptBudget, "prompt")) up to here, which is the prompt budget",
                            actual: "\(prompts)"))
                }
                if !findings.isEmpty { break }
            }
            if findings.isEmpty { findings = untried(step, at: place) }
            if findings.isEmpty { continue }
            result.failure = ScenarioResult.Failure(
                number: place + 1, time: times, step: step, outcome: last, findings: findings)
            return result
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
    fileprivate func consumeTrouble() -> [Finding] {
        state.withLock { state in
            defer { state.trouble = [] }
            return state.trouble
        }
    }
}
