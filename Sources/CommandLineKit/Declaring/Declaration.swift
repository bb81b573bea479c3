/// The declaration of a command: its names, options, operands, texts and code.
///
/// The parser, the help, the completion and the manual page all follow from it.
package struct Declaration: Sendable {
    /// The name to type, such as `get`, or `enroll` below `biometry`.
    package let name: String
    /// A summary on one line that begins with a verb and has no full stop.
    package let summary: String
    /// Paragraphs that describe the command. The first says what it does. An indented line is printed as it is.
    package let text: String
    /// The words that are not options, in their order.
    package let operands: [Operand]
    /// The commands below it. One that also takes operands reads its first word as a command if it is the name of one.
    package let commands: [Declaration]
    /// Lines to type, each with its effect.
    package let examples: [(line: String, says: String)]
    /// The exit statuses of this command, besides those that every command has.
    package let statuses: [(status: Int32, says: String)]
    /// The heading under which the help of the program lists the command.
    package let group: String
    /// The usage lines, if they do not follow from the operands and options.
    package let usages: [String]
    /// The version of a program; empty for its commands.
    package let version: String
    /// The environment variables that a program reads.
    package let environment: [(name: String, says: String)]
    /// The names that other programs have for a command of this one. They only serve suggestions.
    package let otherWords: [String: String]
    /// Returns what to type instead of a word that is no command of this one; nil to name the nearest command.
    let pointer: @Sendable (RawText) -> String?
    /// Creates the options. It runs only for commands whose options are needed.
    let bind: @Sendable () -> BoundOptions

    /// Declares a command with `options`. `run` gets their values and returns the text to print.
    package init<List: OptionList>(
        name: String, summary: String, text: String = "", operands: [Operand] = [],
        options: @autoclosure @escaping @Sendable () -> List, commands: [Declaration] = [],
        examples: [(line: String, says: String)] = [], statuses: [(status: Int32, says: String)] = [],
        group: String = "", usages: [String] = [], version: String = "",
        environment: [(name: String, says: String)] = [], otherWords: [String: String] = [:],
        pointer: @escaping @Sendable (RawText) -> String? = { _ in nil },
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
        self.otherWords = otherWords
        self.pointer = pointer
        bind = { BoundOptions(options(), run) }
    }

    /// Declares a command without options.
    package init(
        name: String, summary: String, text: String = "", operands: [Operand] = [], commands: [Declaration] = [],
        examples: [(line: String, says: String)] = [], statuses: [(status: Int32, says: String)] = [],
        group: String = "", pointer: @escaping @Sendable (RawText) -> String? = { _ in nil },
        run: @escaping @Sendable (Given<NoOptions>) throws -> String = { _ in "" }
    ) {
        self.init(
            name: name, summary: summary, text: text, operands: operands, options: NoOptions(), commands: commands,
            examples: examples, statuses: statuses, group: group, pointer: pointer, run: run)
    }

    /// The options besides `--help`, in groups.
    package var options: [OptionGroup] { bind().groups }

    /// The option `--help`, which every command takes.
    package var help: OptionFacts {
        OptionFacts(
            names: ["--help", "-h"],
            says: "show this help" + (commands.isEmpty ? "" : ", or after a command, the help of that command"))
    }

    /// Every option, including `--help`.
    package var allOptions: [OptionFacts] { [help] + options.flatMap(\.options) }

    /// Every exit status: the command's own, and those that every command has unless it describes them itself.
    var allStatuses: [(status: Int32, says: String)] {
        let usual: [(status: Int32, says: String)] = [
            (0, "success"), (1, "the command failed"), (2, "the command line was not understood"),
        ]
        let others = usual.filter { one in !statuses.contains { $0.status == one.status } }
        return (others + statuses).sorted { $0.status < $1.status }
    }

    /// Returns the path from this command down to the one that `words` name.
    ///
    /// - Throws: A ``UsageError`` at the first word that names no command.
    package func path(to words: [String]) throws(UsageError) -> [Declaration] {
        var path = [self]
        for word in words { path.append(try path[path.count - 1].command(called: word)) }
        return path
    }

    /// Returns the command with this name. Throws and names the nearest if there is none.
    func command(called word: String) throws(UsageError) -> Declaration {
        guard let command = commands.first(where: { $0.name == word }) else {
            if let name = otherWords[word] { throw UsageError(unknown: "command", word, meaning: name) }
            throw UsageError(unknown: "command", word, among: commands.map(\.name))
        }
        return command
    }

    /// Returns the operand for the word at `place`, counted from zero; nil if the command takes fewer words.
    func operand(at place: Int) -> Operand? {
        if place < operands.count { return operands[place] }
        guard let last = operands.last, last.isRepeated || last.isCommandLine else { return nil }
        return last
    }
}

extension Declaration: CustomStringConvertible {
    package var description: String { name }
}

/// The options of a command with the code that runs it.
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

    /// Parses the values of the options. Returns a closure that runs the command.
    func understand(_ typed: TypedWords, of program: Declaration) throws(UsageError) -> @Sendable () throws -> String {
        prepare(try table.understand(typed), typed, program)
    }
}
