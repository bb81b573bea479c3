internal import AccessPolicy
internal import PlainText
internal import PolicyProver
internal import PolicyScenarios

/// Writes objects and lists of JSON whose values are already JSON.
enum JSONText {
    /// Returns an object, with its fields in this order.
    static func object(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\(Quoting.json($0)): \($1)" }.joined(separator: ", ") + "}"
    }

    /// Returns a list on one line.
    static func list(_ elements: [String]) -> String { "[" + elements.joined(separator: ", ") + "]" }

    /// Returns a list with one element per line.
    static func lines(_ elements: [String]) -> String {
        elements.isEmpty ? "[]" : "[\n" + elements.map { "    \($0)" }.joined(separator: ",\n") + "\n  ]"
    }

    static func assumptions(_ fields: [Assumed.Field]) -> String {
        object(fields.map { ($0.name, $0.isTruth ? $0.word : Quoting.json($0.word)) })
    }

    /// Returns a sequence of moves as an object.
    static func story(_ story: Attack) -> String {
        func steps(_ steps: [Attack.Step]) -> String {
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
                    if case .decidedFile(_, let rule) = step.reason {
                        fields.append(("granted", "\(rule.facts.effect == .allows)"))
                        fields.append(("rules", list([Quoting.json(rule.identifier)])))
                    }
                    return object(fields)
                })
        }
        return object([
            ("beginning", Quoting.json(story.beginning)), ("steps", steps(story.steps)),
            ("inVain", steps(story.inVain)),
        ])
    }

    /// Returns the size of a search as an object.
    static func extent(_ extent: Extent) -> String {
        object([
            ("situations", "\(extent.situations)"), ("depth", "\(extent.depth)"), ("moves", "\(extent.moves)"),
        ])
    }
}
