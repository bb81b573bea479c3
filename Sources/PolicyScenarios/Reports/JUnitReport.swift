/// The XML that build servers read.
package struct JUnitReport: Report {
    private var cases: [(file: String, xml: String, failed: Bool)] = []

    package init() {}

    package mutating func begin(_ count: Int) -> String { "" }

    package mutating func add(_ result: ScenarioResult) -> String {
        let position = result.scenario.position
        let head =
            "    <testcase name=\"\(Quoting.xml(result.scenario.name))\" classname=\"\(Quoting.xml(position.file))\""
            + " file=\"\(Quoting.xml(position.file))\" line=\"\(position.line)\""
        if result.passed {
            cases.append((position.file, head + "/>\n", false))
        } else {
            let lines = result.complaint.map { "\($0.heading): \($0.text)" }
            let message = result.complaint.first { $0.heading == "actual" }?.text ?? ""
            let text = lines.joined(separator: "\n")
            cases.append(
                (
                    position.file,
                    head + ">\n      <failure message=\"\(Quoting.xml(message))\">\(Quoting.xml(text))</failure>\n"
                        + "    </testcase>\n", true
                ))
        }
        return ""
    }

    package mutating func end(_ summary: Summary) -> String {
        var text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"latchkey\" "
            + "tests=\"\(cases.count)\" failures=\"\(summary.failed)\">\n"
        var rest = cases[...]
        while let file = rest.first?.file {
            let own = rest.prefix { $0.file == file }
            text +=
                "  <testsuite name=\"\(Quoting.xml(file))\" tests=\"\(own.count)\" failures=\"\(own.count(where: \.failed))\">\n"
            text += own.map(\.xml).joined() + "  </testsuite>\n"
            rest = rest.dropFirst(own.count)
        }
        return text + "</testsuites>\n"
    }
}
