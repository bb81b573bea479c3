internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import PlainText
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey test`
enum TestCommand {
    struct Options: OptionList {
        let which = Which()
        let told = Told()
    }

    struct Which: OptionList {
        let heading = "selection"
        let filter = Option(
            "--filter", value: "TEXT", says: "only scenarios whose name or file contains TEXT; * matches anything")
        let shard = Option(
            "--shard", value: "I/N", says: "only part I of N; all N parts together are everything",
            read: TestCommand.shard)
        let seed = Option(
            "--seed", value: "NUMBER", says: "run in the random order of this number"
        ) { (text) throws(UsageError) in
            guard let seed = UInt64(text) else {
                throw UsageError("--seed needs a number, not \"\(Terminal.word(text))\"")
            }
            return seed
        }
        let failFast = Option("--fail-fast", says: "stop after the first failure")
        let watch = Option("--watch", says: "run again whenever a file changes, until you press Ctrl-C")
    }

    struct Told: OptionList {
        let heading = "report"
        let format = Option<ReportFormat?>(
            "--format", value: "FORMAT", says: "human (the default), tap, junit, json, github or html")
        let output = Output.option
        let names = Option("--names", says: "name the scenarios that passed, too")
        let coverage = Option("--coverage", says: "show which rules and flags were exercised")
        let minCoverage = percent("--min-coverage", "fail if fewer rules and flags were exercised")
        let mutate = Option(
            "--mutate", says: "change each policy in every way, and show which changes no scenario notices")
        let minNoticed = percent("--min-noticed", "fail if fewer changes of --mutate are noticed")
        let schema = Option("--schema", says: "print the JSON Schema of scenario files, and run nothing")
        let keys = Option("--keys", says: "print every key of scenario files in Markdown, and run nothing")
    }

    static let declaration = Declaration(
        name: "test", summary: "run scenarios, the unit tests of access policies",
        text: """
            Runs the scenarios in files, folders and patterns (quote these). Each runs on its own simulated device, with a vault
            in memory. docs/scenarios.md describes the files.
            """,
        operands: [Operand(name: "PATH", values: .file, isOptional: true, isRepeated: true)],
        options: Options(),
        examples: [
            ("latchkey test token.yaml", ""),
            ("latchkey test policies --format junit > report.xml", "for a CI system"),
            ("latchkey test policies --format html --output report.html", "a page with every step, for people"),
            ("latchkey test policies --mutate", "tests the tests"),
        ],
        statuses: [
            (0, "every scenario passed"), (1, "a scenario failed, or --min-coverage or --min-noticed is not met"),
            (2, "a file or the command line was not understood"),
        ],
        group: "policies", usages: ["PATH… [OPTION…]"], run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        let (which, told) = (given[\.which], given[\.told])
        if told[\.schema] { return JSONSchema.text() }
        if told[\.keys] { return KeyTable.text() }
        var order = TestOrder(paths: given.words)
        order.filters = which[\.filter].map { [$0] } ?? []
        order.shard = which[\.shard]
        order.seed = which[\.seed]
        order.stopsEarly = which[\.failFast]
        order.format = told[\.format] ?? .human
        order.output = told[\.output]
        order.namesAll = told[\.names]
        order.tellsCoverage = told[\.coverage]
        order.leastCoverage = told[\.minCoverage]
        order.leastNoticed = told[\.minNoticed]
        order.mutates = told[\.mutate] || order.leastNoticed != nil
        if given.words.isEmpty { throw UsageError("name a scenario file, or a folder of them") }
        Leftovers.neverRemain()
        let run = TestRun(order)
        if which[\.watch] { Watching.forever(run) }
        let status = run.run().status
        if status != 0 { exit(status) }
        return ""
    }

    @Sendable private static func shard(_ text: String) throws(UsageError) -> (part: Int, count: Int) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let part = numbers[0], let count = numbers[1], count > 0, (1...count).contains(part)
        else {
            throw UsageError(
                "--shard needs a part and the number of parts, such as 1/4, not \"\(Terminal.word(text))\"")
        }
        return (part, count)
    }

    private static func percent(_ name: String, _ says: String) -> Option<Double?> {
        Option(name, value: "PERCENT", says: says) { (text) throws(UsageError) in
            guard let percent = Double(text), (0...100).contains(percent) else {
                throw UsageError("\(name) needs a number from 0 to 100, not \"\(Terminal.word(text))\"")
            }
            return percent
        }
    }
}
