import CommandLineKit
import LatchkeyTools
import MadeUpProgram
import Testing

/// Tests of the offers themselves, without a shell.
@Suite struct CompletionTests {
    /// Returns the lines of the answer for fish.
    private func answer(_ words: [String], of program: Declaration = MadeUp.program) throws -> [String] {
        let words = ["complete", "fish", "--", program.name] + words
        let answer = try #require(Completion(of: program, home: "").answer(to: words.map { RawText($0) }))
        return answer.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private static let options = [
        "--help\tshow this help", "-h\tshow this help", "--output\twrite it there [not: here]",
        "-o\twrite it there [not: here]", "--shape\tround: or 'square'", "--field\twhat of it", "--quiet\tsay nothing",
        "-q\tsay nothing",
    ]

    @Test(arguments: [
        (["biometry", ""], ["words", "", "command", "enroll\tenroll somebody", "remove\tremove somebody"]),
        (["biometry", "e"], ["words", "", "command", "enroll\tenroll somebody", "remove\tremove somebody"]),
        (["nothing", ""], ["words", "", ""]),
        (["ask", "biometry", ""], ["words", "", "command", "enroll\tenroll somebody", "remove\tremove somebody"]),
        (["ask", "nothing", "x"], ["words", "", ""]),
        // Options, without those that are there already; where nothing else fits, too.
        (["get", "-"], ["words", "", "option"] + options),
        (["get", "a", ""], ["words", "", "option"] + options),
        (["get", "--field=x", "-o", "y", "-q", "--"], ["words", "", "option"] + options[..<2] + options[4..<6]),
        // Values.
        (["get", "--shape", "x"], ["words", "", "SHAPE", "round", "a square", "x:y", "it's"]),
        (
            ["get", "--shape=x"],
            ["words", "--shape=", "SHAPE", "--shape=round", "--shape=a square", "--shape=x:y", "--shape=it's"]
        ),
        (["get", "--quiet=x"], ["words", "", ""]),
        (["get", "--field", ""], ["words", "", ""]),
        (
            ["lend", "--way", ""],
            ["words", "", "WAY", "fast\tit's quick: at once", "well\twith \"care\""]
        ),
        // Files and folders.
        (["get", "-o", "x"], ["file", "", ""]), (["get", "--output=x"], ["file", "--output=", ""]),
        (["put", "x", ""], ["directory", "", ""]), (["put", "x", "y", "z", ""], ["file", "", ""]),
        // Names, which may depend on the words before.
        (["biometry", "remove", "--", ""], ["words", "", "NAME", "left thumb", "right index"]),
        (["part", "a b", ""], ["words", "", "PART", "user", "its url"]),
        (["part", "x/y", "--place", "y", ""], ["words", "", "PART", "placed"]),
        (["lend", "--place=one folder", ""], ["words", "", "NAME", "placed"]),
        (["lend", "--place", "one folder", "--set", "x"], ["words", "", ""]),
        (["lend", "--place", "one folder", "--set", "x=y"], ["words", "x=", "VAR=NAME", "x=placed"]),
        (["lend", "--place", "one folder", "--set=x="], ["words", "--set=x=", "VAR=NAME", "--set=x=placed"]),
        // The command line of another program.
        (["run", ""], ["command", "", "2"]), (["run", "--env", "x", "--", "-"], ["command", "", "5"]),
        (["lend", "x", "ls", "-l", "--set", ""], ["command", "", "3"]),
    ])
    func aLineIsAnswered(_ words: [String], _ expected: [String]) throws { #expect(try answer(words) == expected) }

    @Test(arguments: [Tools.program, MadeUp.program]) func allThatIsDeclaredIsOffered(_ program: Declaration) throws {
        for one in Expected.cases(of: program) {
            let offers = try answer(one.words, of: program).dropFirst(3).map { String($0.prefix { $0 != "\t" }) }
            // zsh and fish leave out what does not go on from the word themselves.
            #expect(Set(offers.filter { $0.hasPrefix(one.words.last ?? "") }) == one.offered, "\(one)")
        }
    }

    /// bash would calculate with what is typed, and run what is in it.
    @Test(arguments: ["-o '", "-o=", "x '", "--shape=x '"]) func aTypedLineFeedIsNotAnsweredWithPaths(_ start: String)
        throws
    {
        let typed = "\(start)/tmp\n/x\na[$(touch x)]"
        let pieces = typed.split(separator: " ", maxSplits: 1).map(String.init)
        let words =
            ["complete", "bash", "--", " \t\n\"'><=;|&(:", "\(MadeUp.program.name) get \(typed)"]
            + [MadeUp.program.name, "get"] + pieces
        let answer = Completion(of: MadeUp.program, home: "").answer(to: words.map { RawText($0) })
        #expect(try #require(answer).split(separator: "\n") == ["words"])
    }

    @Test(arguments: [
        [], ["complete"], ["complete", "bash"], ["complete", "ksh", "--", "latchkey", ""], ["get", "fish", "--", ""],
        ["complete", "bash", "--", "latchkey", ""],
    ])
    func anotherCommandLineIsNotAnswered(_ words: [String]) {
        #expect(Completion(of: MadeUp.program, home: "").answer(to: words.map { RawText($0) }) == nil)
    }
}

/// The offers that the declarations imply.
enum Expected {
    struct Case: CustomStringConvertible {
        let words: [String]
        let offered: Set<String>
        var line: String { "latchkey " + words.joined(separator: " ") }
        var description: String { line }
    }

    /// Every place of every command for which the declarations list the words.
    static func cases(of program: Declaration) -> [Case] {
        MadeUp.paths(of: program).flatMap { path in
            let command = path[path.count - 1]
            let typed = path.dropFirst().map(\.name)
            let names = command.allOptions.flatMap(\.names)
            var cases = [Case(words: typed + ["--"], offered: Set(names.filter { $0.hasPrefix("--") }))]
            if !command.commands.isEmpty {
                cases.append(Case(words: typed + [""], offered: Set(command.commands.map(\.name))))
            }
            for option in command.allOptions {
                if case .words(let words) = option.values {
                    cases.append(Case(words: typed + [option.names[0], ""], offered: Set(words)))
                }
            }
            if let operand = command.operands.first, case .words(let words) = operand.values {
                cases.append(Case(words: typed + [""], offered: Set(words)))
            }
            return cases
        }
    }
}

extension Declaration: CustomTestStringConvertible {
    /// The line for a declaration in a list of tests.
    public var testDescription: String { name + ": " + summary }
}
