internal import AccessPolicy
internal import Latchkey
package import PolicyProver
internal import PolicyWords
package import ScenarioFormat
internal import SecretVault

/// A record of every request for a secret while the steps of a scenario play on a vault. The runtime tests of OWASP's
/// guide judge it.
package struct MASTGRun: Sendable {
    /// The result of one test for one item.
    package enum Verdict: Hashable, Sendable {
        /// The steps exercise the item, and none of them breaks the rule of the test.
        case passes
        /// The step at this position breaks the rule of the test.
        case fails(Position, String)
        /// The steps do nothing that the test could judge.
        case notExercised
    }

    /// A request for a secret, or for the use of a key.
    private struct Attempt {
        let position: Position
        let words: String
        /// The factors that the grant took, or nil if the request was denied.
        let way: FactorSet?
        /// True if the enrollments have changed since the item was stored.
        let isAfterChange: Bool
    }

    private var attempts: [Int: [Attempt]] = [:]
    /// The number of steps that were played.
    package private(set) var steps = 0
    /// The failure that ended the scenario early, if any.
    package private(set) var trouble: String?

    /// Plays `scenario` and records its requests.
    package init(_ scenario: Scenario) {
        var attempts: [Int: [Attempt]] = [:]
        var changed: Set<Int> = []
        let all = scenario.items.indices
        let result = scenario.run { _, step, outcome in
            switch step.deed {
            case .event(.enroll), .event(.remove), .event(.resetBiometry):
                if outcome.succeeded { changed.formUnion(all) }
            case .request(let request):
                var way: FactorSet?
                if case .granted(let authenticated, _) = outcome.verdict { way = authenticated }
                for item in Self.items(of: request, outcome) {
                    if request.action == .add, way != nil { changed.remove(item) }
                    guard request.action.usesSecret else { continue }
                    let isAfterChange = changed.contains(item)
                    attempts[item, default: []].append(
                        Attempt(position: step.position, words: step.words, way: way, isAfterChange: isAfterChange))
                }
            case .file, .event, .account, .evaluate, .invalidate, .createControl, .fail, .look: break
            }
        }
        self.attempts = attempts
        steps = result.stepCount
        trouble = result.passed ? nil : result.complaint.map { "\($0.heading): \($0.text)" }.joined(separator: "; ")
    }

    private static func items(of request: ItemRequest, _ outcome: StepOutcome) -> [Int] {
        switch request.target {
        case .item(let place): [place]
        case .query: outcome.found ?? []
        }
    }

    /// Returns the result of `test`, one of the runtime tests, for the item at this index.
    package func verdict(_ test: MASTGTest, of item: Int) -> Verdict {
        let attempts = attempts[item] ?? []
        let releases = attempts.filter { $0.way != nil }
        let relevant: [Attempt]
        let isBad: (Attempt) -> Bool
        switch test {
        case .eventBound, .eventBoundAtRuntime:
            relevant = releases
            isBad = { $0.way?.isEmpty == true }
        case .fallback, .fallbackAtRuntime:
            relevant = releases.filter { $0.way?.isEmpty == false }
            isBad = { $0.way?.contains(.biometry) == false }
        case .enrollmentChange, .enrollmentChangeAtRuntime:
            relevant = attempts.filter(\.isAfterChange)
            isBad = { $0.way != nil }
        }
        if let bad = relevant.first(where: isBad) { return .fails(bad.position, bad.words) }
        return relevant.isEmpty || trouble != nil ? .notExercised : .passes
    }
}
