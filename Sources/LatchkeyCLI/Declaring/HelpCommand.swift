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
        run: { given in HelpText(try path(to: given.words)).text })

    /// The program, and the commands that `words` name one after another.
    static func path(to words: [String]) throws(UsageError) -> [Declaration] {
        var path = [Latchkey.program]
        for word in words {
            let known = path[path.count - 1].commands
            guard let next = known.first(where: { $0.name == word }) else {
                throw UsageError(unknown: "command", word, among: known.map(\.name))
            }
            path.append(next)
        }
        return path
    }
}
