package import PolicyProver

extension Story {
    /// The story in lines: what happened before, and what is done, step by step, with what let it through.
    package var lines: [String] {
        var lines = [beginning]
        for (place, step) in steps.enumerated() {
            let cause = if case .decided = step.reason { "by" } else { "since" }
            lines.append("\(place + 1). \(name(of: step)) \(words(of: step)) (\(cause) \(step.reason.words))")
        }
        if steps.isEmpty { lines.append("Nothing is left to be done.") }
        return lines
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

/// Objects and lists of JSON.
enum JSONText {
    static func object(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\(Quoting.json($0)): \($1)" }.joined(separator: ", ") + "}"
    }

    static func list(_ elements: [String]) -> String { "[" + elements.joined(separator: ", ") + "]" }

    /// One element a line.
    static func lines(_ elements: [String]) -> String {
        elements.isEmpty ? "[]" : "[\n" + elements.map { "    \($0)" }.joined(separator: ",\n") + "\n  ]"
    }

    static func story(_ story: Story) -> String {
        object([
            ("beginning", Quoting.json(story.beginning)),
            (
                "steps",
                list(
                    story.steps.map { step in
                        object([
                            ("by", Quoting.json(story.name(of: step))), ("does", Quoting.json(story.words(of: step))),
                            ("since", Quoting.json(step.reason.words)),
                        ])
                    })
            ),
        ])
    }

    static func extent(_ extent: Extent) -> String {
        object([
            ("situations", "\(extent.situations)"), ("depth", "\(extent.depth)"), ("moves", "\(extent.moves)"),
        ])
    }
}
