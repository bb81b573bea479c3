internal import AccessPolicy
internal import PlainText
internal import PolicyProver
internal import PolicyScenarios

extension ReviewPage {
    /// Returns the report as text for a terminal. A table has borders if it then fits into lines of `width`; nil stands for none.
    package func text(colored: Bool, borderedWithin width: Int? = nil) -> String {
        func tinted(_ text: String, _ tone: TextTable.Tone) -> String { tone.text(text, colored: colored) }
        var text = "\(tinted(cover.title, .heading))\n\n"
        for finding in findings {
            let (mark, tone): (String, TextTable.Tone) =
                switch finding.judgment {
                case .good: ("✔", .good)
                case .bad: ("✘", .bad)
                case .open: ("?", .faint)
                }
            text += "\(tinted("\(mark) \(finding.words)", tone))\n"
        }
        text += "\n" + facts.map { "\($0.name): \($0.words)\n" }.joined()
        if !proofs.isEmpty {
            text += "\n\(tinted("Claims", .heading))\n\n"
            var report = HumanProofReport(colored: colored)
            for proof in proofs { text += report.add(proof) }
            text += report.end()
        }
        for page in pages {
            text += "\n\(tinted(page.heading, .heading))\n\n"
            text += (page.meaning + [page.deviceSentence]).map { "\($0)\n" }.joined()
            for test in page.owasp { text += "OWASP MASVS-AUTH-2: \(test.words)\n" }
            text += "\n\(page.body(colored: colored, borderedWithin: width))"
            for aim in page.aims {
                for (heading, story) in page.attacks(on: aim) {
                    text += "\n\(heading):\n" + Self.lines(of: story).map { "  \($0)\n" }.joined()
                }
            }
        }
        return text + "\n" + MatrixPage.limits.map { "\($0)\n" }.joined()
    }

    /// Returns the story as numbered lines, with the meaning of the rules and their identifiers in brackets.
    private static func lines(of story: Attack) -> [String] {
        let moves = story.explained.enumerated().map { place, step in
            let rules = step.rules.isEmpty ? "" : " [\(step.rules.joined(separator: ", "))]"
            return "\(place + 1). \(step.words) (because \(step.reason)\(rules))"
        }
        return [story.beginning] + (moves.isEmpty ? ["It takes no move."] : moves)
    }
}
