internal import ScenarioFormat

/// Scenario files, for tests that are written in Swift.
///
///     @Test func policiesHold() throws {
///         #expect(try Scenarios.play("Tests/Policies").failures == [])
///     }
public enum Scenarios: Sendable {
    /// What came of the scenarios of some files.
    public struct Played: Sendable {
        /// How many there were.
        public let count: Int
        /// How many steps were done.
        public let steps: Int
        /// What was not as expected, a text for each scenario: its name, the step, what was expected and what came of it.
        public let failures: [String]
    }

    /// Why nothing was played.
    public struct ReadingError: Error, Sendable, CustomStringConvertible {
        /// Every mistake, each with its place, one a line.
        public let description: String
    }

    /// Plays the scenarios in these files, in these folders with all below them, and in what these patterns mean, several at a
    /// time; on one thread only where `threads` says so. Throws where a file is not understood, or there is no scenario.
    public static func play(_ paths: String..., threads: Int? = nil) throws(ReadingError) -> Played {
        let files: [String]
        do throws(FileError) { files = try Discovery.files(paths) } catch {
            throw ReadingError(description: error.description)
        }
        let suite = Suite(files: files)
        if !suite.isUnderstood {
            let lines = suite.troubles.map(\.description) + suite.mistakes.map(\.description)
            throw ReadingError(description: lines.joined(separator: "\n"))
        }
        if suite.scenarios.isEmpty { throw ReadingError(description: "there is no scenario in these files") }
        var summary = Summary()
        var failures: [String] = []
        suite.run(threads: threads) { result in
            summary.add(result)
            if !result.passed { failures.append(result.failureText() + "\n") }
            return true
        }
        return Played(count: summary.passed + summary.failed, steps: summary.steps, failures: failures)
    }
}
