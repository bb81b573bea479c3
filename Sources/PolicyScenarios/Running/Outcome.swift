package import AccessPolicy
package import DeviceModel
package import ScenarioFormat
package import SecretVault

/// What came of one step.
package struct Outcome: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// It went ahead, with what was proved for it.
        case granted(FactorSet, reusesUnlock: Bool)
        /// It was denied.
        case denied(Denial)
        /// The request is none that could be understood: an OSStatus without a rule.
        case faulty(String)
        /// The event happened.
        case happened
        /// The event could not happen.
        case refused(Refusal)
        /// What was typed or shown was not right.
        case wrong
        /// The parts under it failed, which no scenario can expect.
        case broken(String)
    }

    package var verdict = Verdict.happened
    package var status: OSStatusCode?
    package var laError: LAErrorCode?
    /// What people were asked for, in order.
    package var prompts: [Factor] = []
    package var permissionAlerts = 0
    /// The bytes that came out, of each item that gave some.
    package var secrets: [[UInt8]] = []
    /// True if what came out is the secret that was stored.
    package var isRightSecret = true
    /// The items that were found, by their places.
    package var found: [Int]?
    /// How many were found besides, which no name of the scenario means any more.
    package var foundUnnamed = 0
    /// Every decision on the way, with its rules.
    package var decisions: [WatchedDecision] = []
    /// What happened while somebody was asked, in order, each time counted.
    package var meanwhile: [(step: Step, outcome: Outcome)] = []

    init() {}

    /// How often people were asked, also meanwhile.
    var promptCount: Int { meanwhile.reduce(prompts.count) { $0 + $1.outcome.promptCount } }

    /// True if what was to be done was done.
    package var succeeded: Bool {
        switch verdict {
        case .granted, .happened: true
        case .denied, .faulty, .refused, .wrong, .broken: false
        }
    }
}
