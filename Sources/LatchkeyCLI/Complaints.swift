internal import PolicyScenarios

/// Tells what is wrong with files of scenarios.
enum Complaints {
    /// Tells all of it, and gives the status that the command ends with.
    static func tell(_ suite: Suite, as format: ReportFormat) -> Int32 {
        for trouble in suite.troubles { Output.complain(trouble.description) }
        for mistake in suite.mistakes {
            let line =
                format == .github
                ? GitHubReport.command("error", mistake.position, title: "not understood", mistake.message)
                : printable("\(mistake)") + "\n"
            Output.write(line, isError: true)
        }
        return 2
    }
}
