import PolicyReports
import PolicyScenarios
import ScenarioFormat
import Testing

/// What reports say about steps with files.
@Suite struct FileReportTests {
    private static let text = """
        name: x
        files: { video: completeUnlessOpen, note: none }
        items: { token: }
        steps:
          - open: video
          - lock
          - wait: 10s
          - append: video
          - close: video
          - open: note
          - open: video
        """

    private func scenario() throws -> Scenario {
        try #require(ScenarioFile(bytes: Array(Self.text.utf8), of: "x.yaml").scenarios.first)
    }

    @Test func anExplanationNamesTheRuleItsSourceAndTheRemedy() throws {
        let text = try #require(Explanation(colored: false, step: 7).text(of: scenario())).text
        let said = """
              step 7  open video
                  file.closed-until-unlock  a completeUnlessOpen file that is not open cannot be opened while the device is locked  semantics 8.1, DOC
                so it is denied
                = denied by file.closed-until-unlock
                  a completeUnlessOpen file that is not open cannot be opened while the device is locked
                  the app gets EPERM (1)
                  remedy: unlock the device (unlock)

            """
        #expect(text.contains(said), "\(text)")
        let held = try #require(Explanation(colored: false, step: 4).text(of: scenario())).text
        #expect(held.contains("      file.held-open  ") && held.contains("    so it is granted\n    = granted\n"))
    }

    @Test func stepsOfOneFileAreExplained() throws {
        let text = try #require(Explanation(colored: false, item: "note").text(of: scenario())).text
        #expect(text.contains("step 6  open note") && !text.contains("step 1"))
        #expect(Explanation(colored: false, item: "token").text(of: try scenario()) == nil)
    }

    @Test func everyFormatNamesTheRuleOfADenial() throws {
        let result = try scenario().run()
        var summary = Summary()
        summary.add(result)
        for format in ReportFormat.allCases {
            var report: any Report =
                switch format {
                case .human: HumanReport(colored: false, namesAll: false)
                case .tap: TAPReport()
                case .junit: JUnitReport()
                case .json: JSONReport()
                case .github: GitHubReport()
                case .html: HTMLReport()
                }
            let text = report.add(result) + report.end(summary)
            #expect(text.contains("denied by file.closed-until-unlock"), "\(format)")
            #expect(text.contains("unlock the device (unlock)"), "\(format)")
        }
    }

    @Test func jsonListsTheRule() throws {
        var report = JSONReport()
        _ = report.add(try scenario().run())
        #expect(report.end(Summary()).contains("\"rules\": [[\"file.closed-until-unlock\"]]"))
    }

    @Test func coverageNamesRulesAboutFiles() throws {
        let coverage = try scenario().run().coverage
        let text = CoverageReport.text(coverage, colored: false)
        #expect(text.contains("; 3 of \(coverage.rules.count) rules\n"), "\(text)")
        #expect(text.contains("  never  file.locked"), "\(text)")
    }
}
