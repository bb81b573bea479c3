internal import AccessPolicy
internal import PlainText
package import PolicyScenarios
internal import ScenarioFormat
internal import SecretVault

/// Writes one HTML page without scripts: each scenario step by step, with the state of the device after every step.
package struct HTMLReport: Report {
    private var sections: [(title: String, hasPassed: Bool, text: String)] = []

    package init() {}

    package mutating func begin(_ count: Int) -> String { "" }

    /// Plays the scenario once more, and records its steps for the end of the report.
    package mutating func add(_ result: ScenarioResult) -> String {
        let scenario = result.scenario
        var rows: [String] = []
        _ = scenario.run(tellingDevice: true) { number, step, outcome in
            let isFailure = result.failure.map { $0.number == number } ?? false
            rows.append(Self.row(number, step, outcome, isFailure: isFailure))
        }
        let position = scenario.position
        var text = "<p class=\"place\">\(Quoting.xml(position.shownLine))</p>\n"
        if !result.passed {
            text += "<dl>\n"
            for (heading, line) in result.complaint {
                text += "<dt>\(Quoting.xml(heading))</dt><dd>\(Quoting.xml(Terminal.line(line)))</dd>\n"
            }
            text += "</dl>\n"
        }
        if !rows.isEmpty {
            text += HTMLPage.tableStart("Steps") + "<thead><tr>"
            for heading in ["step", "what happens", "outcome", "rules", "the device afterwards"] {
                text += "<th scope=\"col\">\(heading)</th>"
            }
            text += "</tr></thead>\n<tbody>\n\(rows.joined())</tbody>\n" + HTMLPage.tableEnd
        }
        sections.append((scenario.name, result.passed, text))
        return ""
    }

    private static func row(_ number: Int, _ step: Step, _ outcome: StepOutcome, isFailure: Bool) -> String {
        var rules: [(identifier: String, summary: String)] = []
        for facts in outcome.decisions.flatMap({ $0.trace.map(\.facts) })
            + (outcome.fileDecision.map { [$0.rule.facts] } ?? [])
        where !rules.contains(where: { $0.identifier == facts.identifier }) {
            rules.append((facts.identifier, facts.summary))
        }
        var outcomes = [outcome.inWords]
        if !outcome.prompts.isEmpty { outcomes.append("asked for \(outcome.prompts.inWords)") }
        if let flip = outcome.flip { outcomes.append("what would change it: \(flip)") }
        var words = [step.words]
        for (step, outcome) in outcome.meanwhile { words.append("meanwhile: \(step.words), \(outcome.inWords)") }
        let cells = [
            lines(words), lines(outcomes),
            rules.map { "<abbr title=\"\(Quoting.xml($0.summary))\">\(Quoting.xml($0.identifier))</abbr>" }
                .joined(separator: "<br/>"),
            outcome.device.map { lines($0.facts) } ?? "",
        ]
        // The mark says the same as the color.
        let mark = isFailure ? "✘ " : ""
        return "<tr\(isFailure ? " class=\"no\"" : "")><th scope=\"row\">\(mark)\(number)</th>"
            + cells.map { "<td>\($0)</td>" }.joined() + "</tr>\n"
    }

    /// Returns each text on a line of its own, without changes of the writing direction.
    private static func lines(_ texts: [String]) -> String {
        texts.map { Quoting.xml(Terminal.line($0)) }.joined(separator: "<br/>")
    }

    /// Returns the whole page, the bottom line first.
    package mutating func end(_ summary: Summary, mutation: MutationReport?) -> String {
        var parts = ["\(summary.passed) passed", "\(summary.failed) failed"]
        if summary.notRun > 0 { parts.append("\(summary.notRun) not run") }
        let bottomLine = "\(parts.joined(separator: ", ")); \(counted(summary.steps, "step"))"
        var page = HTMLPage.beginning(title: "Scenarios: \(bottomLine)", style: MatrixPage.style + Self.style)
        page += "<header>\n<h1>Scenarios</h1>\n<p class=\"verdict\">\(Quoting.xml(bottomLine))</p>\n</header>\n<main>\n"
        // Failures are what a reader looks for.
        for section in sections.filter({ !$0.hasPassed }) + sections.filter(\.hasPassed) {
            page += "<details\(section.hasPassed ? "" : " open=\"open\"")>\n<summary><span class=\""
            page += section.hasPassed ? "yes\">✔ passed" : "no\">✘ failed"
            page += "</span> \(Quoting.xml(Terminal.line(section.title)))</summary>\n\(section.text)</details>\n"
        }
        return page + "</main>\n</body>\n</html>\n"
    }

    private static let style = """
        .verdict { font-size: 1.2rem; font-weight: 600; }
        .place { color: inherit; opacity: 0.8; font-size: 0.9rem; }
        details { border-top: 1px solid var(--line); padding: 0.4rem 0; }
        summary { cursor: pointer; overflow-wrap: anywhere; }
        span.yes, span.no { padding: 0 0.4rem; border-radius: 0.3rem; }
        span.yes { background: var(--yes); color: var(--yes-ink); }
        span.no, tr.no > th { background: var(--no); color: var(--no-ink); }
        td, dd, .place { overflow-wrap: anywhere; }
        details table { min-width: 46rem; }
        @media screen and (max-width: 49rem) { .sideways { display: block; } }

        """
}
