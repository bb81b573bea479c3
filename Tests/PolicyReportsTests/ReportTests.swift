import Foundation
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import Testing

/// Tests that independent parsers can read every format for programs.
@Suite struct ReportTests {
    private static let text = """
        name: it passes
        steps: [lock]
        ---
        name: 'a <name> & "quotes" # and 100%, ]]> end'
        items: { token: { require: userPresence } }
        steps:
          - { read: token, by: stranger, expect: granted }
        ---
        name: it is left out
        steps: [lock]
        """

    /// Returns the report on three scenarios, of which the last was not played.
    private func said(by report: any Report) -> String {
        var report = report
        let scenarios = ScenarioFile(bytes: Array(Self.text.utf8), of: "a, b:c.yaml").scenarios
        var summary = Summary()
        summary.planned = scenarios.count
        var text = report.begin(scenarios.count)
        for scenario in scenarios.prefix(2) {
            let result = scenario.run()
            summary.add(result)
            text += report.add(result)
        }
        return text + report.end(summary)
    }

    private struct Element: Decodable {
        let name: String, attributes: [String: String], text: String
    }

    /// Has another program read XML.
    private func elements(of text: String) throws -> [Element] {
        let python = Process()
        let (input, output) = (Pipe(), Pipe())
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = [
            "-c",
            "import json, sys, xml.etree.ElementTree as e\n"
                + "print(json.dumps([{'name': x.tag, 'attributes': x.attrib, 'text': x.text or ''}"
                + " for x in e.fromstring(sys.stdin.buffer.read()).iter()]))",
        ]
        python.standardInput = input
        python.standardOutput = output
        try python.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let read = try output.fileHandleForReading.readToEnd() ?? Data()
        python.waitUntilExit()
        return try JSONDecoder().decode([Element].self, from: read)
    }

