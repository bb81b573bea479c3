import CommandLineKit
import Testing

/// A made-up program that uses every kind of declaration.
enum MadeUp {
    static let program = Declaration(
        name: "latchkey", summary: "do what tests need",
        text: "Says what is needed.",
        options: Options(), commands: [get, part, run, lend, put, biometry, ask], version: "1.2",
        environment: [("HOME", "where it lies")], run: { _ in "" })

    struct Options: OptionList {
        let version = Option("--version", says: "show the version")
    }

    static let secrets = Values.listed(secretNames)
    static let secretNames = NameList(
        id: "secrets", heading: "secret", command: "list --names", options: ["--place"])
    static let parts = Values.listed(
        NameList(id: "parts", heading: "part", command: "parts --names", options: ["--place"], takesFirstWord: true))
    static let enrolled = Values.listed(
        NameList(id: "enrolled", heading: "who is enrolled", command: "biometry list --names"))

    static let get = Declaration(
        name: "get", summary: "print a secret: 'as it is', \"quoted\" or \\escaped",
        text: """
            .A paragraph that begins with a dot, and has a back\\slash, a 'quote', "two", -hyphens-, ~, ^ and `ticks`.
            'This line belongs to it too.

              an indented --line   stays as it is
              .and another one
            """,
        operands: [Operand(name: "NAME", says: "-the- \\name of 'it'", values: secrets)],
        options: GetOptions(),
        examples: [("latchkey get 'my mail'", "prints it"), ("latchkey get -- -x", "")], group: "secrets",
        run: { _ in "" })

    struct GetOptions: OptionList {
        let output = Option("--output", "-o", value: "FILE", says: "write it there [not: here]", values: .file)
        let shape = Option(
            "--shape", value: "SHAPE", says: "round: or 'square'",
            values: .words(["round", "a square", "x:y", "it's"]))
        let field = Option(each: "--field", value: "FIELD", says: "what of it")
        let quiet = Option("--quiet", "-q", says: "say nothing")
    }

    /// A command whose second word depends on the first.
    static let part = Declaration(
        name: "part", summary: "print a part of a secret",
        operands: [Operand(name: "NAME", values: secrets), Operand(name: "PART", values: parts, isOptional: true)],
        options: PartOptions(), group: "secrets", run: { _ in "" })

    struct PartOptions: OptionList {
        let place = Option("--place", value: "DIR", says: "of this folder", values: .folder)
    }

    /// A command whose first operand begins a command line.
    static let run = Declaration(
        name: "run", summary: "run a command",
        operands: [Operand(name: "COMMAND", values: .command, isCommandLine: true)],
        options: RunOptions(), group: "secrets", run: { _ in "" })

    struct RunOptions: OptionList {
        let env = Option(each: "--env", value: "NAME", says: "a variable", values: secrets)
    }

    /// A command with a word before a command line.
    static let lend = Declaration(
        name: "lend", summary: "lend a secret to a command",
        operands: [
            Operand(name: "NAME", values: secrets), Operand(name: "COMMAND", values: .command, isCommandLine: true),
        ],
        options: LendOptions(), group: "secrets", run: { _ in "" })

    struct LendOptions: OptionList {
        let once = Option("--once", says: "only once")
        let place = Option("--place", value: "DIR", says: "of this folder", values: .folder)
        let set = Option(each: "--set", value: "VAR=NAME", says: "set it", values: .assigned(secretNames))
        let way = Option(
            "--way", value: "WAY", says: "how",
            values: .described([("fast", "it's quick: at once"), ("well", "with \"care\"")]))
    }

    /// A command with optional and repeated words.
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
                options: EnrollOptions(), run: { _ in "" }),
            Declaration(
                name: "remove", summary: "remove somebody",
                operands: [Operand(name: "NAME", values: enrolled, ifMissing: "say who")]),
        ], group: "the vault")

    struct EnrollOptions: OptionList {
        let sensor = Option("--sensor", value: "SENSOR", says: "by this one")
    }

    static let ask = Declaration(
        name: "ask", summary: "say what a command takes",
        operands: [Operand(name: "COMMAND", values: .ownCommand, isOptional: true, isRepeated: true)])

    /// The paths to the program and to every command below it.
    static let paths: [[Declaration]] = Self.paths(of: program)

    /// Returns the paths to a program and to every command below it.
    static func paths(of program: Declaration) -> [[Declaration]] {
        func below(_ path: [Declaration]) -> [[Declaration]] {
            [path] + path[path.count - 1].commands.flatMap { below(path + [$0]) }
        }
        return below([program])
    }
}

extension Declaration: CustomTestStringConvertible {
    /// The line for a declaration in a list of tests.
    public var testDescription: String { name + ": " + summary }
}
