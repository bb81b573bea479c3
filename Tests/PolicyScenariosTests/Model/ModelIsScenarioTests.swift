import AccessPolicy
import Foundation
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import Synchronization
import TestSupport
import Testing

/// Law 6 for scenario files: a scenario that plays on a vault gives the answers of a World, also for what people do.
///
/// The test plays every random scenario in a World, writes it down with these answers, reads it, and plays it.
/// `LATCHKEY_SOAK_STEPS` sets the number of steps, if two thousand scenarios are not enough.
@Suite struct ModelIsScenarioTests {
    static let soak = Soak.steps

    @Test func aWorldAndAScenarioFileAnswerAlike() {
        let parts = 2
        let played = Suite.concurrently(parts) { part -> (tally: ModelTally, difference: String?) in
            var tally = ModelTally()
            var seed = UInt64(part)
            while Self.soak.map({ tally.steps < $0 / parts }) ?? (tally.scenarios < 2000 / parts) {
                let trial = ModelTrial(seed: seed)
                if let difference = trial.difference(&tally) { return (tally, trial.shrunk(difference)) }
                seed += UInt64(parts)
                if tally.scenarios.isMultiple(of: 50_000) {
                    print("model = scenario, part \(part): \(tally.scenarios) scenarios, \(tally.steps) steps")
                }
            }
            return (tally, nil)
        }
        let differences = played.compactMap(\.difference)
        for difference in differences { Issue.record("\(difference)") }
        if !differences.isEmpty { return }
        let tally = played.reduce(into: ModelTally()) { $0.add($1.tally) }
        print("model = scenario: \(tally)")
        // Steps that have no effect prove nothing.
        #expect(tally.granted > tally.steps / 12)
        #expect(tally.denied > tally.steps / 12)
        #expect(tally.happened > tally.steps / 8)
        #expect(tally.refused > tally.steps / 20)
        #expect(tally.wrong > tally.steps / 100)
        #expect(tally.prompted > tally.steps / 25)
        #expect(tally.secretsRead > tally.steps / 100)
        #expect(tally.rules.count >= 30, "few rules denied anything")
    }

    /// Law 5: any number of threads writes the same bytes, in every format, also for scenarios that fail.
    @Test func theReportOfASuiteDoesNotDependOnTheThreads() {
        var suite = Suite(files: [])
        for seed in 0..<200 as Range<UInt64> {
            let trial = ModelTrial(seed: seed)
            var text = trial.play().text
            if seed.isMultiple(of: 3) { text += "  - { expect: { device: { locked: $x } } }\n" }
            text = text.replacing("$x", with: seed.isMultiple(of: 2) ? "true" : "false")
            suite.scenarios += ScenarioFile(bytes: Array(text.utf8), of: "\(seed).yaml").scenarios
        }
        #expect(suite.scenarios.count == 200)
        let once = Self.said(of: suite, threads: 1)
        let again = Self.said(of: suite, threads: 8)
        for (format, (once, again)) in zip(ReportFormat.allCases, zip(once, again)) {
            #expect(once == again, "\(format)")
            #expect(once.utf8.count > 200)
        }
    }

    /// Returns the report in each format.
    private static func said(of suite: Suite, threads: Int) -> [String] {
        var reports: [any Report] = ReportFormat.allCases.map { format in
            switch format {
            case .human: HumanReport(colored: true, namesAll: true)
            case .tap: TAPReport()
            case .junit: JUnitReport()
            case .json: JSONReport()
            case .github: GitHubReport()
            case .html: HTMLReport()
            }
        }
        var summary = Summary()
        summary.planned = suite.scenarios.count
        var texts = reports.indices.map { reports[$0].begin(suite.scenarios.count) }
        suite.run(threads: threads) { result in
            summary.add(result)
            for place in reports.indices { texts[place] += reports[place].add(result) }
            return true
        }
        #expect(summary.failed > 20 && summary.passed > 100)
        return reports.indices.map { texts[$0] + reports[$0].end(summary) }
    }
}
