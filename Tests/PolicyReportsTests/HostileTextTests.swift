import Foundation
import PlainText
import PolicyProver
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import Testing

/// Tests that no text of a file changes the structure of a report: each report on a file with hostile names has the markup of the
/// report on the same file with plain ones.
@Suite struct HostileTextTests {
    /// A text with the markup of every format, and with characters that steer a terminal or reverse the direction of reading.
    static let hostile =
        "<img src=x onerror=alert(1)> </td></script> &amp; &#60; \"two\" 'one' `code` *bold* _it_ ~no~ [a](b) ]]> --> "
        + "\\ | \\| # SKIP ::error::x, y:z 100%0A %\u{200D}0A #\u{301} ,\u{301} \u{202E}rtl\u{200F} \u{1B}[31m "
        + "\u{85}\u{2028}\u{FEFF}\u{E0001} e\u{301} 日本"
    static let plain = "plain"

    /// Returns a file that has `name` wherever a file can have a text of its own.
    private static func file(_ name: String) throws -> ScenarioFile {
        let text = Quoting.quotedYAML(name)
        let file = ScenarioFile(
            bytes: Array(
                """
                name: \(text)
                about: \(text)
                apps:
                  \(text): { groups: [\(text)] }
                people:
                  \(text): { passcode: \(text) }
                items:
                  \(text): { require: userPresence, account: \(text), secret: \(text) }
                files:
                  \(text): complete
                attackers:
                  clerk: { like: passcode-thief, about: \(text) }
                steps:
                  - open: \(text)
                  - read: \(text)
                    by: \(text)
                    app: \(text)
                    context: \(text)
                    expect:
                      secret: \(text)
                claims:
                  - { never: read, item: \(text), against: clerk }
                  - { never: read-file, file: \(text), against: snatcher }
                  - { eventually-can: read, item: \(text) }
                """.utf8), of: "\(name).yaml")
        try #require(file.mistakes.map(\.description) == [])
        return file
    }

    private static func results(_ text: String) throws -> [ScenarioResult] {
        let results = try file(text).scenarios.map { $0.run() }
        #expect(results.allSatisfy { $0.failure != nil }, "a failure has the most to say")
        return results
    }

    private static func proofs(of file: ScenarioFile) async throws -> [Proof] {
        let (propositions, mistakes) = Proposition.all(of: file.scenarios)
        try #require(mistakes.map(\.description) == [])
        var proofs: [Proof] = []
        for proposition in propositions { proofs.append(await proposition.prove()) }
        return proofs
    }

    // MARK: - Structures

    /// A kind of text, by what its structure is.
    private enum Kind { case page, xml, json, markdown, records, lines }

    private static func structure(_ kind: Kind, _ text: String) throws -> [String] {
        switch kind {
        case .page, .xml: try Markup(text).tags
        case .json: shape(of: try JSONSerialization.jsonObject(with: Data(text.utf8)))
        case .markdown: skeleton(text)
        case .records: try MatrixPageTests.records(text).map { "\($0.count)" }
        case .lines: ["\(text.split(separator: "\n", omittingEmptySubsequences: false).count)"]
        }
    }

    /// Returns the names and kinds of everything in a JSON value.
    private static func shape(of value: Any) -> [String] {
        if let object = value as? [String: Any] {
            return object.keys.sorted().flatMap { key in [key] + (object[key].map { shape(of: $0) } ?? []) }
        }
        if let list = value as? [Any] { return ["list of \(list.count)"] + list.flatMap { shape(of: $0) } }
        return [value is String ? "text" : "\(value)"]
    }

