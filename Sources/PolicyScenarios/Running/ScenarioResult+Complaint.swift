internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import ScenarioFormat
internal import SecretVault

extension ScenarioResult {
    /// Returns the name of the scenario with its position, and the ``complaint``.
    package func failureText(colored: Bool = false) -> String {
        func tinted(_ text: String, _ tone: TextTable.Tone) -> String { tone.text(text, colored: colored) }
        var text = "\(tinted("FAIL", .bad))  \(Terminal.line(scenario.name))  "
        text += "\(tinted(scenario.position.shownLine, .faint))\n"
        for (heading, line) in complaint {
            let gap = String(repeating: " ", count: max(1, 12 - heading.count))
            text += "      \(tinted(heading, .faint))\(gap)\(Terminal.line(line))\n"
        }
        return text
    }

    /// The failure as lines, each with a heading.
    package var complaint: [(heading: String, text: String)] {
        if let trouble {
            return [("at", "\(trouble.position)"), ("expected", trouble.expected), ("actual", trouble.actual)]
        }
        guard let failure else { return [] }
        let time = failure.step.times > 1 ? ", time \(failure.time) of \(failure.step.times)" : ""
        var lines = [("step \(failure.number)", failure.step.words + time), ("at", "\(failure.findings[0].position)")]
        for finding in failure.findings {
            lines.append(("expected", finding.expected))
            lines.append(("actual", finding.actual))
        }
        let outcome = failure.outcome
        if !outcome.prompts.isEmpty { lines.append(("asked for", outcome.prompts.inWords)) }
        for watched in outcome.decisions {
            lines.append(("rules", "\(watched.trace)"))
        }
        if let decision = outcome.fileDecision { lines.append(("rules", decision.rule.identifier)) }
        if let flip = outcome.flip { lines.append(("to turn it", flip)) }
        return lines + meanwhile(outcome)
    }

    /// Returns lines for the steps that were played during a prompt, with their rules.
    private func meanwhile(_ outcome: StepOutcome) -> [(heading: String, text: String)] {
        outcome.meanwhile.flatMap { step, outcome in
            [("meanwhile", "\(step.words): \(outcome.inWords)")]
                + outcome.decisions.map { ("rules", "\($0.trace)") } + meanwhile(outcome)
        }
    }
}

extension StepOutcome {
    /// The remedy of a denial in words, or nil if there is none.
    package var flip: String? {
        let remedy: Remedy
        switch verdict {
        case .denied(let denial):
            remedy = denial.rule.remedy
            if remedy == .authenticate && !denial.ways.isEmpty { return "authenticate with \(denial.ways)" }
        case .closed(let rule): remedy = rule.remedy
        case .refusedByAccount(let refusal): remedy = refusal.remedy
        case .granted, .faulty, .failed, .happened, .refused, .wrong, .broken: return nil
        }
        // In parentheses is the word for the remedy in scenario files.
        return remedy == .nothing ? nil : "\(remedy.text) (\(remedy))"
    }
}
