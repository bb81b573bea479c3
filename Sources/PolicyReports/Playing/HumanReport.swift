internal import PlainText
package import PolicyScenarios
internal import ScenarioFormat

/// Writes text for people: the failures and a summary.
package struct HumanReport: Report {
    private let isColored: Bool
    private let namesAll: Bool

    /// Creates a report. With `namesAll`, it also names the scenarios that passed.
    package init(colored: Bool, namesAll: Bool) {
        isColored = colored
        self.namesAll = namesAll
    }

    package mutating func begin(_ count: Int) -> String { "" }

    /// Returns the failure, or the name of a scenario that passed if all are named.
    package mutating func add(_ result: ScenarioResult) -> String {
        if result.passed {
            return namesAll ? "\(tinted("pass", .good))  \(Terminal.line(result.scenario.name))\n" : ""
        }
        return result.failureText(colored: isColored) + "\n"
    }

    package mutating func end(_ summary: Summary, mutation: MutationReport?) -> String {
        var parts = ["\(summary.passed) passed"]
        if summary.failed > 0 { parts.append(tinted("\(summary.failed) failed", .bad)) }
        if summary.notRun > 0 { parts.append("\(summary.notRun) not run") }
        return "\(parts.joined(separator: ", ")); \(counted(summary.steps, "step"))\n"
    }

    private func tinted(_ text: String, _ tone: TextTable.Tone) -> String {
        tone.text(text, colored: isColored)
    }
}
