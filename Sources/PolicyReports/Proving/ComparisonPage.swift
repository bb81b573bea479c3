internal import AccessPolicy
package import DeviceModel
internal import PlainText
package import PolicyProver
package import PolicyScenarios

/// The comparison of two policies, for each person.
package struct ComparisonPage: Sendable {
    /// The two policies with their names.
    package let policies: [(name: String, policy: MatrixPolicy)]
    /// The comparison for each profile.
    package let comparisons: [Comparison]
    private let assumed: Assumed

    /// Compares two policies on `device`, for each of `profiles`.
    ///
    /// - Throws: A `StoringError` if one of the policies cannot be stored on the device.
    package init(
        _ first: (name: String, policy: MatrixPolicy), _ second: (name: String, policy: MatrixPolicy),
        on device: MatrixDevice, for profiles: [Profile] = Profile.all, assuming stated: Assumptions.Stated = .init()
    ) throws(StoringError) {
        policies = [first, second]
        assumed = Assumed(Assumptions(stated), on: device)
        let scene = try Scene(first.policy, second.policy, on: device)
        comparisons = Suite.concurrently(profiles.count) { Comparison(scene, for: profiles[$0], assuming: stated) }
    }

    /// The relation of the first policy to the second for all profiles together; nil if a search reached its limit.
    package var relation: Comparison.Relation? {
        let relations = Set(comparisons.map(\.relation))
        if relations.contains(.incomparable) || relations.isSuperset(of: [.stronger, .weaker]) { return .incomparable }
        if relations.contains(nil) { return nil }
        return relations.contains(.stronger) ? .stronger : relations.contains(.weaker) ? .weaker : .equal
    }

    private func name(_ side: Comparison.Side) -> String {
        let (name, policy) = policies[side.rawValue]
        let demand = "\(policy.control)"
        return name == demand || name.isEmpty ? demand : "\(Terminal.line(name)) (\(demand))"
    }

    private static func word(_ relation: Comparison.Relation?) -> String { relation?.rawValue ?? "undecided" }

    private static func words(_ difference: Comparison.Difference) -> String {
        let count = counted(difference.situations, "situation")
        return difference.aim == .destroy ? "lost in \(count)" : "\(difference.aim.rawValue) in \(count)"
    }

    /// Returns the comparison as text for a terminal.
    package func table(colored: Bool) -> String {
        var text = "first:  \(name(.first))\nsecond: \(name(.second))\n\n"
        text += "The first is \(sentence).\nassuming \(assumed)\n\n"
        var table = TextTable()
        table.rows.append(["profile", "the first is", "only the first", "only the second"].map { .init($0, .heading) })
        for comparison in comparisons {
            let sides = Comparison.Side.allCases.map { side in
                (comparison.differences + comparison.losses).filter { $0.side == side }.map(Self.words)
                    .joined(separator: ", ")
            }
            table.rows.append(
                [.init(comparison.profile.name), .init(Self.word(comparison.relation))] + sides.map { .init($0) })
        }
        text += table.text(colored: colored)
        for comparison in comparisons {
            for difference in comparison.differences + comparison.losses {
                let what = difference.aim == .destroy ? "is lost" : "grants \(difference.aim.rawValue)"
                text += "\n\(comparison.profile.name): only the \(difference.side) \(what)\n"
                text += difference.story.lines.map { "  \($0)\n" }.joined()
            }
        }
        return text
    }

    private var sentence: String {
        switch relation {
        case .equal: "equal to the second: in every reachable situation, either both open or neither does"
        case .stronger: "stronger than the second: it never opens where the second stays closed"
        case .weaker: "weaker than the second: it opens wherever the second does, and elsewhere too"
        case .incomparable: "neither stronger nor weaker than the second: each opens where the other does not"
        case nil: "not fully compared: the search reached its limit"
        }
    }

    package var markdown: String {
        var text = "## \(name(.first)) and \(name(.second))\n\nThe first is \(sentence).\n\n"
        text += "Assuming `\(assumed)`.\n\n"
        text += Quoting.markdownRow(["profile", "the first is", "only the first", "only the second"])
        text += Quoting.markdownRow(["---", "---", "---", "---"])
        for comparison in comparisons {
            let sides = Comparison.Side.allCases.map { side in
                (comparison.differences + comparison.losses).filter { $0.side == side }
                    .map { "\(Self.words($0)): \($0.story.line)" }.joined(separator: "<br>")
            }
            text += Quoting.markdownRow(["`\(comparison.profile.name)`", Self.word(comparison.relation)] + sides)
        }
        return text
    }

    package var json: String {
        let people = comparisons.map { comparison in
            func list(_ differences: [Comparison.Difference]) -> String {
                JSONText.list(
                    differences.map {
                        JSONText.object([
                            ("only", Quoting.json($0.side.name)), ("aim", Quoting.json($0.aim.rawValue)),
                            ("situations", "\($0.situations)"), ("story", JSONText.story($0.story)),
                        ])
                    })
            }
            return JSONText.object([
                ("profile", Quoting.json(comparison.profile.name)),
                ("relation", comparison.relation.map { Quoting.json($0.rawValue) } ?? "null"),
                ("differences", list(comparison.differences)), ("losses", list(comparison.losses)),
                ("search", JSONText.extent(comparison.extent)),
            ])
        }
        return "{\n"
            + [
                ("first", Quoting.json("\(policies[0].policy.control)")),
                ("second", Quoting.json("\(policies[1].policy.control)")),
                ("relation", relation.map { Quoting.json($0.rawValue) } ?? "null"),
                ("assumptions", JSONText.assumptions(assumed.fields)), ("profiles", JSONText.lines(people)),
            ].map { "  \(Quoting.json($0)): \($1)" }.joined(separator: ",\n") + "\n}\n"
    }
}
