internal import AccessPolicy
internal import Latchkey
internal import PlainText
package import ScenarioFormat
internal import Synchronization

/// The result of playing a scenario.
package struct ScenarioResult: Sendable {
    /// The step that did not come out as expected.
    package struct Failure: Sendable {
        /// The number of the step, from one.
        package let number: Int
        /// The repetition of the step in which it failed, from one.
        package let time: Int
        package let step: Step
        package let outcome: StepOutcome
        /// The expectations that were not met.
        package let findings: [UnmetExpectation]
    }

    package let scenario: Scenario
    /// The step that failed and so ended the scenario.
    package internal(set) var failure: Failure?
    /// The reason why the scenario could not start.
    package internal(set) var trouble: UnmetExpectation?
    /// True if the device and its items could be set up.
    package internal(set) var began = true
    /// The number of steps that were played. A repeated step counts each time.
    package internal(set) var stepCount = 0
    /// The rules and flags that the scenario exercised.
    package internal(set) var coverage = Coverage()

    /// True if everything came out as expected.
    package var passed: Bool { trouble == nil && failure == nil }
}

extension Scenario {
    /// Plays the scenario on a device of its own.
    ///
    /// If a failure that a step plans never comes, the scenario fails, unless it `isTrial`, which plays only the beginning.
    ///
    /// `watch` receives every outcome, with the step and its number, and with the state of the device if `tellsDevice` is true.
    package func run(
        tellingDevice tellsDevice: Bool = false, isTrial: Bool = false,
        watching watch: (Int, Step, StepOutcome) -> Void = { _, _, _ in }
    ) -> ScenarioResult {
        var result = ScenarioResult(scenario: self)
        result.coverage = Coverage(countsSyncing: !devices.isEmpty)
        let fleet: Fleet
        do { fleet = try Fleet(self) } catch {
            result.began = false
            result.trouble = UnmetExpectation(
                position: error.position, expected: "that the scenario can start", actual: error.what)
            return result
        }
        var prompts = 0
        for (place, step) in steps.enumerated() {
            let stage = fleet.stage(of: step)
            var last = StepOutcome()
            var findings: [UnmetExpectation] = []
            var times = 0
            for time in 1...step.times {
                times = time
                last = fleet.perform(step)
                if tellsDevice { last.device = try? stage.keychain.device }
                result.stepCount += 1
                prompts += last.promptCount
                result.coverage.note(last)
                watch(place + 1, step, last)
                findings = stage.findings(of: step, last) + stage.consumeTrouble()
                if let promptBudget, prompts > promptBudget {
                    findings.append(
                        UnmetExpectation(
                            position: step.position,
                            expected:
                                "at most \(counted(promptBudget, "prompt")) up to here (the prompt budget)",
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
        if !isTrial, let left = fleet.stages.lazy.compactMap({ $0.state.withLock { $0.failures.left.first } }).first {
            let finding = UnmetExpectation(
                position: left.position, expected: "\"\(left.words)\" to come",
                actual: "no such call and no prompt came after it")
            let number = steps.firstIndex { $0.position == left.position }.map { $0 + 1 } ?? steps.count
            result.failure = ScenarioResult.Failure(
                number: number, time: left.times, step: left, outcome: StepOutcome(), findings: [finding])
        }
        return result
    }

    /// Tries the steps of `flips-with`, and returns a finding for each one that does not turn the denial into a grant.
    ///
    /// Each trial plays all earlier steps on another device, then the step of `flips-with`, then the denied step again.
    private func untried(_ step: Step, at place: Int) -> [UnmetExpectation] {
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
            let result = again.run(isTrial: true)
            if result.passed { return nil }
            let last = result.failure?.outcome.inWords ?? result.trouble?.actual ?? ""
            return UnmetExpectation(
                position: turn.position, expected: "\"\(turn.words)\" to flip the denial", actual: "after it, \(last)")
        }
    }
}

extension Stage {
    /// Returns the failed expectations of the steps during prompts, and forgets them.
    func consumeTrouble() -> [UnmetExpectation] {
        state.withLock { state in
            defer { state.trouble = [] }
            return state.trouble
        }
    }
}
