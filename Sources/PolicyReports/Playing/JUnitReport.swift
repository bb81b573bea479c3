internal import PlainText
package import PolicyScenarios
internal import ScenarioFormat

/// Writes the XML of JUnit, which build servers read.
package struct JUnitReport: Report {
    private var files: [String] = []
    private var cases: [String: [(xml: String, failed: Bool)]] = [:]

    package init() {}

    package mutating func begin(_ count: Int) -> String { "" }

    /// Records a scenario for the end of the report.
    package mutating func add(_ result: ScenarioResult) -> String {
        let position = result.scenario.position
        let head =
            "    <testcase name=\"\(Quoting.xml(result.scenario.name))\" classname=\"\(Quoting.xml(position.file))\""
            + " file=\"\(Quoting.xml(position.file))\" line=\"\(position.line)\""
        if cases[position.file] == nil { files.append(position.file) }
        if result.passed {
            cases[position.file, default: []].append((head + "/>\n", false))
        } else {
            let lines = result.complaint.map { "\($0.heading): \($0.text)" }
            let message = result.complaint.first { $0.heading == "actual" }?.text ?? ""
            let text = lines.joined(separator: "\n")
            cases[position.file, default: []].append(
                (
                    head + ">\n      <failure message=\"\(Quoting.xml(message))\">\(Quoting.xml(text))</failure>\n"
                        + "    </testcase>\n", true
                ))
        }
        return ""
    }

    /// Returns the whole report.
    package mutating func end(_ summary: Summary, mutation: MutationReport?) -> String {
        var text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"latchkey\" "
            + "tests=\"\(summary.passed + summary.failed)\" failures=\"\(summary.failed)\">\n"
        for file in files {
            let own = cases[file] ?? []
            text +=
                "  <testsuite name=\"\(Quoting.xml(file))\" tests=\"\(own.count)\" failures=\"\(own.count(where: \.failed))\">\n"
            text += own.map(\.xml).joined() + "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }
}
