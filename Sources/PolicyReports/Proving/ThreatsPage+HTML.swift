internal import AccessPolicy
internal import PlainText
internal import PolicyAnswers
internal import PolicyProver
internal import PolicyScenarios
internal import ScenarioFormat

extension ThreatsPage {
    /// The subject as a section of a review: its meaning, the legend, the table and the attacks.
    var section: String {
        var text = "<section>\n<h2>\(title)</h2>\n"
        text += ReviewPage.paragraphs([meaning.joined(separator: " "), deviceSentence])
        let owasp = owasp
        if !owasp.isEmpty {
            text += "<h3>OWASP MASVS-AUTH-2</h3>\n<ul class=\"claims\">\n"
            for test in owasp { text += "<li>\(test.passes ? "✔" : "✘") \(Quoting.xml(test.words))</li>\n" }
            text += "</ul>\n"
        }
        text += legend + grid + attackSections
        return text + "<p class=\"note\">\(Quoting.xml(searched))</p>\n</section>\n"
    }

    /// The heading. A long word of the policy can break; the name stays as it is.
    private var title: String {
        let (name, words) = headingParts
        return (name.map { "\(Quoting.xml($0)): " } ?? "") + HTMLPage.breakable(words)
    }

    /// The explanation before the table: its rows, its cells, and its assumptions.
    private var legend: String {
        let owners = counted(threats.profiles.count - attackers.count, "row")
        var text = "<h3>How to read the table</h3>\n<ul class=\"legend\">\n"
        text += "<li>The rows are \(counted(attackers.count, "attacker")), and the owner in \(owners). "
        text += "The bottom line counts the attackers alone.</li>\n"
        text += "<li><b class=\"yes\">never</b> is a proof: no sequence of moves leads there, "
        text += "and the search left none out.</li>\n"
        text += "<li><b class=\"no\">2 steps</b> is an attack, with the number of moves of the shortest one. "
        text += "\"Already gone\" takes no move.</li>\n"
        text += "<li>A cell without a color is about the owner, or its \"never\" holds only under an assumption.</li>\n"
        text += "<li>A line with \"if\" is the result if that one assumption is otherwise.</li>\n</ul>\n"
        text += "<h3>Assumptions</h3>\n<ul class=\"assumptions\">\n"
        for field in assumed.fields { text += Self.assumption(field.meaning.statement, field.words) }
        text += "</ul>\n"
        if table.variants.isEmpty { return text }
        text += "<p>The table also tries each of these alone:</p>\n<ul class=\"assumptions\">\n"
        for variant in table.variants {
            let meaning = variant.meaning
            text += Self.assumption("If \(meaning.condition): \(meaning.statement)", variant.words)
        }
        return text + "</ul>\n"
    }

    private static func assumption(_ sentence: String, _ words: String) -> String {
        "<li>\(Quoting.xml(sentence)) <code>\(Quoting.xml(words))</code></li>\n"
    }

    private var grid: String {
        var text =
            HTMLPage.tableStart("Who can do it, and in how many steps") + "<thead><tr><th scope=\"col\">person</th>"
        for aim in aims {
            text += "<th scope=\"col\">\(Quoting.xml(aim.rawValue))<small>\(Quoting.xml(aim.about))</small></th>"
        }
        text += "</tr></thead>\n"
        let groups = [
            ("The owner", threats.profiles.indices.filter { threats.profiles[$0].isOwner }),
            (counted(attackers.count, "attacker"), attackers),
        ]
        for (name, rows) in groups where !rows.isEmpty {
            text += "<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"\(aims.count + 1)\">"
            text += "<span>\(name)</span></th></tr>\n"
            text += rows.map(line).joined() + "</tbody>\n"
        }
        return text + HTMLPage.tableEnd
    }

    private func line(_ row: Int) -> String {
        let profile = threats.profiles[row]
        return "<tr><th scope=\"row\">\(Quoting.xml(profile.name))<small>\(Quoting.xml(profile.summary))</small></th>"
            + aims.map { cell(row, $0) }.joined() + "</tr>\n"
    }

    private func cell(_ row: Int, _ aim: Aim) -> String {
        let differences = table.differences(row, aim)
        let kind: String =
            switch threats.cell(row, aim) {
            // Green is for a cell that no other assumption changes.
            case .never where !threats.profiles[row].isOwner && differences.isEmpty: " class=\"yes\""
            case .steps where !threats.profiles[row].isOwner: " class=\"no\""
            case .never, .steps, .meaningless, .undecided: ""
            }
        let others = differences.map {
            "<small>\(Quoting.xml("\($0.cell.words) if \($0.variant.meaning.condition)"))</small>"
        }
        return "<td\(kind)>\(Quoting.xml(threats.cell(row, aim).words))\(others.joined())</td>"
    }

    /// The attacks. Those on the ordinary use are in full, and the reader opens the others.
    private var attackSections: String {
        var text = ""
        for aim in [mainAim] + aims.filter({ $0 != mainAim }) {
            let attacks = attacks(on: aim)
            if attacks.isEmpty { continue }
            let title = "Shortest attacks: \(aim.rawValue)"
            text +=
                aim == mainAim ? "<h3>\(title)</h3>\n" : "<details>\n<summary>\(title) (\(attacks.count))</summary>\n"
            for (heading, story) in attacks {
                let level = aim == mainAim ? "h4" : "h3"
                text += "<\(level)>\(Quoting.xml(heading))</\(level)>\n\(ReviewPage.steps(of: story))"
            }
            if aim != mainAim { text += "</details>\n" }
        }
        return text
    }
}
