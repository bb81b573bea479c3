internal import ScenarioFormat

/// Scenario files, for tests that are written in Swift.
///
///     @Test func policiesHold() throws {
///         #expect(try Scenarios.play("Tests/Policies").failures == [])
///     }
public enum Scenarios: Sendable {
    /// The result of playing the scenarios of some files.
    public struct Played: Sendable {
        /// The number of scenarios.
        public let count: Int
        /// The number of steps that were played.
        public let steps: Int
        /// One text for each scenario that failed: its name, the step, the expected outcome and the actual one.
        public let failures: [String]
    }

    /// The reason why no scenario was played.
    public struct ReadingError: Error, Sendable, CustomStringConvertible {
        /// Every mistake with its position, one a line.
        public let description: String
    }

    /// Plays the scenarios in these files, folders and patterns, several at a time.
    ///
    /// A folder stands for every `.yaml`, `.yml` and `.json` file below it. Pass `threads: 1` to play one scenario
    /// after another.
    ///
    /// - Throws: ``ReadingError`` if a file cannot be read or has a mistake, or if there is no scenario in the files.
    public static func play(_ paths: String..., threads: Int? = nil) throws(ReadingError) -> Played {
        let files: [String]
        do { files = try Discovery.files(paths) } catch {
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
