/// Everything that a command takes. Its help, the understanding of its words, the completion in shells and its manual page all
/// follow from it.
package struct Declaration: Sendable {
    /// The name that is typed, such as `get`, or `enroll` of `biometry`.
    package let name: String
    /// The summary, in one line that begins with a verb and ends without a full stop.
    package let summary: String
    /// Paragraphs that say more; a line that is indented is left as it is.
    package let text: String
    /// The words that are no options, in their order.
    package let operands: [Operand]
    /// The commands below it; a command that has any takes no operands.
    package let commands: [Declaration]
    /// Lines that can be typed, with their effect.
    package let examples: [(line: String, says: String)]
    /// The exit statuses that are not every command's, in words.
    package let statuses: [(status: Int32, says: String)]
    /// The heading under which the help of the program lists it.
    package let group: String
    /// The usage, a line each, if it does not follow from operands and options.
    package let usages: [String]
    /// The version of a program; empty for a command of one.
    package let version: String
    /// The environment variables that a program reads.
    package let environment: [(name: String, says: String)]
    /// Makes the options, which only the command that is reached needs.
    let bind: @Sendable () -> BoundOptions

    /// Declares a command that lists `options`. `run` gets their values, and returns the text to print.
    package init<List: OptionList>(
        name: String, summary: String, text: String = "", operands: [Operand] = [],
        options: @autoclosure @escaping @Sendable () -> List, commands: [Declaration] = [],
        examples: [(line: String, says: String)] = [], statuses: [(status: Int32, says: String)] = [],
        group: String = "", usages: [String] = [], version: String = "",
        environment: [(name: String, says: String)] = [],
        run: @escaping @Sendable (Given<List>) throws -> String
    ) {
        self.name = name
        self.summary = summary
        self.text = text
        self.operands = operands
        self.commands = commands
        self.examples = examples
        self.statuses = statuses
        self.group = group
        self.usages = usages
        self.version = version
        self.environment = environment
        bind = { BoundOptions(options(), run) }
    }

    /// Declares a command without options.
    package init(
        name: String, summary: String, text: String = "", operands: [Operand] = [], commands: [Declaration] = [],
        examples: [(line: String, says: String)] = [], statuses: [(status: Int32, says: String)] = [],
        group: String = "", run: @escaping @Sendable (Given<NoOptions>) throws -> String = { _ in "" }
    ) {
        self.init(
            name: name, summary: summary, text: text, operands: operands, options: NoOptions(), commands: commands,
            examples: examples, statuses: statuses, group: group, run: run)
    }

    /// The options besides `--help`, under headings if there are many.
    package var options: [OptionGroup] { bind().groups }

    /// The option that every command takes.
    package var help: OptionFacts {
        OptionFacts(
            names: ["--help", "-h"],
            says: "show what it takes" + (commands.isEmpty ? "" : "; after a command, what that one takes"))
    }

    /// Every option, `--help` too.
    package var allOptions: [OptionFacts] { [help] + options.flatMap(\.options) }

    /// All its statuses, with the words of every command for those that it does not tell itself.
    var allStatuses: [(status: Int32, says: String)] {
        let usual: [(status: Int32, says: String)] = [
            (0, "done"), (1, "could not be done"), (2, "the command line was not understood"),
        ]
        let others = usual.filter { one in !statuses.contains { $0.status == one.status } }
        return (others + statuses).sorted { $0.status < $1.status }
    }

    /// Itself and all commands below it, each with the names that lead there from here.
    package var everyCommand: [(path: [String], declaration: Declaration)] {
        [([], self)]
            + commands.flatMap { command in
                command.everyCommand.map { ([command.name] + $0.path, $0.declaration) }
            }
    }

    /// Returns itself and the commands that `words` name one after another.
    package func path(to words: [String]) throws(UsageError) -> [Declaration] {
        var path = [self]
        for word in words { path.append(try path[path.count - 1].command(called: word)) }
        return path
    }

    func command(called word: String) throws(UsageError) -> Declaration {
        guard let command = commands.first(where: { $0.name == word }) else {
            throw UsageError(unknown: "command", word, among: commands.map(\.name))
        }
        return command
    }

    /// Returns the operand for the word at `place`, counted from zero; nil if that word is one too many.
    func operand(at place: Int) -> Operand? {
        if place < operands.count { return operands[place] }
        guard let last = operands.last, last.isRepeated || last.isCommandLine else { return nil }
        return last
    }
}

extension Declaration: CustomStringConvertible {
    /// The name alone.
    package var description: String { name }
}

/// The options of a command, together with the code that reads them.
struct BoundOptions: Sendable {
    private let table: OptionTable
    private let prepare: @Sendable (UnderstoodValues, TypedWords, Declaration) -> @Sendable () throws -> String

    init<List: OptionList>(_ list: List, _ run: @escaping @Sendable (Given<List>) throws -> String) {
        table = OptionTable(list)
        prepare = { values, typed, program in
            let given = Given(list, values, typed, of: program)
            return { try run(given) }
        }
    }

    var groups: [OptionGroup] { table.groups }

    /// Understands the values of options. Returns the rest of the work, which is to run the command.
    func understand(_ typed: TypedWords, of program: Declaration) throws(UsageError) -> @Sendable () throws -> String {
        prepare(try table.understand(typed), typed, program)
    }
}
