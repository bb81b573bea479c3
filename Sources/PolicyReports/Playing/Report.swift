package import PolicyScenarios

/// Tells how a suite goes, in some format. What it returns is written as it comes.
package protocol Report {
    /// Before the first; so many will be played.
    mutating func begin(_ count: Int) -> String
    /// One was played.
    mutating func add(_ result: ScenarioResult) -> String
    /// It is over. `mutation` says what changes of policies the suite notices, if that was tried.
    mutating func end(_ summary: Summary, mutation: MutationReport?) -> String
}

extension Report {
    /// It is over, and no changes of policies were tried.
    package mutating func end(_ summary: Summary) -> String { end(summary, mutation: nil) }
}

/// The formats, by name.
package enum ReportFormat: String, CaseIterable, Sendable {
    case human, tap, junit, json, github
}
