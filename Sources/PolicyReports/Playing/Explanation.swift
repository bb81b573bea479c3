internal import AccessPolicy
internal import PlainText
internal import PolicyScenarios
package import ScenarioFormat
internal import SecretVault

/// What was decided in a scenario, step by step, in plain words, each with its rule and where that is known from.
package struct Explanation {
    private let isColored: Bool
    /// The name of the item that the steps have to be about; nil for any.
    private let item: String?
    /// The number of the one step that is wanted; nil for all.
    private let number: Int?

    package init(colored: Bool, item: String? = nil, step number: Int? = nil) {
        isColored = colored
        self.item = item
        self.number = number
    }

    /// The story of `scenario`, and whether it came out as expected; nil where none of its steps is wanted.
    package func text(of scenario: Scenario) -> (text: String, passed: Bool)? {
        var steps = ""
        var former: Int?
        let result = scenario.run { number, step, outcome in
            if number == former || !isWanted(step, outcome, number, scenario) { return }
            former = number
            steps += story(of: step, number, 1, outcome)
        }
        if let failure = result.failure, failure.time > 1, failure.number == former {
            steps += story(of: failure.step, failure.number, failure.time, failure.outcome)
        }
        if steps.isEmpty && result.trouble == nil { return nil }
        let position = scenario.position
        var text =
            "\(tinted(Terminal.line(scenario.name), .heading))  \(tinted(position.shownLine, .faint))\n\n"
        text += steps
        if !result.passed {
            text += "  \(tinted("this is not as expected", .bad))\n"
            for (heading, line) in result.complaint { text += "    \(heading): \(Terminal.line(line))\n" }
            text += "\n"
        }
        return (text, result.passed)
    }

    private func isWanted(_ step: Step, _ outcome: Outcome, _ number: Int, _ scenario: Scenario) -> Bool {
        if let wanted = self.number, wanted != number { return false }
        guard let item else { return true }
        return isAbout(item, step, outcome, scenario)
            || outcome.meanwhile.contains { isAbout(item, $0.step, $0.outcome, scenario) }
    }

    /// Returns true if it was asked for this item, or found it.
    private func isAbout(_ item: String, _ step: Step, _ outcome: Outcome, _ scenario: Scenario) -> Bool {
        guard case .request(let request) = step.deed else { return false }
        let places = if case .item(let place) = request.target { [place] } else { outcome.found ?? [] }
        return places.contains { scenario.items[$0].name == item }
    }

    private func story(of step: Step, _ number: Int, _ time: Int, _ outcome: Outcome) -> String {
        let times = step.times > 1 ? ", time \(time) of \(step.times)" : ""
        return story(of: step, called: "step \(number)", outcome, times) + meanwhile(outcome)
    }

    /// What happened while somebody was asked in that step.
    private func meanwhile(_ outcome: Outcome) -> String {
        outcome.meanwhile.map { story(of: $0.step, called: "  meanwhile", $0.outcome, "") + meanwhile($0.outcome) }
            .joined()
    }

    private func story(of step: Step, called name: String, _ outcome: Outcome, _ times: String) -> String {
        var text = "  \(tinted(name, .heading))  \(Terminal.line(step.words))\(times)\n"
        for (place, watched) in outcome.decisions.enumerated() {
            var table = TextTable()
            table.rows = watched.trace.map { rule in
                let facts = rule.facts
                let source = facts.section.map { "semantics \($0), \(facts.grounds.rawValue)" } ?? "a choice of ours"
                return [.init("      \(facts.identifier)"), .init(facts.summary), .init(source, .faint)]
            }
            text += table.text(colored: isColored)
            text += "    \(Self.inWords(watched.decision, isLast: place == outcome.decisions.count - 1))\n"
        }
        if !outcome.prompts.isEmpty { text += "    people were asked for \(outcome.prompts.inWords)\n" }
        let tone: TextTable.Tone = outcome.succeeded ? .good : .bad
        text += "    \(tinted("= \(Terminal.line(outcome.inWords))", tone))\n"
        if case .denied(let denial) = outcome.verdict { text += "      \(denial.rule.summary)\n" }
        var answers = outcome.status.map { $0 == .success ? [] : ["\($0.name) (\($0.rawValue))"] } ?? []
        if let laError = outcome.laError { answers.append("LAError.\(laError.name) (\(laError.rawValue))") }
        if !answers.isEmpty { text += "      an app gets \(answers.joined(separator: ", "))\n" }
        if let flip = outcome.flip { text += "      to turn it: \(flip)\n" }
        return text + "\n"
    }

    private static func inWords(_ decision: Decision, isLast: Bool) -> String {
        switch decision {
        case .granted: "so it may go ahead"
        case .challenge(let ways): "so somebody has to prove \(ways)"
        case .denied: isLast ? "so it may not" : "so it may not as it is"
        }
    }

    private func tinted(_ text: String, _ tone: TextTable.Tone) -> String {
        tone.text(text, colored: isColored)
    }
}
