internal import LivePage
internal import SecretVault

extension LiveStep {
    /// Returns the calls and events among the moments, each with the decisions and prompts that led to it.
    static func steps(of moments: [Logbook.Moment]) -> [LiveStep] {
        var steps: [LiveStep] = []
        var (decisions, prompts): ([LiveDecision], [String]) = ([], [])
        func add(_ step: LiveStep) {
            var step = step
            step.number = steps.count + 1
            (step.decisions, step.prompts) = (decisions, prompts)
            if !step.succeeded { step.reason = decisions.last?.reason }
            (decisions, prompts) = ([], [])
            steps.append(step)
        }
        for moment in moments {
            switch moment {
            case .decided(let decision): decisions.append(LiveDecision(decision))
            case .accessed(let access): steps.append(LiveStep(access, number: steps.count + 1))
            case .asked(let prompt): prompts.append("\(prompt.factor.rawValue) (\(prompt.ending.rawValue))")
            case .called(let call):
                let why = call.explanation.isEmpty ? "" : ", \(call.explanation)"
                add(
                    LiveStep(
                        words: call.subject.isEmpty ? call.name : "\(call.name) \(call.subject)",
                        outcome: call.code == 0 ? "success\(why)" : "\(call.code)\(why)", succeeded: call.code == 0))
            case .noted(let what, let trouble):
                add(LiveStep(words: what, outcome: trouble ?? "happened", succeeded: trouble == nil))
            }
        }
        if !decisions.isEmpty || !prompts.isEmpty {
            add(LiveStep(words: "a call without an end so far", outcome: "undecided", succeeded: false))
        }
        return steps
    }
}

extension LiveStep {
    /// Creates the step of an access to a file, which has one decision and no prompts.
    fileprivate init(_ watched: WatchedFileDecision, number: Int) {
        let words = "\(watched.access.inWords) \(watched.path)"
        self.init(
            words: words, outcome: watched.decision.isGranted ? "granted" : "denied",
            succeeded: watched.decision.isGranted)
        self.number = number
        decisions = [LiveDecision(watched.decision, about: words)]
        reason = decisions[0].reason
    }
}
