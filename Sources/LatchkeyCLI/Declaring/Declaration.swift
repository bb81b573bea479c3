/// What a command takes, said once: its help, what is understood of its words, what shells complete and its manual page all
/// follow from it.
struct Declaration: Sendable {
    /// What it is called by, such as `get`, or `enroll` of `biometry`.
    let name: String
    /// What it does, in one line that begins with a verb and ends without a full stop.
    let summary: String
    /// Paragraphs that say more; a line that is indented is left as it is.
    var text = ""
    /// The words that are no options, in their order.
    var operands: [Operand] = []
    /// The options besides `--help`, under headings where there are many.
    var options: [OptionGroup] = []
    /// The commands that it has of its own; one that has any takes nothing else.
    var commands: [Declaration] = []
    /// What can be typed, with what it does.
    var examples: [(line: String, says: String)] = []
    /// The exit statuses that are not every command's, in words.
    var statuses: [(status: Int32, says: String)] = []
    /// Runs it with what was understood; what it comes back with is printed.
    var run: @Sendable (Given) throws -> String = { _ in "" }
}

/// A word that is no option.
struct Operand: Sendable {
    /// What it is called in the usage, such as `NAME`.
    let name: String
    /// What it stands for; nothing where the text of the command says it.
    var says = ""
    /// What may stand there.
    var values = Values.anything
    /// Whether it may be left out.
    var isOptional = false
    /// Whether there may be several.
    var isRepeated = false
    /// Whether it and everything after it is taken as it is, options too: a command line.
    var isCommandLine = false
}

/// Options that belong together.
struct OptionGroup: Sendable {
    /// What they have in common; nothing for the usual ones.
    var heading = ""
    var options: [Option]
}

/// An option, with a value or alone.
struct Option: Sendable {
    /// How it is written, the long form first: `--format`.
    let names: [String]
    /// What its value is called, such as `FORMAT`; nil where it stands alone.
    var value: String?
    /// What it does.
    let says: String
    /// What its value may be.
    var values = Values.anything
    /// Whether it may be given several times.
    var isRepeated = false

    init(_ names: String..., value: String? = nil, _ says: String, values: Values = .anything, isRepeated: Bool = false)
    {
        self.names = names
        self.value = value
        self.says = says
        self.values = values
        self.isRepeated = isRepeated
    }
}

/// What may stand in a place, for shells that complete it.
enum Values: Sendable {
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
}

/// What was understood of a command line.
struct Given: Sendable {
    /// The values of the options that have one, by their long form.
    var values: [String: [String]] = [:]
    /// The options that stand alone, by their long form.
    var set: Set<String> = []
    /// The words that are no options.
    var words: [String] = []

    /// The value of an option that is given once at most.
    subscript(option: String) -> String? { values[option]?.last }

    func has(_ option: String) -> Bool { set.contains(option) }
}
