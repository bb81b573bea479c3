internal import AccessPolicy
internal import ApplePlatform
internal import PlainText
internal import PolicyScenarios
package import ScenarioFormat
internal import SecretVault

/// Explains a scenario step by step: every decision, the rules behind it, and the source of each rule.
package struct Explanation {
    let isColored: Bool
    /// True if the lines of each step get a frame on their left.
    private let isFramed: Bool
    /// The name of the item whose steps are explained; nil for all.
    private let item: String?
    /// The name of the device whose steps are explained; nil for all.
    private let device: String?
    /// The number of the only step to explain; nil for all.
    private let number: Int?

    /// Creates an explanation of all steps, of those about one item or one device, or of a single step.
    ///
    /// If it is `framed`, the lines of each step have a frame on their left.
    package init(
        colored: Bool, framed: Bool = false, item: String? = nil, on device: String? = nil, step number: Int? = nil
    ) {
        isColored = colored
        isFramed = framed
        self.item = item
        self.device = device
        self.number = number
    }

    /// Plays `scenario`. Returns its explanation and true if it passed; nil if it has no step to explain.
    package func text(of scenario: Scenario) -> (text: String, passed: Bool)? {
        var steps = ""
        var former: Int?
        let result = scenario.run { number, step, outcome in
            if number == former || !isWanted(step, outcome, number, scenario) { return }
            former = number
            steps += story(of: step, number, 1, outcome, scenario)
        }
        if let failure = result.failure, failure.time > 1, failure.number == former {
            steps += story(of: failure.step, failure.number, failure.time, failure.outcome, scenario)
        }
        if steps.isEmpty && result.trouble == nil { return nil }
        let position = scenario.position
        var text =
            "\(tinted(Terminal.line(scenario.name), .heading))  \(tinted(position.shownLine, .faint))\n\n"
        text += steps
        if !result.passed {
            text += "  \(tinted("not as expected", .bad))\n"
            for (heading, line) in result.complaint { text += "    \(heading): \(Terminal.line(line))\n" }
            text += "\n"
        }
        return (text, result.passed)
    }

    private func isWanted(_ step: Step, _ outcome: StepOutcome, _ number: Int, _ scenario: Scenario) -> Bool {
        if let wanted = self.number, wanted != number { return false }
        if !movements(of: outcome, in: scenario).isEmpty { return true }
        if let device, !isOn(device, step, scenario) { return false }
        guard let item else { return true }
        return isAbout(item, step, outcome, scenario)
            || outcome.meanwhile.contains { isAbout(item, $0.step, $0.outcome, scenario) }
    }

    /// Returns the movements of a step that are about the wanted item and device.
    private func movements(of outcome: StepOutcome, in scenario: Scenario) -> [ItemMovement] {
        outcome.movements.filter { movement in
            (device == nil || scenario.devices[movement.device].name == device)
                && (item == nil || movement.items(in: scenario).contains { $0.name == item })
        }
    }

    /// Returns true if the step happens on this device. A step for all devices happens on each.
    private func isOn(_ device: String, _ step: Step, _ scenario: Scenario) -> Bool {
        if case .account(.settle) = step.deed { return true }
        return scenario.devices.indices.contains(step.device ?? 0) && scenario.devices[step.device ?? 0].name == device
    }

    /// Returns true if the step requests this item or finds it, or calls this file.
    private func isAbout(_ item: String, _ step: Step, _ outcome: StepOutcome, _ scenario: Scenario) -> Bool {
        if case .file(let request) = step.deed { return scenario.files[request.file].name == item }
        guard case .request(let request) = step.deed else { return false }
        let places = if case .item(let place) = request.target { [place] } else { outcome.found ?? [] }
        return places.contains { scenario.items[$0].name == item }
    }

    private func story(
        of step: Step, _ number: Int, _ time: Int, _ outcome: StepOutcome, _ scenario: Scenario
    ) -> String {
        let times = step.times > 1 ? ", time \(time) of \(step.times)" : ""
        return story(of: step, called: "step \(number)", outcome, times, scenario) + meanwhile(outcome, scenario)
    }

    /// Returns the explanation of what happened under the prompts of a step.
    private func meanwhile(_ outcome: StepOutcome, _ scenario: Scenario) -> String {
        outcome.meanwhile.map {
            story(of: $0.step, called: "  meanwhile", $0.outcome, "", scenario) + meanwhile($0.outcome, scenario)
        }.joined()
    }

    private func story(
        of step: Step, called name: String, _ outcome: StepOutcome, _ times: String, _ scenario: Scenario
    ) -> String {
        var text = "  \(tinted(name, .heading))  \(Terminal.line(step.words))\(times)\n"
        for (place, watched) in outcome.decisions.enumerated() {
            var table = TextTable()
            table.rows = watched.trace.map { Self.row(of: $0.facts) }
            text += table.text(colored: isColored)
            text += "    \(Self.inWords(watched.decision, isLast: place == outcome.decisions.count - 1))\n"
        }
        if let decision = outcome.fileDecision {
            var table = TextTable()
            table.rows = [Self.row(of: decision.rule.facts)]
            text += table.text(colored: isColored)
            text += "    \(decision.isGranted ? "so it is granted" : "so it is denied")\n"
        }
        if case .account(let event) = step.deed { text += effect(of: event, outcome) }
        text += story(of: movements(of: outcome, in: scenario), scenario)
        if !outcome.prompts.isEmpty { text += "    prompts: \(outcome.prompts.inWords)\n" }
        let tone: TextTable.Tone = outcome.succeeded ? .good : .bad
        text += "    \(tinted("= \(Terminal.line(outcome.inWords))", tone))\n"
        if case .denied(let denial) = outcome.verdict { text += "      \(denial.rule.summary)\n" }
        if case .closed(let rule) = outcome.verdict {
            text += "      \(rule.summary)\n      the app gets EPERM (1)\n"
        }
        var answers = outcome.status.map { $0 == .success ? [] : ["\($0.name) (\($0.rawValue))"] } ?? []
        if let laError = outcome.laError { answers.append("LAError.\(laError.name) (\(laError.rawValue))") }
        if !answers.isEmpty { text += "      the app gets \(answers.joined(separator: ", "))\n" }
        if let flip = outcome.flip { text += "      remedy: \(flip)\n" }
        // Every line begins with spaces, the first of which make room for the frame.
        return (isFramed ? LeftFrame.around(text.split(separator: "\n"), colored: isColored) : text) + "\n"
    }

    private static func row(of facts: RuleFacts) -> [TextTable.Cell] {
        [.init("      \(facts.identifier)"), .init(facts.summary), .init(facts.factSource.words, .faint)]
    }

    private static func inWords(_ decision: Decision, isLast: Bool) -> String {
        switch decision {
        case .granted: "so it is granted"
        case .challenge(let ways): "so the user has to authenticate: \(ways)"
        case .denied: isLast ? "so it is denied" : "so it is denied as it stands"
        }
    }

    private func tinted(_ text: String, _ tone: TextTable.Tone) -> String {
        tone.text(text, colored: isColored)
    }
}
