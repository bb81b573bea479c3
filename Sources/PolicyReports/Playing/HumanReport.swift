internal import PlainText
package import PolicyScenarios
internal import ScenarioFormat

/// What people read: what failed, and how it ended.
package struct HumanReport: Report {
    private let isColored: Bool
    private let namesAll: Bool

    /// `namesAll` where those that passed are named as well.
    package init(colored: Bool, namesAll: Bool) {
        isColored = colored
        self.namesAll = namesAll
    }

    package mutating func begin(_ count: Int) -> String { "" }

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
