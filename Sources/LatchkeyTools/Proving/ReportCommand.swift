internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import PlainText
internal import PolicyProver
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey report`
enum ReportCommand {
    enum Format: String, CaseIterable {
        case html, text
    }

    struct Options: OptionList {
        let policy = PolicyOptions()
        let file = FileOptions()
        let assumptions = Proving.assumptions
        let title = Option(
            "--title", value: "TEXT", says: "the heading; by default \"Review\" and the name of the file")
        let scope = Option("--scope", value: "TEXT", says: "what the review is about, in your words")
        let appVersion = Option(
            "--app-version", value: "TEXT", says: "the version of the app that the review is about, such as 4.1 (812)")
        let author = Option("--author", value: "NAME", says: "who wrote the review")
        let date = Option(
            "--date", value: "DATE", says: "the date that the report states, such as 2026-03-01; none by default")
        let format = Option<Format?>(
            "--format", value: "FORMAT", says: "html or text; by default text on a terminal, and html elsewhere")
        let output = Output.option
    }

    static let declaration = Declaration(
        name: "report", summary: "write a report for a security review, with the bottom line first",
        text: """
            Writes what a reviewer of a policy needs on one page: who can read the item, the verdicts on the claims of the \
            file, the policy in plain words, the table of threats, the shortest attacks, and the assumptions. The page is one \
            HTML file without scripts. Its head states the title, scope, version, author and date that you give. The same input \
            always gives the same report.
            """,
        operands: [
            Operand(
                name: "FILE", says: "a scenario file", values: .file, isOptional: true, ifMore: "name only one file"
            )
        ],
        options: Options(),
        examples: [
            ("latchkey report token.yaml --output review.html", ""),
            (
                "latchkey report token.yaml --title \"Tokens\" --author \"Security team\" --output review.html",
                ""
            ),
            ("latchkey report --require biometryCurrentSet --format text", ""),
        ],
        statuses: [
            (0, "every claim of the file came out as expected, or there is none"),
            (1, "a claim did not, and the report says so"),
            (2, "the command line or the file was not understood, or the item cannot be stored"),
            (3, "the search for a claim met its bound; else as expected"),
        ],
        group: "policies",
        usages: [
            "FILE [OPTION…]", "[--require FLAGS] [--accessible CLASS] [--key] [--device DEVICE] [OPTION…]",
            "--file PROTECTION [--excluded-from-backup] [--held-open] [--device DEVICE] [OPTION…]",
        ],
        run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        let assumes = Proving.assumed(given[\.assumptions])
        let pages: [ThreatsPage]
        var proofs: [Proof] = []
        var subject = "access policy"
        if let path = given.words.first {
            if let said = given[\.policy].firstOption ?? given[\.file].firstOption {
                throw UsageError("\(said) does not go with a file, which states it")
            }
            subject = path.split(separator: "/").last.map(String.init) ?? path
            let file = Proving.file(path)
            Leftovers.neverRemain()
            proofs = self.proofs(of: file)
            pages = try ThreatsPages.pages(of: file, at: path, assumes)
        } else if let page = try ThreatsPages.page(given[\.policy], given[\.file], assumes) {
            pages = [page]
        } else {
            throw UsageError("name a file, a policy with --require or --accessible, or a --file")
        }
        let cover = ReviewCover(
            of: subject, title: given[\.title], scope: given[\.scope], reviewedVersion: given[\.appVersion],
            author: given[\.author], date: given[\.date], program: given.program.version)
        let review = ReviewPage(cover, pages: pages, proofs: proofs)
        let isForTerminal = given[\.output] == nil && isatty(STDOUT_FILENO) == 1
        let text =
            switch given[\.format] ?? (isForTerminal ? .text : .html) {
            case .html: review.html
            case .text:
                given[\.output] == nil
                    ? review.text(colored: Output.isColored, borderedWithin: Output.borderWidth)
                    : review.text(colored: false)
            }
        let rest = Output.deliver(text, to: given[\.output])
        let status = ProofRun.status(review.count)
        if status == 0 { return rest }
        Output.write(rest)
        exit(status)
    }

    /// Proves the claims of `file`, or ends the command if one is about something that cannot exist.
    private static func proofs(of file: ScenarioFile) -> [Proof] {
        let (propositions, mistakes) = Proposition.all(of: file.scenarios.filter { !$0.claims.isEmpty })
        if !mistakes.isEmpty { exit(Complaints.tell(mistakes)) }
        return propositions.enumerated().map { place, proposition in
            ProofRun.prove(
                proposition, "\(place + 1) of \(propositions.count) claims", isShown: isatty(STDERR_FILENO) == 1)
        }
    }
}
