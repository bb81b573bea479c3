internal import AccessPolicy
internal import PlainText
internal import PolicyScenarios

extension MatrixPage {
    /// Returns the tables as text for a terminal.
    package static func table(_ pages: [MatrixPage], colored: Bool) -> String {
        pages.map { $0.table(colored: colored) }.joined(separator: "\n")
    }

    private func table(colored: Bool) -> String {
        let sensor = matrix.device.sensor
        var text = "\(heading)\n"
        for sentence in sentences + [deviceSentence] { text += "  \(sentence)\n" }
        for use in uses {
            var table = TextTable()
            let people = MatrixPerson.allCases.map { TextTable.Cell($0.name(on: sensor), .heading) }
            table.rows.append([.init(use.title, .heading)] + people)
            for condition in matrix.conditions {
                table.rows.append(
                    [.init(condition.title(on: sensor))]
                        + MatrixPerson.allCases.compactMap { matrix.cell(use, by: $0, in: condition) }.map {
                            .init(self.text(of: $0), $0.isGranted ? .good : .bad)
                        })
            }
            text += "\n" + table.text(colored: colored)
        }
        if let account { text += self.table(of: account, colored: colored) }
        var people = TextTable()
        for person in MatrixPerson.allCases {
            people.rows.append([.init(person.name(on: sensor)), .init(person.phrase(on: sensor), .faint)])
        }
        text += "\n" + people.text(colored: colored)
        if rules.isEmpty { return text }
        var legend = TextTable()
        for rule in rules {
            legend.rows.append([
                .init("[\(number(of: rule))]"), .init(rule.identifier), .init(rule.summary, .faint),
            ])
        }
        return text + "\n" + legend.text(colored: colored)
    }
    private func table(of account: AccountMatrix, colored: Bool) -> String {
        var text = "\n"
        for sentence in [Self.accountReading] + account.deviceSentences { text += "  \(sentence)\n" }
        var table = TextTable()
        let people = MatrixPerson.allCases.map { TextTable.Cell(account.name(of: $0), .heading) }
        table.rows.append([.init(account.title, .heading)] + people)
        for row in account.rows {
            let cells = MatrixPerson.allCases.map { row.cell(by: $0) }
            table.rows.append(
                [.init("\(account.name(of: row)): \(account.condition(of: row))")]
                    + cells.map { .init(self.text(of: $0), $0.isGranted ? .good : .bad) })
        }
        return text + "\n" + table.text(colored: colored)
    }
}
