package import PolicyScenarios

/// A report on a suite in some format. The caller prints each returned text at once.
package protocol Report {
    /// Begins the report. `count` scenarios are going to run.
    mutating func begin(_ count: Int) -> String
    /// Adds the result of a scenario.
    mutating func add(_ result: ScenarioResult) -> String
    /// Ends the report. `mutation` is the result of mutation testing, if that was run.
    mutating func end(_ summary: Summary, mutation: MutationReport?) -> String
}

extension Report {
    /// Ends the report of a suite without mutation testing.
    package mutating func end(_ summary: Summary) -> String { end(summary, mutation: nil) }
}

/// A format of reports on scenarios, by its name in options.
package enum ReportFormat: String, CaseIterable, Sendable {
    case human, tap, junit, json, github, html
}
