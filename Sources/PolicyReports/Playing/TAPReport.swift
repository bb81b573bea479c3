internal import PlainText
package import PolicyScenarios
internal import ScenarioFormat

/// The Test Anything Protocol, version 14.
package struct TAPReport: Report {
    private var number = 0

    package init() {}

    package mutating func begin(_ count: Int) -> String { "TAP version 14\n1..\(count)\n" }

    package mutating func add(_ result: ScenarioResult) -> String {
        number += 1
        // A number sign would begin a directive.
        let name = Terminal.line(result.scenario.name).map { $0 == "#" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        if result.passed { return "ok \(number) - \(name)\n" }
        var text = "not ok \(number) - \(name)\n  ---\n"
        text += "  at: \(Quoting.json("\(result.scenario.position)"))\n  because:\n"
        for (heading, line) in result.complaint { text += "    - {\(Quoting.json(heading)): \(Quoting.json(line))}\n" }
        return text + "  ...\n"
    }

    package mutating func end(_ summary: Summary, mutation: MutationReport?) -> String {
        var text = ""
        while number < summary.planned {
            number += 1
            text += "ok \(number) # SKIP one before it failed\n"
        }
        return text
    }
}
