internal import AccessPolicy
internal import DeviceModel
internal import PolicyProver

extension Proposition {
    /// The claim in the words that options and files use, with its item.
    package var words: String {
        test.map { "\($0.identifier), \($0.about), of \(itemName)" } ?? "\(claim), of \(itemName)"
    }
}

extension Proof {
    /// What came of it, in a word.
    var answer: String {
        switch verdict.answer {
        case .holds: "holds"
        case .fails: "fails"
        case .undecided: "undecided"
        }
    }

    /// How far it was looked.
    var extent: String {
        if let observation { return observation }
        let found = "\(counted(verdict.extent.situations, "situation"))"
        return isUndecided
            ? "undecided after \(found): allow more with --most-situations"
            : "\(found), the farthest \(counted(verdict.extent.depth, "step")) away"
    }

    /// What it means in one sentence.
    var summary: String {
        switch verdict.answer {
        case .holds: "it holds: \(extent)"
        case .fails where verdict.story == nil && observation == nil: "it fails, as nothing leads there: \(extent)"
        case .fails: "it fails: \(extent)"
        case .undecided: extent
        }
    }

    /// The story, a line for what happened before and one for each step, with what let it through.
    package var story: [(words: String, reason: String)] {
        guard let story = verdict.story else { return [] }
        var lines = [(words: story.beginning, reason: "")]
        for step in story.steps { lines.append((story.sentence(for: step), step.reason.words)) }
        for step in story.inVain { lines.append((story.sentence(for: step) + ", in vain", step.reason.words)) }
        return lines
    }
}

extension Story {
    /// Who does what.
    func sentence(for step: Step) -> String { "\(name(of: step)) \(words(of: step))" }
}
