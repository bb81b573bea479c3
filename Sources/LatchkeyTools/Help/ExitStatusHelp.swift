internal import CommandLineKit
internal import LatchkeyCLI
internal import PlainText

/// `latchkey help exit-status`
enum ExitStatusHelp {
    static let topic = "exit-status"

    /// Returns the meaning of every status, and then of those to which a command of `program` gives a meaning of its own.
    static func text(of program: Declaration) -> String {
        var text = """
            A command exits with one of these statuses. A number keeps its meaning in every version.
            If a signal ends the command, a shell reports 128 plus the number of the signal.


            """
        text += table(ExitStatus.general.map { ["\($0.status)", $0.says] })
        text += "\nIn these commands, some numbers say more:\n\n"
        text += table(special(in: program, under: []))
        return text
    }

    /// Returns the rows of a command and of those below it. A command below another shares its statuses, and they are not
    /// repeated.
    private static func special(
        in command: Declaration, under path: [String],
        sharing known: [(status: Int32, says: String)] = ExitStatus.general
    ) -> [[String]] {
        let own = command.statuses.filter { status in
            !known.contains { $0.status == status.status && $0.says == status.says }
        }
        let name = path.joined(separator: " ")
        let rows = own.enumerated().map { place, status in
            [place == 0 ? name : "", "\(status.status)", status.says]
        }
        return rows + command.commands.flatMap { special(in: $0, under: path + [$0.name], sharing: known + own) }
    }

    private static func table(_ rows: [[String]]) -> String {
        var table = TextTable()
        table.rows = rows.map { row in row.enumerated().map { .init(($0.offset == 0 ? "  " : "") + $0.element) } }
        return table.text(colored: false)
    }
}
