internal import PlainText
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// Tells what is wrong with files of scenarios, and gives the status that the command ends with.
enum Complaints {
    /// Of several files.
    static func tell(_ suite: Suite, as format: ReportFormat) -> Int32 {
        for trouble in suite.troubles { Output.complain(trouble.description) }
        return tell(suite.mistakes, as: format)
    }

    /// A line a mistake, as editors and compilers know it.
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
