/// What a command takes, said once: its help, what is understood of its words, what shells complete and its manual page all
/// follow from it.
package struct Declaration: Sendable {
    /// What it is called by, such as `get`, or `enroll` of `biometry`.
    package var name: String
    /// What it does, in one line that begins with a verb and ends without a full stop.
    package var summary: String
    /// Paragraphs that say more; a line that is indented is left as it is.
    package var text = ""
    /// The words that are no options, in their order.
    package var operands: [Operand] = []
    /// The options besides `--help`, under headings where there are many.
    package var options: [OptionGroup] = []
    /// The commands that it has of its own; one that has any takes no operands.
    package var commands: [Declaration] = []
    /// What can be typed, with what it does.
    package var examples: [(line: String, says: String)] = []
    /// The exit statuses that are not every command's, in words.
    package var statuses: [(status: Int32, says: String)] = []
    /// What it belongs together with, as a heading of the help that lists it.
    package var group = ""
    /// What can be typed after its name, a line each, where that does not follow from operands and options.
    package var usages: [String] = []
    /// Runs it with what was understood; what it comes back with is printed.
    package var run: @Sendable (Given) throws -> String = { _ in "" }

    package init(
        name: String, summary: String, text: String = "", operands: [Operand] = [], options: [OptionGroup] = [],
        commands: [Declaration] = [], examples: [(line: String, says: String)] = [],
        statuses: [(status: Int32, says: String)] = [], group: String = "", usages: [String] = [],
        run: @escaping @Sendable (Given) throws -> String = { _ in "" }
    ) {
        self.name = name
        self.summary = summary
        self.text = text
        self.operands = operands
        self.options = options
        self.commands = commands
        self.examples = examples
        self.statuses = statuses
        self.group = group
        self.usages = usages
        self.run = run
    }

    /// What every command takes besides.
    package var help: Option {
        Option(
            "--help", "-h", "show what it takes" + (commands.isEmpty ? "" : "; after a command, what that one takes"))
    }

    /// Every option that it takes, `--help` too.
    package var allOptions: [Option] { [help] + options.flatMap(\.options) }

    /// All its statuses, with the words of every command where it has none of its own.
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

    /// The operand in which a word stands, counted from nought; nil where it is one too many.
    func operand(at place: Int) -> Operand? {
        if place < operands.count { return operands[place] }
        guard let last = operands.last, last.isRepeated || last.isCommandLine else { return nil }
        return last
    }
}

/// A word that is no option.
package struct Operand: Sendable {
    /// What it is called in the usage, such as `NAME`.
    package var name: String
    /// What it stands for; nothing where the text of the command says it.
    package var says = ""
    /// What may stand there.
    package var values = Values.anything
    /// True if it may be left out.
    package var isOptional = false
    /// True if there may be several; only the last can be so.
    package var isRepeated = false
    /// True if it and everything after it is taken as it is, options too: a command line.
    package var isCommandLine = false
    /// True if it may have bytes that are not UTF-8. A command line always may.
    package var takesAnyBytes = false
    /// What is said where it is missing, instead of that its name is.
    package var ifMissing: String?
    /// What is said where a word comes after it that is one too many, instead of that.
    package var ifMore: String?

    package init(
        name: String, says: String = "", values: Values = .anything, isOptional: Bool = false, isRepeated: Bool = false,
        isCommandLine: Bool = false, takesAnyBytes: Bool = false, ifMissing: String? = nil, ifMore: String? = nil
    ) {
        self.name = name
        self.says = says
        self.values = values
        self.isOptional = isOptional
        self.isRepeated = isRepeated
        self.isCommandLine = isCommandLine
        self.takesAnyBytes = takesAnyBytes || isCommandLine
        self.ifMissing = ifMissing
        self.ifMore = ifMore
    }
}

/// Options that belong together.
package struct OptionGroup: Sendable {
    /// What they have in common; nothing for the usual ones.
    package var heading = ""
    /// In the order in which they are told.
    package var options: [Option]

    package init(heading: String = "", options: [Option]) {
        self.heading = heading
        self.options = options
    }
}

/// An option, with a value or alone.
package struct Option: Sendable {
    /// How it is written, the long form first: `--format`.
    package var names: [String]
    /// What its value is called, such as `FORMAT`; nil where it stands alone.
    package var value: String?
    /// What it does.
    package var says: String
    /// What its value may be.
    package var values = Values.anything
    /// True if it may be given several times.
    package var isRepeated = false
    /// True if its value may have bytes that are not UTF-8.
    package var takesAnyBytes = false

    /// With a value, by all the names that come first.
    package init(
        _ names: String..., value: String?, _ says: String, values: Values = .anything, isRepeated: Bool = false,
        takesAnyBytes: Bool = false
    ) {
        self.names = names
        self.value = value
        self.says = says
        self.values = values
        self.isRepeated = isRepeated
        self.takesAnyBytes = takesAnyBytes
    }

    /// Alone.
    package init(_ name: String, _ says: String) { self.init(name, value: nil, says) }

    /// Alone, with a short form.
    package init(_ name: String, _ short: String, _ says: String) { self.init(name, short, value: nil, says) }
}

/// What may stand in a place, for shells that complete it.
package enum Values: Sendable {
    case anything
    case file
    case folder
    /// The name of a secret in the vault.
    case secret
    /// A part of the name of somebody who is enrolled.
    case enrolled
    case words([String])
    /// A command line of another program.
    case command
    /// The name of a command of this program, and then of the commands that it has.
    case ownCommand
}

extension Declaration: CustomStringConvertible {
    /// What it is called, and not all that it says.
    package var description: String { name }
}
