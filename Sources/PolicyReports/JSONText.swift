internal import AccessPolicy
internal import PlainText
internal import PolicyProver
internal import PolicyScenarios

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

    static func assumptions(_ fields: [Assumed.Field]) -> String {
        object(fields.map { ($0.name, $0.isTruth ? $0.word : Quoting.json($0.word)) })
    }

    static func story(_ story: Story) -> String {
        func steps(_ steps: [Story.Step]) -> String {
            list(
                steps.map { step in
                    var fields = [
                        ("who", Quoting.json(story.name(of: step))), ("does", Quoting.json(story.words(of: step))),
                        ("because", Quoting.json(step.reason.words)),
                    ]
                    if case .decided(let isGranted, let rules) = step.reason {
                        fields.append(("granted", "\(isGranted)"))
                        fields.append(("rules", list(rules.map { Quoting.json($0.identifier) })))
                    }
                    return object(fields)
                })
        }
        return object([
            ("beginning", Quoting.json(story.beginning)), ("steps", steps(story.steps)),
            ("inVain", steps(story.inVain)),
        ])
    }

    static func extent(_ extent: Extent) -> String {
        object([
            ("situations", "\(extent.situations)"), ("depth", "\(extent.depth)"), ("moves", "\(extent.moves)"),
        ])
    }
}