    /// The page states the bottom line first, then the failure with every step, then the rest. Nothing in a scenario becomes markup.
    @Test func htmlShowsEveryStepAndTheDevice() throws {
        let text = said(by: HTMLReport())
        let elements = try elements(of: text.replacing("<!DOCTYPE html>\n", with: ""))
        #expect(
            elements.first { $0.name == "title" }?.text.hasPrefix("Scenarios: 1 passed, 1 failed, 1 not run; ") == true)
        #expect(elements.filter { $0.name == "details" }.map { $0.attributes["open"] } == ["open", nil])
        #expect(text.contains("a &lt;name&gt; &amp; ") && !text.contains("<name>"))
        #expect(elements.contains { $0.name == "tr" && $0.attributes["class"] == "no" })
        #expect(text.contains(">unlocked<br/>"), "the state of the device")
        #expect(!elements.contains { ["script", "img", "link", "iframe"].contains($0.name) })
    }

    @Test func junitIsXML() throws {
        let elements = try elements(of: said(by: JUnitReport()))
        #expect(elements.map(\.name) == ["testsuites", "testsuite", "testcase", "testcase", "failure"])
        #expect(elements[0].attributes["tests"] == "2" && elements[0].attributes["failures"] == "1")
        #expect(elements[3].attributes["name"] == "a <name> & \"quotes\" # and 100%, ]]> end")
        #expect(elements[3].attributes["line"] == "4")
        #expect(elements[4].text.contains("actual: denied by sheet.failed"))
    }

    /// The scenarios of a file stay together, in whatever order they were played.
    @Test func junitHasASuiteForEachFile() {
        var report = JUnitReport()
        var summary = Summary()
        for (number, file) in ["a.yaml", "b.yaml", "a.yaml"].enumerated() {
            let text = "name: number \(number)\nsteps: [lock]"
            for scenario in ScenarioFile(bytes: Array(text.utf8), of: file).scenarios {
                let result = scenario.run()
                summary.add(result)
                #expect(report.add(result) == "")
            }
        }
        let lines = report.end(summary).split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.count { $0.hasPrefix("<testsuites name=\"latchkey\" tests=\"3\" failures=\"0\">") } == 1)
        #expect(
            lines.filter { $0.hasPrefix("<testsuite ") } == [
                "<testsuite name=\"a.yaml\" tests=\"2\" failures=\"0\">",
                "<testsuite name=\"b.yaml\" tests=\"1\" failures=\"0\">",
            ])
    }

    /// A failure under a prompt shows the rules that fired there, and a refusal has the word that files use.
    @Test func aFailureTellsWhatHappenedMeanwhile() throws {
        func complaint(_ text: String) throws -> [String] {
            let scenario = try #require(ScenarioFile(bytes: Array(text.utf8), of: "x.yaml").scenarios.first)
            return scenario.run().complaint.map { "\($0.heading): \($0.text)" }
        }
        let lines = try complaint(
            """
            name: x
            items: { token: { require: userPresence }, other: { require: biometryAny } }
            steps:
              - { read: token, meanwhile: { read: other, interaction: fail } }
            """)
        #expect(lines.contains("meanwhile: read other: denied by interaction.not-allowed"))
        #expect(lines.contains("rules: class.open → interaction.not-allowed"))
        #expect(
            try complaint("name: x\nsteps: [{ remove: left thumb, expect: { refused: noSensor } }]").suffix(2) == [
                "expected: refused: noSensor", "actual: refused: notEnrolled, this finger or face is not enrolled",
            ])
    }

    @Test func jsonIsJSON() throws {
        struct Report: Decodable {
            struct Scenario: Decodable {
                struct UnmetExpectation: Decodable { let at, expected, actual: String }
                let name, file: String, line: Int, passed: Bool, steps: Int
                let step: Int?, did, outcome: String?, prompts: [String]?, rules: [[String]]?,
                    findings: [UnmetExpectation]?
            }
            let passed, failed, notRun, steps: Int
            let scenarios: [Scenario]
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(said(by: JSONReport()).utf8))
        #expect((report.passed, report.failed, report.notRun, report.steps) == (1, 1, 1, 2))
        let failed = try #require(report.scenarios.last)
        #expect(failed.prompts == ["biometry", "passcode"])
        #expect(failed.rules == [["class.open", "proof.needed"]])
        #expect(failed.findings?.map(\.at) == ["a, b:c.yaml:7:42"])
        #expect(failed.findings?.map(\.expected) == ["granted"])
    }

    @Test func tapIsCountedAndEscaped() {
        let lines = said(by: TAPReport()).split(separator: "\n").map(String.init)
        #expect(lines.first == "TAP version 14")
        #expect(lines[1] == "1..3")
        #expect(lines.contains("ok 1 - it passes"))
        #expect(lines.contains("not ok 2 - a <name> & \"quotes\" \\# and 100%, ]]> end"))
        #expect(lines.last == "ok 3 # SKIP one before it failed")
        let tests = lines.filter { $0.hasPrefix("ok") || $0.hasPrefix("not ok") }
        #expect(tests.count == 3)
    }

    @Test func gitHubMarksTheLine() {
        let said = said(by: GitHubReport())
        #expect(
            said.hasPrefix(
                "::error file=a%2C b%3Ac.yaml,line=7,col=42,title=a <name> & \"quotes\" # and 100%25%2C ]]> end::"))
        #expect(said.split(separator: "\n").count == 2, "a message is one line, and the summary is another")
        #expect(said.hasSuffix("\n1 passed, 1 failed, 1 not run; 2 steps\n"))
    }

    @Test func nothingSteersTheTerminal() throws {
        let text = "name: \"\\e[31mred\\a\"\nitems: { \"\\e]0;x\": }\nsteps: [ { read: \"\\e]0;x\", expect: denied } ]"
        let scenario = try #require(ScenarioFile(bytes: Array(text.utf8), of: "a.yaml").scenarios.first)
        for report in [HumanReport(colored: false, namesAll: true), TAPReport()] as [any Report] {
            var report = report
            let said = report.add(scenario.run())
            #expect(said.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }, "\(said.debugDescription)")
        }
    }
}
