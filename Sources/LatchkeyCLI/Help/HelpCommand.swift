internal import CommandLineKit

/// `latchkey help`
enum HelpCommand {
    static let declaration = Declaration(
        name: "help", summary: "show what a command takes",
        text: "Shows what a command takes, as --help after it does, and without one what commands there are.",
        operands: [
            Operand(
                name: "COMMAND", says: "the command, and then the one that it has of its own", values: .ownCommand,
                isOptional: true, isRepeated: true)
        ],
        examples: [("latchkey help matrix", "")], group: "this command",
        run: { given in HelpText(try given.program.path(to: given.words)).text })
}
