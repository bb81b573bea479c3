internal import AccessPolicy
internal import Latchkey
package import PolicyProver
package import ScenarioFormat
internal import SecretVault

/// What the tests at runtime have to go by: every time that a secret is asked for while the steps of a scenario are played on a vault.
package struct MASTGRun: Sendable {
    /// What became of one test of one item.
    package enum Verdict: Hashable, Sendable {
        /// It passes.
        case passes
        /// It fails at this step.
        case fails(Position, String)
        /// The steps do nothing that it could go by.
        case notExercised
    }

    /// Somebody asked for a secret, or to use a key.
    private struct Attempt {
        let position: Position
        let words: String
        /// What was proved; nil where it was denied.
        let way: FactorSet?
        /// True if the enrollments have changed since the item was stored.
        let isAfterChange: Bool
    }

    private var attempts: [Int: [Attempt]] = [:]
    /// How many steps were played.
    package private(set) var steps = 0
    /// Why the scenario could not be played to its end.
    package private(set) var trouble: String?

    /// Plays `scenario`.
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
            case .event, .evaluate, .invalidate, .createControl, .hold, .look: break
            }
        }
        self.attempts = attempts
        steps = result.stepCount
        trouble = result.passed ? nil : result.complaint.map { "\($0.heading): \($0.text)" }.joined(separator: "; ")
    }

    private static func items(of request: ItemRequest, _ outcome: Outcome) -> [Int] {
        switch request.target {
        case .item(let place): [place]
        case .query: outcome.found ?? []
        }
    }

    /// What becomes of `test`, one of those at runtime, for the item in this place.
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
