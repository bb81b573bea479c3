extension Scenario {
    /// The most steps that a file may play, which bounds the time that a file can take.
    package static let mostSteps = 10_000_000

    /// The most steps that the scenario can play, capped at one more than ``mostSteps``.
    ///
    /// The count includes repetitions, the steps under prompts, and the replays for each step of `flips-with`.
    package var stepsToPlay: Int {
        var all = 0
        var before = 0
        for step in steps {
            all = all.upTo(adding: step.inPlay(after: before))
            before = before.upTo(adding: step.bareInPlay)
        }
        return all
    }
}

extension Step {
    /// The number of steps without any replay.
    fileprivate var bareInPlay: Int { once.upTo(multiplyingBy: times) }

    private var once: Int { meanwhile.reduce(1) { $0.upTo(adding: $1.bareInPlay) } }

    /// Returns the number of steps with all replays. Each replay repeats the `before` steps that come first.
    fileprivate func inPlay(after before: Int) -> Int {
        var all = bareInPlay
        for case .step(let turn) in expectation?.flips ?? [] {
            all = all.upTo(adding: before).upTo(adding: turn.inPlay(after: before)).upTo(adding: once)
        }
        return all
    }

    /// The steps that happen while the first prompt is shown.
    package var meanwhile: [Step] {
        switch deed {
        case .request(let request): request.asking.meanwhile
        case .evaluate(let evaluation): evaluation.asking.meanwhile
        case .file, .invalidate, .createControl, .event, .account, .fail, .look: []
        }
    }
}

extension Int {
    fileprivate func upTo(adding other: Int) -> Int { Swift.min(self + other, Scenario.mostSteps + 1) }

    fileprivate func upTo(multiplyingBy other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? Scenario.mostSteps + 1 : Swift.min(product, Scenario.mostSteps + 1)
    }
}
