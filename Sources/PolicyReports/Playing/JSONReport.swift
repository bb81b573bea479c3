internal import AccessPolicy
internal import PlainText
package import PolicyScenarios
internal import ScenarioFormat
internal import SecretVault

/// Writes one JSON object for programs.
package struct JSONReport: Report {
    private var results: [String] = []

    package init() {}

    package mutating func begin(_ count: Int) -> String { "" }

    /// Records a scenario for the end of the report.
    package mutating func add(_ result: ScenarioResult) -> String {
        let position = result.scenario.position
        var fields = [
            ("name", Quoting.json(result.scenario.name)), ("file", Quoting.json(position.file)),
            ("line", "\(position.line)"), ("passed", "\(result.passed)"), ("steps", "\(result.stepCount)"),
        ]
        if let failure = result.failure {
            fields.append(("step", "\(failure.number)"))
            fields.append(("did", Quoting.json(failure.step.words)))
            fields.append(("outcome", Quoting.json(failure.outcome.inWords)))
            fields.append(("prompts", Self.list(failure.outcome.prompts.map(\.name))))
            let rules = failure.outcome.rules.map { Self.list($0) }
            fields.append(("rules", JSONText.list(rules)))
            fields.append(("flip", failure.outcome.flip.map(Quoting.json) ?? "null"))
        }
        let findings = result.failure?.findings ?? result.trouble.map { [$0] } ?? []
        if !findings.isEmpty {
            let objects = findings.map {
                JSONText.object([
                    ("at", Quoting.json("\($0.position)")), ("expected", Quoting.json($0.expected)),
                    ("actual", Quoting.json($0.actual)),
                ])
            }
            fields.append(("findings", JSONText.list(objects)))
        }
        results.append("    " + JSONText.object(fields))
        return ""
    }

    /// Returns the whole report.
    package mutating func end(_ summary: Summary, mutation: MutationReport?) -> String {
        """
        {
          "passed": \(summary.passed), "failed": \(summary.failed), "notRun": \(summary.notRun), "steps": \(summary.steps),
          "coverage": \(Self.object(summary.coverage)),
        \(mutation.map { "  \"mutants\": \($0.json),\n" } ?? "")  "scenarios": [
        \(results.joined(separator: ",\n"))
          ]
        }

        """
    }

    private static func object(_ coverage: Coverage) -> String {
        let (covered, all) = coverage.count
        let never = coverage.rules.filter { !coverage.hasFired($0) }.map(\.identifier)
        let cells = coverage.flagCells.filter { !$0.isCovered }.map { "\($0.cell.flag) \($0.cell.verdict)" }
        return
            "{\"covered\": \(covered), \"all\": \(all), \"rulesThatNeverFired\": \(list(never)), \"never\": \(list(cells))}"
    }

    private static func list(_ texts: [String]) -> String { JSONText.list(texts.map(Quoting.json)) }
}
