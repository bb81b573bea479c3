internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyScenarios
internal import ScenarioFormat

extension Explanation {
    /// Returns a line with the effect of a step of the account, or with the reason why it is refused.
    func effect(of event: AccountStep, _ outcome: StepOutcome) -> String {
        var table = TextTable()
        switch outcome.verdict {
        case .refusedByAccount(let refusal):
            table.rows = [
                [.init("      \(refusal)"), .init(refusal.text), .init(refusal.source.words, .faint)]
            ]
        case .happened: table.rows = [[.init("      \(event.meaning)"), .init(event.source.words, .faint)]]
        case .granted, .denied, .closed, .faulty, .failed, .refused, .wrong, .broken: return ""
        }
        return table.text(colored: isColored)
    }

    /// Returns a line for each movement, with its device, its item and its rule, and a line for each remedy.
    func story(of movements: [ItemMovement], _ scenario: Scenario) -> String {
        var table = TextTable()
        var remedies: [String] = []
        for movement in movements {
            let facts = movement.rule.facts
            let device = scenario.devices[movement.device].name
            table.rows.append([
                .init("      \(Terminal.line(device))"), .init(facts.identifier),
                .init(Terminal.line(movement.name(in: scenario))), .init(facts.summary),
                .init(facts.factSource.words, .faint),
            ])
            if facts.remedy == .nothing { continue }
            let line = "      remedy on \(Terminal.line(device)): \(facts.remedy.text) (\(facts.remedy))\n"
            if !remedies.contains(line) { remedies.append(line) }
        }
        return table.text(colored: isColored) + remedies.joined()
    }
}
