import CommandLineKit
import LatchkeyTools
import MadeUpProgram
import Testing

/// Tests of parsing command lines.
@Suite struct ArgumentsTests {
    /// Returns the parsed command line as one line: the command, then the options by name, then the words.
    private func understood(_ line: [String], of program: Declaration = MadeUp.program) -> String {
        var arguments = Arguments(program)
        do throws(UsageError) {
            if try arguments.understand(line) == nil {
                return "help of " + arguments.path.map(\.name).joined(separator: " ")
            }
        } catch {
            return "\(arguments.path.map(\.name).joined(separator: " ")): \(error)"
        }
        let options = arguments.typed.options.sorted { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
        let parts =
            arguments.path.dropFirst().map(\.name)
            + options.map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value.map(\.text))" }
        return (parts + ["\(arguments.typed.words.map(\.text))"]).joined(separator: " ")
    }

    @Test(arguments: [
        (["get", "mail"], "get [\"mail\"]"),
        (["get", ""], "get [\"\"]"),
        (["get", "-"], "get [\"-\"]"),
        (["get", "--", "-x"], "get [\"-x\"]"),
        (["get", "--", "--"], "get [\"--\"]"),
        (["get", "mail", "--"], "get [\"mail\"]"),
        (["get", "--", "--help"], "get [\"--help\"]"),
        (["get", "--output", "f", "mail"], "get --output=[\"f\"] [\"mail\"]"),
        (["get", "mail", "--output=f"], "get --output=[\"f\"] [\"mail\"]"),
        (["get", "mail", "-o", "f"], "get --output=[\"f\"] [\"mail\"]"),
        (["get", "mail", "--output="], "get --output=[\"\"] [\"mail\"]"),
        (["get", "mail", "--output", ""], "get --output=[\"\"] [\"mail\"]"),
        (["get", "mail", "--output=a=b"], "get --output=[\"a=b\"] [\"mail\"]"),
        (["get", "mail", "--output", "--"], "get --output=[\"--\"] [\"mail\"]"),
        (["get", "mail", "--output", "--quiet"], "get --output=[\"--quiet\"] [\"mail\"]"),
        (["get", "mail", "--output", "--help"], "get --output=[\"--help\"] [\"mail\"]"),
        (["get", "-q", "mail", "--quiet"], "get --quiet [\"mail\"]"),
        (["get", "mail", "--field", "a", "--field=b"], "get --field=[\"a\", \"b\"] [\"mail\"]"),
        (["put", "a"], "put [\"a\"]"),
        (["put", "a", "b", "c", "d"], "put [\"a\", \"b\", \"c\", \"d\"]"),
        (["biometry", "enroll"], "biometry enroll []"),
        (["biometry", "enroll", "me", "--sensor", "s"], "biometry enroll --sensor=[\"s\"] [\"me\"]"),
        (["--version"], "--version []"),
    ])
    func whatIsGivenIsTaken(_ line: [String], _ expected: String) { #expect(understood(line) == expected) }

    @Test(arguments: [
        (["run", "ls"], "run [\"ls\"]"),
        (
            ["run", "ls", "-l", "--env", "x", "--help", "--"],
            "run [\"ls\", \"-l\", \"--env\", \"x\", \"--help\", \"--\"]"
        ),
        (["run", "--env", "x", "ls", "-l"], "run --env=[\"x\"] [\"ls\", \"-l\"]"),
        (["run", "--env=x", "--", "-ls", "--", "y"], "run --env=[\"x\"] [\"-ls\", \"--\", \"y\"]"),
        (["run", ""], "run [\"\"]"),
        (["lend", "mail", "ls", "--once"], "lend [\"mail\", \"ls\", \"--once\"]"),
        (["lend", "mail", "--once", "ls", "-l"], "lend --once [\"mail\", \"ls\", \"-l\"]"),
        (["lend", "mail", "--", "--once"], "lend [\"mail\", \"--once\"]"),
        (["lend", "--", "-mail", "ls"], "lend [\"-mail\", \"ls\"]"),
    ])
    func aCommandLineIsTakenAsItIs(_ line: [String], _ expected: String) { #expect(understood(line) == expected) }

    @Test(arguments: [
        (["--help"], "help of latchkey"), (["-h"], "help of latchkey"), (["get", "--help"], "help of latchkey get"),
        (["get", "-q", "-h", "--what-else"], "help of latchkey get"), (["run", "-h", "ls"], "help of latchkey run"),
        (["biometry", "--help"], "help of latchkey biometry"),
        (["biometry", "remove", "--help"], "help of latchkey biometry remove"),
    ])
    func helpCanBeHadEverywhere(_ line: [String], _ expected: String) { #expect(understood(line) == expected) }

    @Test(arguments: [
        ([], "latchkey: name a command"),
        (["gte"], "latchkey: unknown command \"gte\": did you mean get?"),
        (["-"], "latchkey: unknown command \"-\": use get, part, run, lend, put, biometry or ask"),
        (["--", "get"], "latchkey: a command has to come before --"),
        (["--version", "get"], "latchkey: unexpected word \"get\""),
        (["get"], "latchkey get: NAME is missing"),
        (["get", "a", "b"], "latchkey get: unexpected word \"b\""),
        (["get", "a", "--", "-b"], "latchkey get: unexpected word \"-b\""),
        (["get", "a", "--quite"], "latchkey get: unknown option \"--quite\": did you mean --quiet?"),
        (["get", "a", "--outputt=x"], "latchkey get: unknown option \"--outputt\": did you mean --output?"),
        (["get", "a", "--output"], "latchkey get: --output needs a value"),
        (["get", "a", "-o"], "latchkey get: -o needs a value"),
        (["get", "a", "--quiet=yes"], "latchkey get: --quiet takes no value"),
        (["get", "a", "--help=yes"], "latchkey get: --help takes no value"),
        (["get", "a", "-o", "x", "--output", "y"], "latchkey get: --output is given twice"),
        (["run"], "latchkey run: COMMAND is missing"),
        (["run", "--"], "latchkey run: COMMAND is missing"),
        (["lend", "mail"], "latchkey lend: COMMAND is missing"),
        (["lend", "mail", "--onec", "ls"], "latchkey lend: unknown option \"--onec\": did you mean --once?"),
        (["biometry"], "latchkey biometry: name a command: enroll or remove"),
        (["biometry", "enrol"], "latchkey biometry: unknown command \"enrol\": did you mean enroll?"),
        (["biometry", "enroll", "a", "b"], "latchkey biometry enroll: one at a time"),
        (["biometry", "remove"], "latchkey biometry remove: say who"),
        (["get", "a", "\u{1B}[31m"], "latchkey get: unexpected word \"?[31m\""),
    ])
    func whatIsNotUnderstoodIsNamedWithItsCommand(_ line: [String], _ expected: String) {
        #expect(understood(line) == expected)
    }

    @Test(
        arguments: [
            ("gte", ["get", "put", "agent"], "did you mean get?"),
            ("pat", ["get", "put", "cat", "part", "past"], "did you mean put, cat or part?"),
            ("x", [], "there are none here"),
            ("gener", ["get", "generate", "add"], "did you mean generate?"),
            ("recov", ["recover", "remove", "recovery-key"], "did you mean recover, recovery-key or remove?"),
            ("histroy-o", ["history-of-all", "list"], "did you mean history-of-all?"),
            (
                "--lock", ["--log", "--lock-after", "--lock-at-logout"],
                "did you mean --lock-after, --lock-at-logout or --log?"
            ),
            (
                "frobnicate", (1...12).map { "word\($0)" },
                "use \((1...11).map { "word\($0), " }.joined().dropLast(2)) or word12"
            ),
            ("remove", (1...12).map { "word\($0)" } + ["restore"], nil),
        ] as [(String, [String], String?)])
    func anUnknownWordNamesTheNearest(_ word: String, _ known: [String], _ hint: String?) {
        let expected = "unknown word \"\(word)\"" + (hint.map { ": \($0)" } ?? "")
        #expect(UsageError(unknown: "word", word, among: known).description == expected)
    }

    @Test(
        arguments: [
            ("lsit", "list"), ("gt", "get"), ("unlcok", "unlock"), ("recvoer", "recover"), ("statsu", "status"),
            ("blorp", nil), ("xyzzy", nil), ("foobar", nil), ("frobnicate", nil), ("q", nil), ("", nil),
        ] as [(String, String?)])
    func onlyANearCommandIsSuggested(_ word: String, _ command: String?) {
        let names = Tools.commands.map(\.name)
        let expected = "unknown command \"\(word)\"" + (command.map { ": did you mean \($0)?" } ?? "")
        #expect(UsageError(unknown: "command", word, among: names).description == expected)
    }

    @Test func theWayToTheHelpFollowsEveryMessage() {
        #expect(UsageError("NAME is missing").message(for: "x get") == "NAME is missing; see x get --help")
        #expect(UsageError("did you mean get?").message(for: "x") == "did you mean get? See x --help")
    }

    /// Lists of options that a command combines must not share a spelling.
    @Test func noSpellingStandsForTwoOptionsOfACommand() {
        for path in MadeUp.paths(of: Tools.program) {
            let spellings = path[path.count - 1].allOptions.flatMap(\.names)
            #expect(Set(spellings).count == spellings.count, "\(path): \(spellings)")
        }
    }

    /// No line of one command is parsed as another command.
    @Test func everyOptionOfEveryCommandIsUnderstood() {
        for path in MadeUp.paths(of: Tools.program) {
            let command = path[path.count - 1]
            for option in command.allOptions.dropFirst() {
                for name in option.names {
                    var arguments = Arguments(Tools.program)
                    let line = path.dropFirst().map(\.name) + [name] + (option.value == nil ? [] : ["value"])
                    // A missing word is reported only after all options are parsed.
                    do throws(UsageError) { _ = try arguments.understand(line) } catch {
                        #expect(!"\(error)".contains("no option"), "\(line)")
                    }
                    let typed = arguments.typed.options[option.name]?.map(\.text)
                    #expect(typed == (option.value == nil ? [] : ["value"]), "\(line)")
                }
            }
        }
    }

    @Test func anOptionOfTheCommandsGoesAfterTheCommand() {
        for (line, place) in [
            (["--no-prompt", "get", "x"], "--no-prompt goes after the command: latchkey get --no-prompt"),
            (["--vault", "v", "set", "x"], "--vault goes after the command: latchkey set --vault"),
            (["--clip"], "--clip goes after the command: latchkey get --clip"),
        ] { #expect(understood(line, of: Tools.program) == "latchkey: " + place) }
    }

    /// A suggestion has to be something that can be typed, and no word of a command gets one.
    @Test func everyWordOfAnotherToolLeadsToACommand() {
        let commands = Set(Tools.program.commands.map(\.name))
        for (word, line) in Tools.program.otherWords {
            #expect(!commands.contains(word), "\(word)")
            let first = line.split(separator: " ").first.map { String($0) }
            #expect(first.map { commands.contains($0) || $0 == "--version" } == true, "\(line)")
        }
        for (line, hint) in [
            (["version"], "--version"), (["trash"], "list --deleted"), (["password"], "get or passwd"),
            (["config", "--lock"], "--lock-after or --lock-at-logout"),
        ] {
            let message = understood(line, of: Tools.program)
            #expect(message.hasSuffix(": did you mean \(hint)?"), "\(line): \(message)")
        }
        #expect(understood(["-v"], of: Tools.program) == "latchkey: unknown option \"-v\": did you mean --version?")
        #expect(
            understood(["recovery-key"], of: Tools.program)
                == "latchkey recovery-key: name a command: check or replace")
        #expect(
            understood(["delete", "x"], of: Tools.program)
                == "latchkey: unknown command \"delete\": did you mean rm?")
    }
}
