internal import AccessPolicy
internal import PlainText
package import PolicyProver
internal import PolicyScenarios

extension Suggestion {
    private func name(_ place: Int) -> String { "\(Claim(claims[place]))" }

    private var assumed: Assumed { Assumed(assumptions, on: MatrixDevice(settings)) }

    private var searched: String {
        "Searched: \(counted(policies, "policy", "policies")), \(counted(situations, "situation"))."
    }

    private var counts: [String] {
        claims.indices.map { "\(name($0)): \(satisfying[$0]) of \(counted(policies, "policy", "policies")) satisfy it" }
    }

    private var refusal: String {
        if clash.count == 1 { return "No policy makes this true: \(name(clash[0]))" }
        return
            "No policy makes these true together, though \(clash.count == 2 ? "each alone" : "fewer of them") can be:\n"
            + clash.map { "  \(name($0))" }.joined(separator: "\n")
    }

    /// Returns the suggestion as text for a terminal.
    package func text(colored: Bool) -> String {
        var text = counts.map { "\($0)\n" }.joined() + "assuming \(assumed)\n\n"
        if candidates.isEmpty {
            text += isUndecided ? "Undecided: the search reached its limit.\n" : "\(refusal)\n"
        }
        for candidate in candidates {
            var line = TextTable()
            line.rows.append([.init("\(candidate.control)", .heading)])
            text += line.text(colored: colored)
            let prompts = candidate.burden.prompts(.atHand)
            text +=
                "  unlocked: \(prompts.map { "\(counted($0, "prompt")) for the owner" } ?? "the owner cannot open it")\n"
            let failures = candidate.burden.failures.map(\.words)
            text += "  the owner cannot open it: \(failures.isEmpty ? "never" : failures.joined(separator: "; "))\n"
            text += "  exists on: \(candidate.control.availability)\n"
            if !candidate.others.isEmpty {
                text += "  as easy for the owner: "
                text += candidate.others.map(candidate.words(of:)).joined(separator: "; ") + "\n"
            }
            text += "\n"
        }
        return text + "\(searched)\n"
    }

    package var markdown: String {
        var text = counts.map { "- \($0)\n" }.joined() + "- assuming `\(assumed)`\n\n"
        if candidates.isEmpty {
            text += (isUndecided ? "Undecided: the search reached its limit." : refusal) + "\n\n"
        } else {
            text += Quoting.markdownRow([
                "policy", "prompts, unlocked", "the owner cannot open it", "exists on", "as easy for the owner",
            ])
            text += Quoting.markdownRow(["---", "---", "---", "---", "---"])
            for candidate in candidates {
                text += Quoting.markdownRow([
                    "\(candidate.control)", candidate.burden.prompts(.atHand).map { "\($0)" } ?? "—",
                    candidate.burden.failures.map(\.words).joined(separator: "; "), candidate.control.availability,
                    candidate.others.map(candidate.words(of:)).joined(separator: "; "),
                ])
            }
            text += "\n"
        }
        return text + "\(searched)\n"
    }

    package var json: String {
        let claims = self.claims.indices.map {
            JSONText.object([("claim", Quoting.json(name($0))), ("policies", "\(satisfying[$0])")])
        }
        let candidates = self.candidates.map { candidate in
            JSONText.object([
                ("policy", Quoting.json("\(candidate.control)")),
                (
                    "prompts",
                    JSONText.object(
                        Circumstance.allCases.map {
                            ($0.name, candidate.burden.prompts($0).map { "\($0)" } ?? "null")
                        })
                ),
                ("existsOn", Quoting.json(candidate.control.availability)),
                ("others", JSONText.list(candidate.others.map { Quoting.json("\($0)") })),
            ])
        }
        return "{\n"
            + [
                ("claims", JSONText.lines(claims)), ("assumptions", JSONText.assumptions(assumed.fields)),
                ("candidates", JSONText.lines(candidates)),
                ("clash", JSONText.list(clash.map { Quoting.json(name($0)) })), ("undecided", "\(isUndecided)"),
                ("policies", "\(policies)"), ("situations", "\(situations)"),
            ].map { "  \(Quoting.json($0)): \($1)" }.joined(separator: ",\n") + "\n}\n"
    }
}

extension Suggestion.Candidate {
    /// Returns another policy in words, with its devices if they are not those of this one.
    fileprivate func words(of other: AccessControl) -> String {
        other.availability == control.availability ? "\(other)" : "\(other) (exists on: \(other.availability))"
    }
}
