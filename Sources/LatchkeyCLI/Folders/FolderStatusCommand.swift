internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText

/// `latchkey folder status`
enum FolderStatusCommand {
    static let declaration = Declaration(
        name: "status", summary: "show the protected folders, and which of them are open",
        text: """
            Shows each folder with its protection class and its state, the programs that keep files of a locked folder open, and
            how many dropped files wait for it. Never prompts.

            A file that is open during a lock stays readable until its program closes it, and other programs can open it too. A
            folder of the class complete should have none.
            """,
        options: VaultReportOptions(),
        examples: [
            ("latchkey folder status", ""), ("latchkey folder status --json", "prints one JSON object on each line"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .noTerminal, .denied]), run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let reports = try FolderAccess(given[\.vault], mayAsk: false).reports()
        if given[\.json] { return reports.map { $0.head.text + "\n" }.joined() }
        if reports.isEmpty && isatty(STDOUT_FILENO) == 1 {
            Output.confirm("No folder is protected. To protect one, run `latchkey folder protect DIR`.")
        }
        var table = TextTable()
        for report in reports {
            let (text, tone) = report.state.words(report.folder.protection)
            table.rows.append([
                .init(Terminal.line(report.folder.path)), .init(report.folder.protection.rawValue, .faint),
                .init(text, tone),
            ])
            for line in lines(of: report) {
                table.rows.append([.init(""), .init(""), .init(Terminal.line("→ \(line)"))])
            }
        }
        return table.text(colored: Output.isColored)
    }

    /// Returns what a person should know, or type next.
    private static func lines(of report: EncryptedFolderReport) -> [String] {
        var lines = report.processes
        if let trouble = report.trouble { lines.append(trouble) }
        if report.folder.isMoving {
            lines.append("`latchkey folder protect` or `unprotect` is at work, or was interrupted: then run it again")
        }
        if report.drops > 0 {
            lines.append("\(counted(report.drops, "dropped file")) will be moved here when it is open")
        }
        switch report.folder.protection {
        case .complete, .untilFirstUnlock: break
        case .unlessOpen:
            if report.state == .locked || report.state == .held {
                lines.append("nothing can be created in it now: `latchkey folder drop` keeps new files for it")
            }
        }
        return lines
    }
}
