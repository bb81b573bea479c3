extension Scenario {
    /// What nobody waits for the end of.
    package static let mostSteps = 10_000_000

    /// How many steps it takes to play it at most: each time, what happens meanwhile, and what is played again for each step
    /// that would have turned a denial. Not more than one more than ``mostSteps``.
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
    /// Without what is tried of it.
    fileprivate var bareInPlay: Int { once.upTo(multiplyingBy: times) }

    private var once: Int { meanwhile.reduce(1) { $0.upTo(adding: $1.bareInPlay) } }

    /// With what is tried of it, for which so many steps are played once more.
    fileprivate func inPlay(after before: Int) -> Int {
        var all = bareInPlay
        for case .step(let turn) in expectation?.flips ?? [] {
            all = all.upTo(adding: before).upTo(adding: turn.inPlay(after: before)).upTo(adding: once)
        }
        return all
    }

    /// The steps under its first prompt.
    package var meanwhile: [Step] {
        switch deed {
        case .request(let request): request.asking.meanwhile
        case .evaluate(let evaluation): evaluation.asking.meanwhile
        case .invalidate, .createControl, .event, .hold, .look: []
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
