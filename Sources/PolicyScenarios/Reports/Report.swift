internal import AccessPolicy
internal import SecretVault

/// Tells how a suite goes, in some format. What it returns is written as it comes.
package protocol Report {
    /// Before the first; so many will be played.
    mutating func begin(_ count: Int) -> String
    /// One was played.
    mutating func add(_ result: ScenarioResult) -> String
    /// It is over.
    mutating func end(_ summary: Summary) -> String
}

/// What came of a suite.
package struct Summary: Sendable {
    package var passed = 0
    package var failed = 0
    package var steps = 0
    /// How many were to be played.
    package var planned = 0
    package var coverage = Coverage()
    /// What changes of policies the suite notices, where that was tried.
    package var mutation: MutationReport?

    package init() {}

    /// How many were left out, because one before them failed.
    package var notRun: Int { planned - passed - failed }

    package mutating func add(_ result: ScenarioResult) {
        if result.passed { passed += 1 } else { failed += 1 }
        steps += result.stepCount
        coverage.add(result.coverage)
    }
}

/// The formats, by name.
package enum ReportFormat: String, CaseIterable, Sendable {
    case human, tap, junit, json, github
}

extension ScenarioResult {
    /// What went wrong, in lines of a heading and what belongs to it.
    package var complaint: [(heading: String, text: String)] {
        if let trouble {
            return [("at", "\(trouble.position)"), ("expected", trouble.expected), ("actual", trouble.actual)]
        }
        guard let failure else { return [] }
        let time = failure.step.times > 1 ? ", time \(failure.time) of \(failure.step.times)" : ""
        var lines = [("step \(failure.number)", failure.step.words + time), ("at", "\(failure.findings[0].position)")]
        for finding in failure.findings {
            lines.append(("expected", finding.expected))
            lines.append(("actual", finding.actual))
        }
        let outcome = failure.outcome
        if !outcome.prompts.isEmpty { lines.append(("asked for", outcome.prompts.inWords)) }
        for watched in outcome.decisions {
            lines.append(("rules", "\(watched.trace)"))
        }
        if let flip = outcome.flip { lines.append(("to turn it", flip)) }
        return lines + meanwhile(outcome)
    }

    /// What happened while somebody was asked, with its rules.
    private func meanwhile(_ outcome: Outcome) -> [(heading: String, text: String)] {
        outcome.meanwhile.flatMap { step, outcome in
            [("meanwhile", "\(step.words): \(outcome.inWords)")]
                + outcome.decisions.map { ("rules", "\($0.trace)") } + meanwhile(outcome)
        }
    }
}

extension Outcome {
    /// What would turn a denial, in words.
    package var flip: String? {
        guard case .denied(let denial) = verdict else { return nil }
        let remedy = denial.rule.remedy
        if remedy == .prove && !denial.ways.isEmpty { return "prove \(denial.ways)" }
        // The word is the one that a file uses for it.
        return remedy == .nothing ? nil : "\(remedy.rawValue) (\(remedy))"
    }
}