    /// Returns the markup of each line of Markdown, without what a backslash takes its meaning from.
    private static func skeleton(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let isRow = line.first == "|"
            var markup = ""
            var rest = line
            while let scalar = rest.popFirst() {
                if scalar == "\\" {
                    _ = rest.popFirst()
                } else if "`*_~#&<>[]".unicodeScalars.contains(scalar) || isRow && scalar == "|" {
                    markup.unicodeScalars.append(scalar)
                }
            }
            return markup
        }
    }

    /// Expects that a text on the hostile file has the structure of the text on the plain file, and reads well.
    private static func compare(_ kind: Kind, _ plain: String, _ hostile: String, _ name: String) throws {
        #expect(try structure(kind, plain) == structure(kind, hostile), "\(name):\n\(hostile)")
        let bad = hostile.unicodeScalars.filter { !$0.isPrintable && !["\n", "\r"].contains($0) }
        #expect(bad.isEmpty, "\(name) has \(bad.map { String($0.value, radix: 16) })")
        guard case .page = kind else { return }
        let page = try Markup(hostile)
        #expect(page.text.contains(Terminal.line(Self.hostile)), "\(name) shows the text")
        for text in [page.text] + page.values.values.joined() {
            let bad = text.unicodeScalars.filter { !$0.isPrintable && $0 != "\n" }
            #expect(bad.isEmpty, "\(name) shows \(bad.map { String($0.value, radix: 16) })")
        }
    }

    // MARK: - Reports

    @Test(arguments: ReportFormat.allCases) func noTextChangesAReportOnScenarios(format: ReportFormat) throws {
        let kind: Kind =
            switch format {
            case .html: .page
            case .junit: .xml
            case .json: .json
            case .human, .tap, .github: .lines
            }
        let (plain, hostile) = (try Self.results(Self.plain), try Self.results(Self.hostile))
        try Self.compare(
            kind, ReportTexts.text(format, on: plain), ReportTexts.text(format, on: hostile), "\(format)")
    }

    @Test(arguments: ProofFormat.allCases) func noTextChangesAReportOnClaims(format: ProofFormat) async throws {
        let kind: Kind =
            switch format {
            case .junit: .xml
            case .json, .sarif: .json
            case .human, .github: .lines
            }
        let plain = try await Self.proofs(of: try Self.file(Self.plain))
        let hostile = try await Self.proofs(of: try Self.file(Self.hostile))
        try Self.compare(
            kind, ReportTexts.text(format, on: plain), ReportTexts.text(format, on: hostile), "\(format)")
    }

    /// A program that reads a report gets the text as it is in the file.
    @Test func programsReadTheTextItself() throws {
        let results = try Self.results(Self.hostile)
        let json = try JSONSerialization.jsonObject(with: Data(ReportTexts.text(.json, on: results).utf8))
        let scenarios = (json as? [String: Any])?["scenarios"] as? [[String: Any]]
        let name = try #require(scenarios?.first?["name"] as? String)
        #expect(name.unicodeScalars.elementsEqual(Self.hostile.unicodeScalars))
        // XML has no escape character, so a mark stands for it.
        let xml = try #require(try Markup(ReportTexts.text(.junit, on: results)).values["name"]?.last)
        let expected = Self.hostile.unicodeScalars.map { $0 == "\u{1B}" ? "\u{FFFD}" : $0 }
        #expect(xml.unicodeScalars.elementsEqual(expected))
    }

    /// A workflow command has its four properties, and the runner reads the title as it is on a terminal.
    @Test func aMarkOfGitHubReadsBack() throws {
        func read(_ text: String) -> String {
            [("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")]
                .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1, options: .literal) }
        }
        // The runner knows nothing of characters that combine with the one before.
        let line = ReportTexts.text(.github, on: try Self.results(Self.hostile)).unicodeScalars.prefix { $0 != "\n" }
        let command = line.dropFirst(2).prefix { $0 != ":" }
        let properties = command.split(separator: ",")
        #expect(properties.map { String($0.prefix { $0 != "=" }) } == ["error file", "line", "col", "title"])
        let title = try #require(properties.last).drop { $0 != "=" }.dropFirst()
        #expect(read(String(title)).unicodeScalars.elementsEqual(Terminal.line(Self.hostile).unicodeScalars))
        let message = String(line.dropFirst(2 + command.count + 2))
        #expect(read(message).contains(Terminal.line(Self.hostile)))
    }

    /// The name in a line of TAP has no sign that begins a directive.
    @Test func aNameBeginsNoDirectiveOfTAP() throws {
        let text = ReportTexts.text(.tap, on: try Self.results(Self.hostile))
        let lines = Self.skeleton(text)
        #expect(text.split(separator: "\n")[2].hasPrefix("not ok 1 - ") && !lines[2].contains("#"))
    }

    /// Returns every text about the policies and files of `file`.
    private static func pages(of file: ScenarioFile, dated date: String) async throws -> [(Kind, String, String)] {
        let matrix = MatrixPage.pages(of: file)
        let files = FileMatrixPage.pages(of: file)
        let profiles: [Profile] = [.snatcher, .passcodeThief, .owner]
        var threats = try NamedPolicy.grouped(in: file).map {
            try ThreatsPage(name: $0.name, $0.policy, on: $0.device, telling: .all, profiles: profiles)
        }
        threats += try ThreatsPage.files(of: file).map {
            try ThreatsPage(name: $0.name, $0.file, on: $0.device, telling: .all)
        }
        let cover = ReviewCover(
            of: file.path, title: date, scope: date, reviewedVersion: date, author: date, date: date, program: "1")
        let review = ReviewPage(cover, pages: threats, proofs: try await proofs(of: file))
        #expect(!matrix.isEmpty && !files.isEmpty && threats.count == 2)
        var pages: [(Kind, String, String)] = [
            (.page, "matrix", MatrixPage.html(matrix)), (.json, "matrix", MatrixPage.json(matrix)),
            (.markdown, "matrix", MatrixPage.markdown(matrix)), (.records, "matrix", MatrixPage.csv(matrix)),
            (.lines, "matrix", MatrixPage.table(matrix, colored: false)),
            (.page, "files", FileMatrixPage.html(files)), (.json, "files", FileMatrixPage.json(files)),
            (.markdown, "files", FileMatrixPage.markdown(files)), (.records, "files", FileMatrixPage.csv(files)),
            (.lines, "files", FileMatrixPage.table(files, colored: false)),
            (.page, "review", review.html), (.lines, "review", review.text(colored: false)),
        ]
        for page in threats {
            pages += [
                (.json, "threats", page.json), (.markdown, "threats", page.markdown),
                (.lines, "threats", page.text(colored: false)),
            ]
        }
        for scenario in file.scenarios {
            pages.append((.lines, "explanation", try #require(Explanation(colored: false).text(of: scenario)).text))
        }
        return pages
    }

    @Test func noTextChangesAPage() async throws {
        let plain = try await Self.pages(of: try Self.file(Self.plain), dated: Self.plain)
        let hostile = try await Self.pages(of: try Self.file(Self.hostile), dated: Self.hostile)
        for ((kind, name, plain), (_, _, hostile)) in zip(plain, hostile) {
            try Self.compare(kind, plain, hostile, "\(name) as \(kind)")
        }
    }

    @Test(arguments: [
        ("a|b", "a|b", "| a\\|b |\n"), ("a\\|b", "a\\\\|b", "| a\\\\\\|b |\n"),
        ("_a_ <b>", "\\_a\\_ \\<b\\>", "| \\_a\\_ \\<b\\> |\n"),
        ("[c] `d` *&~#", "\\[c\\] \\`d\\` \\*\\&\\~\\#", "| \\[c\\] \\`d\\` \\*\\&\\~\\# |\n"),
    ]) func aNameIsNoMarkupInMarkdown(name: String, text: String, row: String) {
        let quoted = Quoting.markdown(name)
        #expect(quoted == text && Quoting.markdownRow([quoted]) == row)
        #expect(Self.skeleton(quoted) == [""])
        #expect(Self.skeleton(Quoting.markdownRow([quoted])) == ["||", ""])
    }
}
