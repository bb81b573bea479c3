internal import PlainText
package import PolicyProver

extension Story {
    /// A line for what happened before and one for each step, with what let it through.
    package var told: [(words: String, reason: String)] {
        [(beginning, "")] + steps.map { (sentence(for: $0), $0.reason.words) }
            + inVain.map { (sentence(for: $0) + ", in vain", $0.reason.words) }
    }

    /// Who does what.
    package func sentence(for step: Step) -> String { "\(name(of: step)) \(words(of: step))" }

    /// The same as text.
    package var lines: [String] {
        if steps.isEmpty && inVain.isEmpty { return [beginning, "Nothing is left to be done."] }
        return told.enumerated().map { place, line in
            place == 0 ? line.words : "\(place). \(line.words) (because \(line.reason))"
        }
    }

    /// What is done, in one line.
    package var line: String {
        steps.isEmpty ? "nothing is left to be done" : steps.map { words(of: $0) }.joined(separator: "; ")
    }
}

extension Extent {
    /// How large the search was, in a few words.
    package var words: String { "\(counted(situations, "situation")), \(counted(moves, "move"))" }
}
