internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// A check of everything that has to hold for any file of scenarios, whatever bytes it has.
public enum ScenarioCheck: Sendable {
    /// The number of scenarios that are run. Faults of the reader show in few steps.
    private static let playedScenarios = 4
    private static let playedSteps = 24

    /// Reads `bytes` as a file of scenarios and runs them. Returns the fault of the reader; nil if there is none.
    public static func fault(with bytes: [UInt8]) -> String? {
        let path = "/nowhere/at/all/scenario.yaml"
        let file = ScenarioFile(bytes: bytes, of: path)
        let lines = lineCount(of: bytes)
        for mistake in file.mistakes {
            let position = mistake.position
            guard position.file == path, (1...lines + 1).contains(position.line),
                (1...bytes.count + 1).contains(position.column)
            else { return "a mistake outside of the file: \(mistake) of \(lines) lines" }
            if mistake.message.isEmpty { return "a mistake without a word: \(mistake)" }
        }
        if !file.mistakes.isEmpty && !file.scenarios.isEmpty { return "scenarios in spite of \(file.mistakes)" }
        let again = ScenarioFile(bytes: bytes, of: path)
        if again.mistakes != file.mistakes { return "other mistakes the second time: \(again.mistakes)" }
        if again.scenarios.map(\.name) != file.scenarios.map(\.name) { return "other scenarios the second time" }
        return file.scenarios.prefix(playedScenarios).lazy.compactMap { faultOfPlaying($0) }.first
    }

    private static func faultOfPlaying(_ scenario: Scenario) -> String? {
        guard scenario.stepsToPlay <= playedSteps else { return nil }
        let first = inWords(scenario.run())
        let second = inWords(scenario.run())
        return first == second ? nil : "it came out otherwise the second time: \(first), then \(second)"
    }

    private static func inWords(_ result: ScenarioResult) -> String {
        var report = JSONReport()
        _ = report.add(result)
        return report.end(Summary())
    }

    /// Returns the number of lines, as YAML counts them.
    private static func lineCount(of bytes: [UInt8]) -> Int {
        var text = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        var lines = 0
        while let scalar = text.popFirst() {
            if ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) { lines += 1 }
        }
        return lines
    }
}
