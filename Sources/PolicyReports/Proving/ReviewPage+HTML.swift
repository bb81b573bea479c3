internal import AccessPolicy
internal import PlainText
internal import PolicyProver
internal import PolicyScenarios
internal import ScenarioFormat

extension ReviewPage {
    /// The report as one HTML page without scripts, which needs no other file and no network.
    package var html: String {
        var page = HTMLPage.beginning(title: cover.title, style: MatrixPage.style + Self.style)
        page += "<header>\n<h1>\(Quoting.xml(cover.title))</h1>\n<ul class=\"verdict\">\n"
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
        page += "</ul>\n<dl class=\"facts\">\n"
        for (name, words) in facts { page += "<dt>\(Quoting.xml(name))</dt><dd>\(Quoting.xml(words))</dd>\n" }
        page += "</dl>\n</header>\n<main>\n"
        page += claims
        for other in pages { page += other.section }
        page += "</main>\n<footer>\n<h2>Limits</h2>\n"
        return page + Self.paragraphs(MatrixPage.limits) + "</footer>\n</body>\n</html>\n"
    }

    private var claims: String {
        if proofs.isEmpty { return "" }
        let shared = sharedAssumptions
        var text = "<section>\n<h2>Claims</h2>\n"
        if let shared { text += Self.assumptions(shared, of: "Assumed for every claim:") }
        text += "<ul class=\"claims\">\n"
        for proof in proofs {
            let proposition = proof.proposition
            text += "<li><b class=\"\(proof.isAsExpected ? "yes\">✔" : proof.isUndecided ? "open\">?" : "no\">✘") "
            text += "\(proof.answer)\(proposition.expectsHold ? "" : ", expected: fails")</b> "
            text += Quoting.xml(Terminal.line(proposition.words))
            var notes = [proof.extent]
            if let through = proof.askedThrough { notes.append(through) }
            if let position = proposition.position { notes.append("line \(position.line)") }
            text += "<p class=\"note\">\(Quoting.xml(notes.joined(separator: "; ")))</p>\n"
            if shared == nil { text += Self.assumptions(proof.assumptions, of: "Assumed:") }
            if let remark = proof.remark { text += Self.paragraphs([remark]) }
            if let story = proof.verdict.story { text += Self.steps(of: story) }
            text += "</li>\n"
        }
        return text + "</ul>\n</section>\n"
    }

    /// Returns assumptions as sentences, each with its words in files. Returns nothing if there are none.
    static func assumptions(_ assumptions: [Assumed.Field], of heading: String) -> String {
        if assumptions.isEmpty { return "" }
        let sentences = assumptions.map {
            "\(Quoting.xml($0.meaning.statement)) <code>\(Quoting.xml($0.words))</code>"
        }
        return "<p class=\"note\">\(heading) \(sentences.joined(separator: " "))</p>\n"
    }

    /// Returns the beginning of a story as a paragraph, and its moves as a numbered list. Each move has its reason in words, and
    /// then the identifiers of the rules.
    static func steps(of story: Attack) -> String {
        var text = paragraphs([Terminal.line(story.beginning)])
        let moves = story.explained
        if moves.isEmpty { return text + paragraphs(["It takes no move."]) }
        text += "<ol class=\"steps\">\n"
        for move in moves {
            let rules =
                move.rules.isEmpty ? "" : " <code>\(Quoting.xml(move.rules.joined(separator: ", ")))</code>"
            text += "<li>\(Quoting.xml(Terminal.line(move.words)))"
            text += "<small>because \(Quoting.xml(move.reason))\(rules)</small></li>\n"
        }
        return text + "</ol>\n"
    }

    static func paragraphs(_ texts: [String]) -> String {
        texts.map { "<p>\(Quoting.xml($0))</p>\n" }.joined()
    }

    // The style sheet is not escaped: it holds no character that is markup except the ">" of selectors.
    private static var style: String { String(decoding: PackageResources.review_css, as: UTF8.self) }
}
