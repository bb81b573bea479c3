internal import AccessPolicy
internal import PlainText
internal import PolicyScenarios

extension MatrixPage {
    package static func markdown(_ pages: [MatrixPage]) -> String {
        var text = "# Who can do what\n\n"
        for sentences in [reading, limits] { text += sentences.joined(separator: " ") + "\n\n" }
        return text + pages.map(\.markdown).joined(separator: "\n")
    }

    private var markdown: String {
        let sensor = matrix.device.sensor
        var text = "## \(Quoting.markdown(heading))\n\n"
        text += (sentences + [Quoting.markdown(deviceSentence)]).joined(separator: " ") + "\n\n"
        for person in MatrixPerson.allCases {
            text += "- **\(person.name(on: sensor))**: \(person.phrase(on: sensor))\n"
        }
        for use in uses {
            text += "\n### \(use.title)\n\n"
            text += Quoting.markdownRow(["condition"] + MatrixPerson.allCases.map { $0.name(on: sensor) })
            text += Quoting.markdownRow(["---"] + MatrixPerson.allCases.map { _ in "---" })
            for condition in matrix.conditions {
                text += Quoting.markdownRow(
                    [condition.title(on: sensor)]
                        + MatrixPerson.allCases.compactMap { matrix.cell(use, by: $0, in: condition) }.map {
                            self.text(of: $0)
                        })
            }
        }
        if let account { text += markdown(of: account) }
        if rules.isEmpty { return text }
        text += "\n### Rules that deny access\n\n"
        text += Quoting.markdownRow(["number", "rule", "meaning", "remedy", "source"])
        text += Quoting.markdownRow(["---", "---", "---", "---", "---"])
        for rule in rules {
            let facts = rule.facts
            text += Quoting.markdownRow([
                "[\(number(of: rule))]", "`\(facts.identifier)`", facts.summary, facts.remedy.text, facts.source,
            ])
        }
        return text
    }
    private func markdown(of account: AccountMatrix) -> String {
        var text = "\n### \(account.title)\n\n\(Self.accountReading)\n\n"
        for sentence in account.deviceSentences { text += "- \(Quoting.markdown(sentence))\n" }
        text +=
            "\n" + Quoting.markdownRow(["device", "condition"] + MatrixPerson.allCases.map { account.name(of: $0) })
        text += Quoting.markdownRow(["---", "---"] + MatrixPerson.allCases.map { _ in "---" })
        for row in account.rows {
            text += Quoting.markdownRow(
                [account.name(of: row), account.condition(of: row)]
                    + MatrixPerson.allCases.map { self.text(of: row.cell(by: $0)) })
        }
        return text
    }
}
