import AccessPolicy
import ApplePlatform
import PolicyScenarios
import ScenarioFormat
import SecretVault
import TestSupport

/// One random scenario, in a World and as a file.
struct ModelTrial: Sendable {
    let seed: UInt64
    let scenario: ModelScenario
    let steps: [ModelStep]

    /// Creates the scenario of this seed, with five to forty steps.
    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var play = WorldPlay(ModelScenario(&random))
        var steps = WorldPlay.beginning(&random)
        for place in steps.indices { _ = play.perform(&steps[place]) }
        for _ in 0..<Int.random(in: 5...40, using: &random) {
            var step = play.step(&random)
            _ = play.perform(&step)
            steps.append(step)
        }
        self.seed = seed
        scenario = play.scenario
        self.steps = Self.readable(steps)
    }

    /// The steps without those that a file may not have: ending a context that no request uses.
    private static func readable(_ steps: [ModelStep]) -> [ModelStep] {
        let contexts = Set(steps.compactMap(\.asking.context))
        return steps.filter { step in
            if case .invalidate(let context) = step.deed { contexts.contains(context) } else { true }
        }
    }

    private init(_ former: ModelTrial, steps: [ModelStep]) {
        seed = former.seed
        scenario = former.scenario
        self.steps = Self.readable(steps)
    }

    /// Returns the answers of a World, and the file that expects them.
    func play() -> (says: [WorldSays], text: String) {
        var play = WorldPlay(scenario)
        var whole = play.scenario
        var says: [WorldSays] = []
        for var step in steps {
            says.append(play.perform(&step))
            whole.steps.append(step)
        }
        return (says, whole.yaml(named: "random scenario \(seed)", expecting: says))
    }

    /// Returns the difference of the file's answers, or nil if there is none.
    func difference(_ tally: inout ModelTally) -> String? {
        let (says, text) = play()
        let file = ScenarioFile(bytes: Array(text.utf8), of: "\(seed).yaml")
        guard let scenario = file.scenarios.first, file.mistakes.isEmpty else {
            return "it is not read: \(file.mistakes)\n\(text)"
        }
        var outcomes: [PolicyScenarios.StepOutcome] = []
        let result = scenario.run { outcomes.append($2) }
        for (number, (says, outcome)) in zip(says, outcomes).enumerated() {
            if let difference = says.difference(from: outcome) { return "step \(number + 1): \(difference)\n\(text)" }
            tally.add(says)
        }
        if !result.passed {
            return result.complaint.map { "\($0.heading): \($0.text)" }.joined(separator: "\n") + "\n\(text)"
        }
        if outcomes.count != says.count { return "\(outcomes.count) steps were played of \(says.count)\n\(text)" }
        tally.scenarios += 1
        // Law 5: the same input gives the same output.
        var again: [Played] = []
        _ = scenario.run { again.append(Played($2)) }
        return again == outcomes.map(Played.init) ? nil : "it plays differently the second time\n\(text)"
    }

    /// Returns the smallest scenario that still differs.
    func shrunk(_ difference: String) -> String {
        var (smallest, said) = (self, difference)
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            // A smaller scenario may have lost more than one step.
            for place in smallest.steps.indices.reversed() where place < smallest.steps.count {
                var steps = smallest.steps
                steps.remove(at: place)
                var ignored = ModelTally()
                let trial = ModelTrial(smallest, steps: steps)
                guard !steps.isEmpty, let difference = trial.difference(&ignored) else { continue }
                (smallest, said, isSmaller) = (trial, difference, true)
            }
        }
        return "seed \(seed): \(said)"
    }
}

extension WorldSays {
    /// Returns the difference of a played scenario, or nil if there is none.
    fileprivate func difference(from outcome: PolicyScenarios.StepOutcome) -> String? {
        func compare<Value: Equatable>(_ what: String, _ world: Value, _ vault: Value) -> String? {
            world == vault ? nil : "\(what): \(world) in the world, \(vault) in the scenario"
        }
        var actual = outcome.verdict
        if isOnlyPossible, case .granted = actual { actual = verdict }
        return compare("verdict", verdict, actual) ?? compare("status", status, outcome.status)
            ?? compare("LAError", laError, outcome.laError) ?? compare("prompts", prompts, outcome.prompts)
            ?? compare("alerts", permissionAlerts, outcome.permissionAlerts)
            ?? compare("secret", secret.map { [$0] } ?? [], outcome.secrets.map { String(decoding: $0, as: UTF8.self) })
            ?? compare("right secret", true, outcome.isRightSecret)
    }
}

/// Everything that a step led to.
private struct Played: Equatable {
    let verdict: PolicyScenarios.StepOutcome.Verdict
    let status: OSStatusCode?
    let prompts: [Factor]
    let permissionAlerts: Int
    let secrets: [[UInt8]]
    let decisions: [Decision]
    let rules: [Rule]

    init(_ outcome: PolicyScenarios.StepOutcome) {
        verdict = outcome.verdict
        status = outcome.status
        prompts = outcome.prompts
        permissionAlerts = outcome.permissionAlerts
        secrets = outcome.secrets
        decisions = outcome.decisions.map(\.decision)
        rules = outcome.decisions.flatMap(\.trace)
    }
}

/// The answers to the steps so far.
struct ModelTally: CustomStringConvertible, Sendable {
    var scenarios = 0
    var steps = 0
    var granted = 0
    var denied = 0
    var happened = 0
    var refused = 0
    var wrong = 0
    /// The number of requests that showed a prompt.
    var prompted = 0
    var secretsRead = 0
    /// The rules that denied a request, and the reasons why events were refused.
    var rules: [String: Int] = [:]
    var refusals: [String: Int] = [:]

    mutating func add(_ says: WorldSays) {
        steps += 1
        switch says.verdict {
        case .granted: granted += 1
        case .denied(let denial):
            denied += 1
            rules[denial.rule.identifier, default: 0] += 1
        case .happened: happened += 1
        case .refused(let refusal):
            refused += 1
            refusals["\(refusal)", default: 0] += 1
        case .wrong: wrong += 1
        case .closed, .faulty, .failed, .refusedByAccount, .broken: break
        }
        if !says.prompts.isEmpty { prompted += 1 }
        if says.secret != nil { secretsRead += 1 }
    }

    mutating func add(_ other: ModelTally) {
        scenarios += other.scenarios
        steps += other.steps
        granted += other.granted
        denied += other.denied
        happened += other.happened
        refused += other.refused
        wrong += other.wrong
        prompted += other.prompted
        secretsRead += other.secretsRead
        rules.merge(other.rules) { $0 + $1 }
        refusals.merge(other.refusals) { $0 + $1 }
    }

    var description: String {
        "\(scenarios) scenarios, \(steps) steps, none differs; \(granted) granted, \(denied) denied by \(rules.count) rules, "
            + "\(happened) happened, \(refused) refused for \(refusals.count) reasons, \(wrong) wrong, \(prompted) asked somebody, "
            + "\(secretsRead) secrets read"
    }
}
