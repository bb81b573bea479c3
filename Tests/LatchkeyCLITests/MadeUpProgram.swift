import LatchkeyCLI
import Testing

/// A program that declares everything that can be declared, to see what is made of it.
enum MadeUp {
    static let program = Declaration(
        name: "latchkey", summary: "do what tests need",
        text: "Says what is needed.",
        options: [OptionGroup(options: [Option("--version", "show the version")])],
        commands: [get, run, lend, put, biometry, ask])

    static let get = Declaration(
        name: "get", summary: "print a secret: 'as it is', \"quoted\" or \\escaped",
        text: """
            .A paragraph that begins with a dot, and has a back\\slash, a 'quote', "two", -hyphens-, ~, ^ and `ticks`.
            'This line belongs to it too.

              an indented --line   stays as it is
              .and another one
            """,
        operands: [Operand(name: "NAME", says: "-the- \\name of 'it'", values: .secret)],
        options: [
            OptionGroup(options: [
                Option("--output", "-o", value: "FILE", "write it there [not: here]", values: .file),
                Option(
                    "--shape", value: "SHAPE", "round: or 'square'",
                    values: .words(["round", "a square", "x:y", "it's"])),
                Option("--field", value: "FIELD", "what of it", isRepeated: true),
                Option("--quiet", "-q", "say nothing"),
            ])
        ],
        examples: [("latchkey get 'my mail'", "prints it"), ("latchkey get -- -x", "")], group: "secrets")

    /// A command line at once.
    static let run = Declaration(
        name: "run", summary: "run a command",
        operands: [Operand(name: "COMMAND", values: .command, isCommandLine: true)],
        options: [
            OptionGroup(options: [Option("--env", value: "NAME", "a variable", values: .secret, isRepeated: true)])
        ],
        group: "secrets")

    /// A command line after a word.
    static let lend = Declaration(
        name: "lend", summary: "lend a secret to a command",
        operands: [
            Operand(name: "NAME", values: .secret), Operand(name: "COMMAND", values: .command, isCommandLine: true),
        ],
        options: [OptionGroup(options: [Option("--once", "only once")])], group: "secrets")

    /// Several words, of which some may be left out.
    static let put = Declaration(
        name: "put", summary: "store a secret",
        operands: [
            Operand(name: "NAME"), Operand(name: "FOLDER", values: .folder, isOptional: true),
            Operand(name: "FILE", values: .file, isOptional: true, isRepeated: true),
        ],
        statuses: [(3, "it is there already")], group: "secrets")

    static let biometry = Declaration(
        name: "biometry", summary: "say who is enrolled",
        commands: [
            Declaration(
                name: "enroll", summary: "enroll somebody",
                operands: [Operand(name: "NAME", isOptional: true, ifMore: "one at a time")],
                options: [OptionGroup(options: [Option("--sensor", value: "SENSOR", "by this one")])]),
            Declaration(
                name: "remove", summary: "remove somebody",
                operands: [Operand(name: "NAME", values: .enrolled, ifMissing: "say who")]),
        ], group: "the vault")

    static let ask = Declaration(
        name: "ask", summary: "say what a command takes",
        operands: [Operand(name: "COMMAND", values: .ownCommand, isOptional: true, isRepeated: true)])

    /// The program and every command below it, with the names that lead there.
    static let paths: [[Declaration]] = Self.paths(of: program)

    /// The same of any program.
    static func paths(of program: Declaration) -> [[Declaration]] {
        func below(_ path: [Declaration]) -> [[Declaration]] {
            [path] + path[path.count - 1].commands.flatMap { below(path + [$0]) }
        }
        return below([program])
    }
}

extension Declaration: CustomTestStringConvertible {
    /// What a test is listed with.
    public var testDescription: String { name + ": " + summary }
}
