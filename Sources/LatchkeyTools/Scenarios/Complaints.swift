internal import LatchkeyCLI
internal import PlainText
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// Reports the mistakes in scenario files, and returns the exit status for them.
enum Complaints {
    /// Reports the mistakes in a suite of files.
    static func tell(_ suite: Suite, as format: ReportFormat) -> Int32 {
        for trouble in suite.troubles { Output.complain(trouble.description) }
        return tell(suite.mistakes, as: format)
    }

    /// Reports each mistake on a line, in the form that editors know from compilers.
    static func tell(_ mistakes: [ScenarioError], as format: ReportFormat = .human) -> Int32 {
        for mistake in mistakes {
            let line =
                format == .github
                ? GitHubReport.command("error", mistake.position, title: "not understood", mistake.message)
                : Terminal.line("\(mistake)") + "\n"
            Output.write(line, isError: true)
        }
        return 2
    }
}
