extension Attack {
    /// The beginning of the story and each step, with the reason why the step succeeds.
    package var told: [(words: String, reason: String)] {
        [(beginning, "")] + steps.map { (sentence(for: $0), $0.reason.words) }
            + inVain.map { (sentence(for: $0) + ", and is denied", $0.reason.words) }
    }

    /// Returns the step as a sentence that names the person.
    package func sentence(for step: Step) -> String { "\(name(of: step)) \(words(of: step))" }

    /// The story as numbered lines of text.
    package var lines: [String] {
        if steps.isEmpty && inVain.isEmpty { return [beginning, "It takes no move."] }
        return told.enumerated().map { place, line in
            place == 0 ? line.words : "\(place). \(line.words) (because \(line.reason))"
        }
    }

    /// The steps in one line.
    package var line: String {
        steps.isEmpty ? "it takes no move" : steps.map { words(of: $0) }.joined(separator: "; ")
    }
}
