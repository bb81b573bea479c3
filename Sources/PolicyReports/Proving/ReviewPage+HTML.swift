internal import AccessPolicy
internal import PlainText
internal import PolicyProver
internal import PolicyScenarios
internal import ScenarioFormat

extension ReviewPage {
    /// The report as one HTML page without scripts, which needs no other file and no network.
    package var html: String {
        var page = HTMLPage.beginning(title: "Review: \(title)", style: MatrixPage.style + Self.style)
        page += "<header>\n<h1>Review: \(Quoting.xml(title))</h1>\n<ul class=\"verdict\">\n"
        for finding in findings {
            // The mark says the same as the color.
            let (kind, mark) =
                switch finding.judgment {
                case .good: ("yes", "✔")
                case .bad: ("no", "✘")
                case .open: ("open", "?")
                }
            page += "<li class=\"\(kind)\">\(mark) \(Quoting.xml(finding.words))</li>\n"
        }
        page += "</ul>\n<p class=\"about\">\(Quoting.xml(about))</p>\n</header>\n<main>\n"
        page += claims
        for other in pages { page += other.section }
        page += "</main>\n<footer>\n<h2>Limits</h2>\n"
        return page + Self.paragraphs(MatrixPage.limits) + "</footer>\n</body>\n</html>\n"
    }

    private var claims: String {
        if proofs.isEmpty { return "" }
        var text = "<section>\n<h2>Claims</h2>\n<ul class=\"claims\">\n"
        for proof in proofs {
            let proposition = proof.proposition
            text += "<li><b class=\"\(proof.isAsExpected ? "yes\">✔" : proof.isUndecided ? "open\">?" : "no\">✘") "
            text += "\(proof.answer)\(proposition.expectsHold ? "" : ", expected: fails")</b> "
            text += Quoting.xml(Terminal.line(proposition.words))
            var notes = [proof.extent]
            if let assumed = proof.assumed { notes.append("assuming \(assumed)") }
            if let through = proof.askedThrough { notes.append(through) }
            if let position = proposition.position { notes.append("line \(position.line)") }
            text += "<p class=\"note\">\(Quoting.xml(notes.joined(separator: "; ")))</p>\n"
            if let remark = proof.remark { text += Self.paragraphs([remark]) }
            text += Self.steps(proof.story) + "</li>\n"
        }
        return text + "</ul>\n</section>\n"
    }

    /// Returns the beginning of a story as a paragraph, and its moves as a numbered list.
    static func steps(_ told: [(words: String, reason: String)]) -> String {
        guard let beginning = told.first else { return "" }
        var text = paragraphs([Terminal.line(beginning.words)])
        let moves = told.dropFirst()
        if moves.isEmpty { return text + paragraphs(["It takes no move."]) }
        text += "<ol class=\"steps\">\n"
        for move in moves {
            text += "<li>\(Quoting.xml(Terminal.line(move.words)))"
            text += "<small>because: \(Quoting.xml(move.reason))</small></li>\n"
        }
        return text + "</ol>\n"
    }

    static func paragraphs(_ texts: [String]) -> String {
        texts.map { "<p>\(Quoting.xml($0))</p>\n" }.joined()
    }

    // The style sheet is not escaped: it holds no character that is markup except the ">" of selectors.
    private static var style: String { String(decoding: PackageResources.review_css, as: UTF8.self) }
}

extension ThreatsPage {
    /// The subject as a section of the page.
    fileprivate var section: String {
        var text = "<section>\n<h2>\(Quoting.xml(heading))</h2>\n"
        text += ReviewPage.paragraphs([meaning.joined(separator: " "), deviceSentence])
        let owasp = owasp
        if !owasp.isEmpty {
            text += "<h3>OWASP MASVS-AUTH-2</h3>\n<ul class=\"claims\">\n"
            for test in owasp { text += "<li>\(test.passes ? "✔" : "✘") \(Quoting.xml(test.words))</li>\n" }
            text += "</ul>\n"
        }
        text += grid + "<p class=\"note\">\(Quoting.xml(table.variants.legend()))</p>\n"
        text += "<h3>Assumptions</h3>\n<dl>\n"
        for (words, about) in assumptions {
            text += "<dt>\(Quoting.xml(words))</dt><dd>\(Quoting.xml(about))</dd>\n"
        }
        text += "</dl>\n" + attackSections
        return text + "<p class=\"note\">\(Quoting.xml(searched))</p>\n</section>\n"
    }

    private var grid: String {
        var text =
            "<div class=\"scroll\">\n<table>\n<caption>Who can do it, and in how many steps</caption>\n<thead><tr>"
        text += (["profile"] + aims.map(\.rawValue)).map { "<th scope=\"col\">\(Quoting.xml($0))</th>" }.joined()
        text += "</tr></thead>\n<tbody>\n"
        for (row, profile) in threats.profiles.enumerated() {
            text +=
                "<tr><th scope=\"row\">\(Quoting.xml(profile.name))<small>\(Quoting.xml(profile.summary))</small></th>"
            for aim in aims {
                let kind: String =
                    switch threats.cell(row, aim) {
                    // Green is for a cell that no other assumption changes.
                    case .never where !profile.isOwner && table.differences(row, aim).isEmpty: " class=\"yes\""
                    case .steps where !profile.isOwner: " class=\"no\""
                    case .never, .steps, .meaningless, .undecided: ""
                    }
                text += "<td\(kind)>\(Quoting.xml(words(row, aim)))</td>"
            }
            text += "</tr>\n"
        }
        return text + "</tbody>\n</table>\n</div>\n"
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
                text += "<\(level)>\(Quoting.xml(heading))</\(level)>\n\(ReviewPage.steps(story.told))"
            }
            if aim != mainAim { text += "</details>\n" }
        }
        return text
    }
}
