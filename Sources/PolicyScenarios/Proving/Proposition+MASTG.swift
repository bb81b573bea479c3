internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
package import ScenarioFormat

extension Proposition {
    /// Returns OWASP's six tests of local authentication for each item of these scenarios.
    ///
    /// Three of them judge the item's access policy by a search, and three judge the steps of the scenario on a vault.
    /// An item that the prover's device cannot store becomes a mistake instead.
    package static func mastg(of scenarios: [Scenario]) -> (propositions: [Proposition], mistakes: [ScenarioError]) {
        var propositions: [Proposition] = []
        var mistakes: [ScenarioError] = []
        for scenario in scenarios {
            for (place, item) in scenario.items.enumerated() {
                // An item that only a later step stores counts as stored: these tests are about its access policy.
                var declared = scenario
                declared.items[place].isStored = true
                let aim: Aim = item.itemClass.isEnclaveKey(under: item.control) ? .use : .read
                for test in MASTGTest.allCases {
                    let claim = ClaimSetup(
                        position: item.position, statement: test.statement(of: aim), item: place, reuse: .zero,
                        assumes: Assumptions.Stated(), expectsHold: true)
                    do {
                        var proposition = try Proposition(claim, of: declared)
                        proposition.test = test
                        if test.isAtRuntime { proposition.played = Played(scenario: scenario, item: place) }
                        propositions.append(proposition)
                    } catch {
                        mistakes.append(ScenarioError(position: item.position, message: "\(error)"))
                        break
                    }
                }
            }
        }
        return (propositions, mistakes)
    }

    /// The steps that a runtime test judges, instead of a search.
    struct Played: Sendable {
        let scenario: Scenario
        /// The item's place.
        let item: Int

        /// Returns the answer to `test`, and the observation that it rests on.
        func prove(_ test: MASTGTest) -> (answer: Verdict.Answer, observation: String) {
            let run = MASTGRun(scenario)
            let played = "\(counted(run.steps, "step")) played on a vault"
            let ending = run.trouble.map { ", then it failed: \($0)" } ?? ""
            switch run.verdict(test, of: item) {
            case .passes: return (.holds, played + ending)
            case .fails(let position, let words):
                return (.fails, "\(position): \"\(words)\" \(Self.complaint(of: test)); \(played)\(ending)")
            case .notExercised where run.trouble != nil: return (.undecided, played + ending)
            case .notExercised: return (.undecided, "\(played), and \(Self.lack(for: test))")
            }
        }

        private static func complaint(of test: MASTGTest) -> String {
            switch test {
            case .eventBound, .eventBoundAtRuntime: "releases it without authentication"
            case .fallback, .fallbackAtRuntime: "releases it without biometry"
            case .enrollmentChange, .enrollmentChangeAtRuntime: "releases it after an enrollment change"
            }
        }

        private static func lack(for test: MASTGTest) -> String {
            switch test {
            case .eventBound, .eventBoundAtRuntime: "no step releases it"
            case .fallback, .fallbackAtRuntime: "no step releases it after authentication"
            case .enrollmentChange, .enrollmentChangeAtRuntime: "no step asks for it after an enrollment change"
            }
        }
    }
}
