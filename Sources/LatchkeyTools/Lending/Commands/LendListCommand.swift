internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import PlainText

/// `latchkey lend list`
enum LendListCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let json = Option("--json", says: "print one JSON object on each line")
    }

    static let declaration = Declaration(
        name: "list", summary: "list what is lent now",
        text: """
            Lists what is lent: its number, the borrower, the secret, its purpose, the uses so far, and what is left of the last
            approval. It works while the vault is locked, and never prompts.
            """,
        options: Options(), examples: [("latchkey lend list", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        var entries: [LoanEntry] = []
        _ = try access.ask(LoansCall()) { entries.append($0) }
        if given[\.json] { return entries.map { $0.head.text + "\n" }.joined() }
        if entries.isEmpty {
            if isatty(STDOUT_FILENO) == 1 { Output.confirm("Nothing is lent now.") }
            return ""
        }
        var table = TextTable()
        for entry in entries {
            table.rows.append([
                .init("\(entry.number)"), .init(Terminal.line(entry.terms.borrower, longest: TextTable.longestName)),
                .init(Terminal.line(entry.name, longest: TextTable.longestName)),
                .init(Terminal.line(entry.terms.target)),
                .init(counted(entry.count, "use")), .init(left(entry), .faint),
            ])
        }
        return table.text(colored: Output.isColored)
    }

    private static func left(_ entry: LoanEntry) -> String {
        guard let seconds = entry.secondsLeft else { return "" }
        let uses = entry.usesLeft.map { "\(counted($0, "use")) left" } ?? "approved"
        return "\(uses), for \(counted(seconds: Int(seconds)))"
    }
}
