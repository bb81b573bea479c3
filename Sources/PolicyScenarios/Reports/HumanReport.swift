internal import PlainText

/// What people read: what failed, and how it ended.
package struct HumanReport: Report {
    private let isColoured: Bool
    private let namesAll: Bool

    /// `namesAll` where those that passed are named as well.
    package init(coloured: Bool, namesAll: Bool) {
        isColoured = coloured
        self.namesAll = namesAll
    }

    package mutating func begin(_ count: Int) -> String { "" }

    package mutating func add(_ result: ScenarioResult) -> String {
        let position = result.scenario.position
        if result.passed {
            return namesAll ? "\(tinted("pass", .good))  \(Terminal.line(result.scenario.name))\n" : ""
        }
        var text =
            "\(tinted("FAIL", .bad))  \(Terminal.line(result.scenario.name))  \(tinted(position.shownLine, .faint))\n"
        for (heading, line) in result.complaint {
            text +=
                "      \(tinted(heading, .faint))\(String(repeating: " ", count: max(1, 12 - heading.count)))\(Terminal.line(line))\n"
        }
        return text + "\n"
    }

    package mutating func end(_ summary: Summary) -> String {
        var parts = ["\(summary.passed) passed"]
        if summary.failed > 0 { parts.append(tinted("\(summary.failed) failed", .bad)) }
        if summary.notRun > 0 { parts.append("\(summary.notRun) not run") }
        return "\(parts.joined(separator: ", ")); \(counted(summary.steps, "step"))\n"
    }

    private func tinted(_ text: String, _ tone: TextTable.Tone) -> String {
        isColoured ? "\(tone.rawValue)\(text)\u{1B}[0m" : text
    }
}
