internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI

/// `latchkey help`
enum HelpCommand {
    static let declaration = Declaration(
        name: "help", summary: "show the help of a command, or the exit statuses",
        text: """
            Shows the help of COMMAND, just as --help after it does. Without COMMAND, lists every command. With
            `exit-status`, lists the exit statuses of every command.
            """,
        operands: [
            Operand(
                name: "COMMAND", says: "a command, such as get or biometry enroll; or exit-status", values: .ownCommand,
                isOptional: true, isRepeated: true)
        ],
        examples: [
            ("latchkey help matrix", ""),
            ("latchkey help biometry enroll", ""),
            ("latchkey help exit-status", ""),
        ],
        group: "this command", run: run)

    @Sendable private static func run(_ given: Given<NoOptions>) throws(UsageError) -> String {
        if given.words == [ExitStatusHelp.topic] { return ExitStatusHelp.text(of: given.program) }
        // `make docs` writes it into docs/command-line.md.
        if given.words == ["settings"] { return SettingRow.table }
        return HelpText(try given.program.path(to: given.words)).text
    }
}
