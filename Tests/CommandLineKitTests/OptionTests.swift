import CommandLineKit
import Synchronization
import Testing

/// Tests of typed options, and of the lists that declare them.
@Suite struct OptionTests {
    private enum Format: String, CaseIterable {
        case table, json
    }

    private struct Options: OptionList {
        let show = Option("--show", "-s", says: "a flag")
        let name = Option("--name", value: "NAME", says: "a text")
        let most = Option("--most", value: "NUMBER", says: "a number") { (text) throws(UsageError) in
            guard let number = Int(text) else { throw UsageError("--most takes a number") }
            return number
        }
        let format = Option<Format?>("--format", value: "FORMAT", says: "a word of an enumeration")
        let shape = Option(
            "--shape", value: "SHAPE", kind: "form", says: "a known word", among: [("round", 1), ("flat", 2)])
        let more = More()
        let rest = Rest()
        let ends = ["left", "right"].map { End($0) }
        let last = Option("--last", says: "after the lists")
    }

    /// A list without a heading, which joins the group around it.
    private struct More: OptionList {
        let words = Option(each: "--word", value: "WORD", says: "texts")
        let sizes = Option(each: "--size", value: "SIZE", says: "known words", among: [("small", 1), ("large", 2)])
        let several = ["a", "b"].map { Option("--\($0)", value: "TEXT", says: "one of several") }
    }

    /// A list with a heading, which forms a group of its own.
    private struct Rest: OptionList {
        let heading = "files"
        let path = Option(path: "--path", says: "a path")
        let paths = Option(eachPath: "--paths", says: "paths")
    }

    /// A list of one option, of which another list has several.
    private struct End: OptionList {
        let heading = "ends"
        let option: Option<String?>

        init(_ name: String) { option = Option("--\(name)", value: "END", says: "an end") }
    }

    /// Runs a command with these options and any words.
    private func run(_ line: [RawText], _ body: @escaping @Sendable (Given<Options>) -> Void) throws {
        let command = Declaration(
            name: "x", summary: "do", operands: [Operand(name: "WORD", isOptional: true, isRepeated: true)],
            options: Options(),
            run: { given in
                body(given)
                return "run"
            })
        var arguments = Arguments(command)
        let rest = try arguments.understand(line)
        #expect(try rest?() == "run")
    }

    private func run(_ line: String, _ body: @escaping @Sendable (Given<Options>) -> Void) throws {
        try run(line.split(separator: " ").map { RawText(String($0)) }, body)
    }

    @Test func valuesHaveTheirTypes() throws {
        try run("--show --name n --most 3 --format json --shape flat w --last") { given in
            #expect(given[\.show] && given[\.last])
            #expect(given[\.name] == "n")
            #expect(given[\.most] == 3)
            #expect(given[\.format] == .json)
            #expect(given[\.shape] == 2)
            #expect(given.words == ["w"])
        }
        try run("--word a --size large --word b --size small --b x --path p --paths q --paths r --right e") { given in
            #expect(given[\.more.words] == ["a", "b"])
            #expect(given[\.more][\.sizes] == [2, 1])
            #expect(given[\.more.several] == [nil, "x"])
            #expect(given[\.rest][\.path] == RawText("p"))
            #expect(given[\.rest.paths] == [RawText("q"), RawText("r")])
            #expect(given[\.ends].map { $0[\.option] } == [nil, "e"])
        }
    }

    @Test func anOptionThatIsNotTypedHasNoValue() throws {
        try run("") { given in
            #expect(!given[\.show] && !given[\.last])
            #expect(given[\.name] == nil && given[\.most] == nil && given[\.format] == nil && given[\.shape] == nil)
            #expect(given[\.more.words].isEmpty && given[\.more.sizes].isEmpty && given[\.more.several] == [nil, nil])
            #expect(given[\.rest.path] == nil && given[\.rest.paths].isEmpty)
            #expect(given.firstOption == nil && given[\.rest].firstOption == nil)
        }
    }

    @Test func anyBytesMakeAPath() throws {
        let path = RawText([0x66, 0xFF])
        try run([RawText("--path"), path]) { #expect($0[\.rest.path] == path) }
    }

    @Test func whatWasTypedIsKnownByItsLongForm() throws {
        try run("-s --b x --paths q") { given in
            #expect(given.firstOption == "--show")
            #expect(given[\.more].firstOption == "--b")
            #expect(given[\.rest].firstOption == "--paths")
            #expect(given.first(of: [\.last.facts, \.rest.paths.facts, \.show.facts]) == "--paths")
            #expect(given.first(of: [\.last.facts, \.name.facts]) == nil)
        }
    }

    @Test(arguments: [
        ("--most x", "--most takes a number"), ("--format jsn", "unknown format \"jsn\": did you mean json?"),
        ("--format x", "unknown format \"x\": use table or json"),
        ("--shape x", "unknown form \"x\": use round or flat"),
        ("--size small --size x", "unknown size \"x\": use small or large"),
        ("--name a --name b", "--name is given twice"),
    ])
    func aValueIsUnderstoodBeforeTheCommandRuns(_ line: String, _ expected: String) {
        let isRun = Atomic(false)
        let error = #expect(throws: UsageError.self) {
            try run(line) { _ in isRun.store(true, ordering: .relaxed) }
        }
        #expect(error?.description == expected)
        let wasRun = isRun.load(ordering: .relaxed)
        #expect(!wasRun)
    }

    @Test func everyPropertyIsDeclaredInItsGroup() {
        let command = Declaration(name: "x", summary: "do", options: Options(), run: { _ in "" })
        let groups = command.options.map { ($0.heading, $0.options.map(\.name)) }
        #expect(groups.map(\.0) == ["", "files", "ends", ""])
        #expect(
            groups.map(\.1) == [
                ["--show", "--name", "--most", "--format", "--shape", "--word", "--size", "--a", "--b"],
                ["--path", "--paths"], ["--left", "--right"], ["--last"],
            ])
    }

    @Test func completionOffersTheWordsOfAValue() {
        func words(_ facts: OptionFacts) -> [String] {
            if case .words(let words) = facts.values { words } else { [] }
        }
        let options = Options()
        #expect(words(options.format.facts) == ["table", "json"])
        #expect(words(options.shape.facts) == ["round", "flat"])
        #expect(words(options.more.sizes.facts) == ["small", "large"])
    }

    /// A list with a computed option, which is not declared because it is not stored.
    private struct Careless: OptionList {
        let show = Option("--show", says: "a flag")
        var hide: Option<Bool> { Option("--hide", says: "another") }
    }

    /// A command reads options by the properties of its list, so an option without a property does not compile. A
    /// computed property compiles, but it is not declared, and reading it ends the process.
    @Test func anOptionThatIsReadAndNotDeclaredEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let command = Declaration(
                name: "x", summary: "do", options: Careless(), run: { $0[\.show] || $0[\.hide] ? "yes" : "no" })
            var arguments = Arguments(command)
            _ = try arguments.understand([RawText]())?()
        }
    }
}
