internal import AccessPolicy
internal import ApplePlatform
internal import LivePage
internal import ScenarioFormat
internal import SecretVault

extension LiveStep {
    init(_ step: Step, _ outcome: StepOutcome, _ findings: [UnmetExpectation], on fleet: Fleet) {
        self.init(step, outcome, findings, on: fleet.stage(of: step))
        device = fleet.deviceName(of: step)
        movements = fleet.liveMovements(of: outcome)
        met = step.expectation?.metAboutAccount(outcome) ?? []
    }

    private init(_ step: Step, _ outcome: StepOutcome, _ findings: [UnmetExpectation], on stage: Stage) {
        self.init(words: step.words, outcome: outcome.inWords, succeeded: outcome.succeeded)
        self.findings = findings.map { LiveFinding(expected: $0.expected, actual: $0.actual) }
        prompts = outcome.prompts.map { $0.name }
        decisions = outcome.decisions.map { LiveDecision($0) }
        if let decision = outcome.fileDecision { decisions.append(LiveDecision(decision, about: step.words)) }
        found = outcome.found.map { places in places.map { stage.scenario.items[$0].name } }
        status = outcome.status?.name
        error = outcome.laError?.name
        reason = outcome.reason
        remedy = outcome.flip
        meanwhile = outcome.meanwhile.map { LiveStep($0.step, $0.outcome, [], on: stage) }
    }
}

extension StepOutcome {
    /// The meaning of the rule that denied the step; nil if none did.
    fileprivate var reason: String? {
        switch verdict {
        case .denied(let denial): denial.rule.summary
        case .closed(let rule): rule.summary
        case .granted, .faulty, .failed, .happened, .refused, .refusedByAccount, .wrong, .broken: nil
        }
    }
}
