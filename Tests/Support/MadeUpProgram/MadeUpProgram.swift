package import CommandLineKit
internal import Glibc

/// A made-up program that uses every kind of declaration. As a process it only answers shells that complete its command lines.
@main
package enum MadeUp {
    static func main() {
        let words = CommandLine.arguments.dropFirst().map { RawText($0) }
        let completion = Completion(of: program, home: home)
        print(completion.answer(to: words) ?? "", terminator: "")
    }

    private static let home = getenv("HOME").map { String(cString: $0) } ?? ""

    package static let program = Declaration(
        name: "latchkey", summary: "do what tests need",
        text: "Says what is needed.",
        options: Options(), commands: [get, part, run, lend, put, biometry, ask], version: "1.2",
        environment: [("HOME", "where it lies")], run: { _ in "" })

    struct Options: OptionList {
        let version = Option("--version", says: "show the version")
    }

    /// Names of secrets with characters that are special to shells. Each begins with a letter of its own.
    package static let names = [
        "a b", "b'c", "c\"d", "d:e", "e$HOME", "f\\g", "g;h", "h`id`", "i*", "j=k", "k#l", "l(m)", "m&n", "n|o", "o<p>",
        "p  q", "q{r,s}", "r[s]", "s~t", "t\"'u", "u:v=w x", "vöw", "w$(id)", "x/y", "y?z", "z\\\\",
    ]
    package static let enrolled = ["left thumb", "right index"]

    static let secrets = Values.listed(secretNames)
    static let secretNames = NameList(command: "ask secrets", options: ["--place"])
    static let parts = Values.listed(NameList(command: "ask parts", options: ["--place"], takesFirstWord: true))

    package static let get = Declaration(
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
    package static let run = Declaration(
        name: "run", summary: "run a command",
        operands: [Operand(name: "COMMAND", values: .command, isCommandLine: true)],
        options: RunOptions(), group: "secrets", run: { _ in "" })

    struct RunOptions: OptionList {
        let env = Option(each: "--env", value: "NAME", says: "a variable", values: secrets)
    }

    /// A command with a word before a command line.
    package static let lend = Declaration(
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
    package static let put = Declaration(
        name: "put", summary: "store a secret",
        operands: [
            Operand(name: "NAME"), Operand(name: "FOLDER", values: .folder, isOptional: true),
            Operand(name: "FILE", values: .file, isOptional: true, isRepeated: true),
        ],
        statuses: [(3, "it is there already")], group: "secrets")

    package static let biometry = Declaration(
        name: "biometry", summary: "say who is enrolled",
        commands: [
            Declaration(
                name: "enroll", summary: "enroll somebody",
                operands: [Operand(name: "NAME", isOptional: true, ifMore: "one at a time")],
                options: EnrollOptions(), run: { _ in "" }),
            Declaration(
                name: "remove", summary: "remove somebody",
                operands: [
                    Operand(name: "NAME", values: .listed(NameList(command: "ask enrolled")), ifMissing: "say who")
                ]),
        ], group: "the vault")

    struct EnrollOptions: OptionList {
        let sensor = Option("--sensor", value: "SENSOR", says: "by this one")
    }

    static let ask = Declaration(
        name: "ask", summary: "say what a command takes",
        operands: [Operand(name: "COMMAND", values: .ownCommand, isOptional: true, isRepeated: true)],
        options: PartOptions(), run: { given in lines(given.words, given[\.place]).map { $0 + "\n" }.joined() })

    /// Returns the names of which the first of `words` is the kind.
    private static func lines(_ words: [String], _ place: String?) -> [String] {
        switch (words.first, place) {
        case ("secrets", nil): names
        case ("secrets", "one folder"): ["placed"]
        case ("secrets", home + "/one folder"): ["home"]
        case ("enrolled", nil): enrolled
        case ("parts", nil) where words.last == "a b": ["user", "its url"]
        case ("parts", .some) where words.last == "x/y": ["placed"]
        default: []
        }
    }

    /// The paths to the program and to every command below it.
    package static let paths: [[Declaration]] = Self.paths(of: program)

    /// Returns the paths to a program and to every command below it.
    package static func paths(of program: Declaration) -> [[Declaration]] {
        func below(_ path: [Declaration]) -> [[Declaration]] {
            [path] + path[path.count - 1].commands.flatMap { below(path + [$0]) }
        }
        return below([program])
    }
}
