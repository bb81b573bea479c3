internal import PlainText
package import PolicyScenarios
internal import ScenarioFormat

/// Writes the Test Anything Protocol, version 14.
package struct TAPReport: Report {
    private var number = 0

    package init() {}

    /// Returns the version and the plan.
    package mutating func begin(_ count: Int) -> String { "TAP version 14\n1..\(count)\n" }

    /// Returns the line of a scenario, with the failure as YAML.
    package mutating func add(_ result: ScenarioResult) -> String {
        number += 1
        // Escape the number sign, which would begin a directive.
        let name = Terminal.line(result.scenario.name).unicodeScalars
            .map { $0 == "#" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        if result.passed { return "ok \(number) - \(name)\n" }
        var text = "not ok \(number) - \(name)\n  ---\n"
        text += "  at: \(Quoting.quotedYAML("\(result.scenario.position)"))\n  because:\n"
        for (heading, line) in result.complaint {
            text += "    - {\(Quoting.quotedYAML(heading)): \(Quoting.quotedYAML(line))}\n"
        }
        return text + "  ...\n"
    }

    /// Returns a line for each scenario that did not run.
    package mutating func end(_ summary: Summary, mutation: MutationReport?) -> String {
        var text = ""
        while number < summary.planned {
            number += 1
            text += "ok \(number) # SKIP one before it failed\n"
        }
        return text
    }
}
