internal import AccessPolicy
internal import PlainText
internal import PolicyScenarios

extension MatrixPage {
    /// Returns the names of several pages for a title.
    private static func names(of pages: [MatrixPage]) -> String {
        pages.map { $0.name.isEmpty ? $0.heading : Terminal.line($0.name) }.joined(separator: "; ")
    }

    /// Returns the tables as one HTML page without scripts, which needs no other file and no network.
    package static func html(_ pages: [MatrixPage]) -> String {
        let title = pages.count == 1 ? "Who can do what: \(pages[0].heading)" : "Who can do what: \(names(of: pages))"
        var page = """
            \(HTMLPage.beginning(title: title, style: style))<header>
            <h1>Who can do what</h1>
            \(paragraphs(reading))</header>

            """
        if pages.count > 1 {
            page += "<nav aria-label=\"Policies\">\n<ul>\n"
            for (index, other) in pages.enumerated() {
                page += "<li><a href=\"#policy-\(index + 1)\">\(Quoting.xml(other.heading))</a></li>\n"
            }
            page += "</ul>\n</nav>\n"
        }
        page += "<main>\n"
        for (index, other) in pages.enumerated() { page += other.section(index + 1) }
        page += "</main>\n<footer>\n<h2>Limits</h2>\n\(paragraphs(limits + [sources]))</footer>\n</body>\n</html>\n"
        return page
    }

    private static let sources =
        "\"Source\" names a section of docs/apple-semantics.md and the kind of evidence: TEST for Apple's own tests, CODE for "
        + "Apple's source, HDR for a public header, DOC for Apple's documentation, FIELD for reports of developers, INF for "
        + "an inference. \"model\" marks a choice of Latchkey where Apple documents nothing."

    private static func paragraphs(_ texts: [String]) -> String {
        texts.map { "<p>\(Quoting.xml($0))</p>\n" }.joined()
    }

    private func section(_ place: Int) -> String {
        let sensor = matrix.device.sensor
        var text = "<section id=\"policy-\(place)\">\n<h2>\(Quoting.xml(heading))</h2>\n"
        text += Self.paragraphs([sentences.joined(separator: " "), deviceSentence])
        text += "<dl>\n"
        for person in MatrixPerson.allCases {
            text += "<dt>\(Quoting.xml(person.name(on: sensor)))</dt>"
            text += "<dd>\(Quoting.xml(person.phrase(on: sensor)))</dd>\n"
        }
        text += "</dl>\n"
        for use in uses { text += table(use, place) }
        if let account { text += table(of: account, place) }
        return text + (rules.isEmpty ? "" : legend(place)) + "</section>\n"
    }

    private func table(_ use: MatrixUse, _ place: Int) -> String {
        let sensor = matrix.device.sensor
        var text = HTMLPage.tableStart(use.title)
        text += Self.head(["condition"] + MatrixPerson.allCases.map { $0.name(on: sensor) })
        for topic in MatrixCondition.Topic.allCases {
            let conditions = matrix.conditions.filter { $0.topic == topic }
            if conditions.isEmpty { continue }
            text += "<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"\(MatrixPerson.allCases.count + 1)\">"
            text += "\(Quoting.xml(topic.rawValue))</th></tr>\n"
            for condition in conditions {
                text += "<tr><th scope=\"row\">\(Quoting.xml(condition.title(on: sensor)))</th>"
                for person in MatrixPerson.allCases {
                    if let cell = matrix.cell(use, by: person, in: condition) {
                        text += self.cell(AccountMatrix.Cell(cell), place)
                    }
                }
                text += "</tr>\n"
            }
            text += "</tbody>\n"
        }
        return text + HTMLPage.tableEnd
    }

    private func table(of account: AccountMatrix, _ place: Int) -> String {
        var text = Self.paragraphs([Self.accountReading] + account.deviceSentences) + HTMLPage.tableStart(account.title)
        text += Self.head(["condition"] + MatrixPerson.allCases.map { account.name(of: $0) })
        for device in account.devices.indices {
            text += "<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"\(MatrixPerson.allCases.count + 1)\">"
            text += "\(Quoting.xml(Terminal.line(account.devices[device].name)))</th></tr>\n"
            for row in account.rows where row.device == device {
                text += "<tr><th scope=\"row\">\(Quoting.xml(account.condition(of: row)))</th>"
                for person in MatrixPerson.allCases { text += cell(row.cell(by: person), place) }
                text += "</tr>\n"
            }
            text += "</tbody>\n"
        }
        return text + HTMLPage.tableEnd
    }

    private func cell(_ cell: AccountMatrix.Cell, _ place: Int) -> String {
        guard let rule = cell.rule else { return "<td class=\"yes\">\(Quoting.xml(text(of: cell)))</td>" }
        let title = Quoting.xml(rule.summary)
        return
            "<td class=\"no\">no <a href=\"#\(Self.anchor(rule, place))\" title=\"\(title)\">[\(number(of: rule))]</a></td>"
    }

    private func legend(_ place: Int) -> String {
        var text = HTMLPage.tableStart("Rules that deny access")
        text += Self.head(["number", "rule", "meaning", "remedy", "source"]) + "<tbody>\n"
        for rule in rules {
            let facts = rule.facts
            text += "<tr id=\"\(Self.anchor(rule, place))\"><td>[\(number(of: rule))]</td>"
            text += "<th scope=\"row\"><code>\(Quoting.xml(facts.identifier))</code></th>"
            for word in [facts.summary, facts.remedy.text, facts.source] { text += "<td>\(Quoting.xml(word))</td>" }
            text += "</tr>\n"
        }
        return text + "</tbody>\n" + HTMLPage.tableEnd
    }

    private static func anchor(_ rule: AnyRule, _ place: Int) -> String { "rule-\(place)-\(rule.identifier)" }

    private static func head(_ names: [String]) -> String {
        "<thead><tr>" + names.map { "<th scope=\"col\">\(Quoting.xml($0))</th>" }.joined() + "</tr></thead>\n"
    }

    // The style sheet is not escaped: it holds no character that is markup.
    static var style: String { String(decoding: PackageResources.matrix_css, as: UTF8.self) }
}
