package import AccessPolicy
package import ApplePlatform
package import DeviceModel
package import ScenarioFormat
package import SecretVault

/// The outcome of one step.
package struct StepOutcome: Sendable {
    /// The verdict on a step.
    package enum Verdict: Hashable, Sendable {
        /// The request was granted by these factors.
        case granted(FactorSet, reusesUnlock: Bool)
        case denied(Denial)
        /// The access to a file was denied by this rule.
        case closed(FileRule)
        /// The request is invalid: it ends in an OSStatus without a rule.
        case faulty(String)
        /// The request failed because a step of the scenario let it fail.
        case failed
        case happened
        case refused(Refusal)
        case refusedByAccount(AccountRefusal)
        /// The passcode or the biometry was wrong.
        case wrong
        /// Something below the keychain failed. No scenario can expect that.
        case broken(String)
    }

    package var verdict = Verdict.happened
    /// The status of the request, if it has one.
    package var status: OSStatusCode?
    /// The error of the evaluation, if it has one.
    package var laError: LAErrorCode?
    /// The factors that people were prompted for, in order.
    package var prompts: [Factor] = []
    /// The number of alerts that asked for permission to use biometry.
    package var permissionAlerts = 0
    /// The secrets that the request returned.
    package var secrets: [[UInt8]] = []
    /// True if these are the stored secrets.
    package var isRightSecret = true
    /// The indices of the items that a query found, or nil for other steps.
    package var found: [Int]?
    /// The number of found items that the scenario does not declare.
    package var foundUnnamed = 0
    /// Every decision of the step, with its rules.
    package var decisions: [WatchedDecision] = []
    /// The state of the device after the step, if the caller wants it.
    package var device: Device?
    /// The rules by which items moved between the devices of an account, or stayed, in order.
    package var movements: [ItemMovement] = []
    /// The decision about an access to a file.
    package var fileDecision: FileDecision?
    /// The steps that were played during a prompt, in order. A repeated step is listed each time.
    package var meanwhile: [(step: Step, outcome: StepOutcome)] = []

    init() {}

    /// The number of prompts, including those during other prompts.
    var promptCount: Int { meanwhile.reduce(prompts.count) { $0 + $1.outcome.promptCount } }

    /// The identifiers of the rules that fired, in a list for each decision.
    package var rules: [[String]] {
        decisions.map { $0.trace.map(\.identifier) } + (fileDecision.map { [[$0.rule.identifier]] } ?? [])
            + movements.map { [$0.rule.identifier] }
    }

    /// True if the step did what it was to do.
    package var succeeded: Bool {
        switch verdict {
        case .granted, .happened: true
        case .denied, .closed, .faulty, .failed, .refused, .refusedByAccount, .wrong, .broken: false
        }
    }
}
