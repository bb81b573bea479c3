internal import CommandLineKit
internal import Glibc
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
        let heading = "which"
        let filter = Option(
            "--filter", value: "TEXT", says: "those whose name or file holds TEXT, in which * stands for anything")
        let shard = Option(
            "--shard", value: "I/N", says: "the Ith of N parts, all of which together are everything",
            read: TestCommand.shard)
        let seed = Option(
            "--seed", value: "NUMBER", says: "in another order, the same for the same number"
        ) { (text) throws(UsageError) in
            guard let seed = UInt64(text) else {
                throw UsageError("--seed takes a number, and not \"\(Terminal.word(text))\"")
            }
            return seed
        }
        let failFast = Option("--fail-fast", says: "none after the first that fails")
        let watch = Option("--watch", says: "again whenever a file changes, until it is ended")
    }

    struct Told: OptionList {
        let heading = "what is shown"
        let format = Option<ReportFormat?>(
            "--format", value: "FORMAT", says: "human (the usual), tap, junit, json or github")
        let names = Option("--names", says: "the names of those that passed as well")
        let coverage = Option("--coverage", says: "which rules and flags were exercised, and which never")
        let minCoverage = percent("--min-coverage", "fails where less was exercised")
        let mutate = Option(
            "--mutate", says: "changes each item's policy in every single way, and says which changes nothing notices")
        let minNoticed = percent("--min-noticed", "fails where less of them is noticed")
        let schema = Option("--schema", says: "the JSON Schema of scenario files, for editors; plays nothing")
        let keys = Option("--keys", says: "every key of scenario files, as tables in Markdown; plays nothing")
    }

    static let declaration = Declaration(
        name: "test", summary: "play scenarios, which are unit tests for access policies",
        text: """
            Plays the scenarios in files, in folders with all below them, and in what patterns mean (quote them), each on a
            simulated device of its own with a vault in memory. docs/scenarios.md says what a scenario can say.
            """,
        operands: [Operand(name: "PATH", values: .file, isOptional: true, isRepeated: true)],
        options: Options(),
        statuses: [
            (0, "everything was as expected"), (1, "something was not"),
            (2, "a file or the command line was not understood"),
        ],
        group: "policies", usages: ["PATH… [OPTION…]"], run: run)

    /// What is to be done.
    struct Order {
        var paths: [String] = []
        var filters: [String] = []
        var shard: (part: Int, count: Int)?
        var seed: UInt64?
        var stopsEarly = false
        var format = ReportFormat.human
        var namesAll = false
        var tellsCoverage = false
        var leastCoverage: Double?
        var mutates = false
        var leastNoticed: Double?
    }

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        let (which, told) = (given[\.which], given[\.told])
        if told[\.schema] { return Schema.text() }
        if told[\.keys] { return KeyTable.text() }
        var order = Order(paths: given.words)
        order.filters = which[\.filter].map { [$0] } ?? []
        order.shard = which[\.shard]
        order.seed = which[\.seed]
        order.stopsEarly = which[\.failFast]
        order.format = told[\.format] ?? .human
        order.namesAll = told[\.names]
        order.tellsCoverage = told[\.coverage]
        order.leastCoverage = told[\.minCoverage]
        order.leastNoticed = told[\.minNoticed]
        order.mutates = told[\.mutate] || order.leastNoticed != nil
        if given.words.isEmpty { throw UsageError("name a file or a folder of scenarios") }
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
                "--shard takes a part and how many there are, such as 1/4, and not \"\(Terminal.word(text))\"")
        }
        return (part, count)
    }

    private static func percent(_ name: String, _ says: String) -> Option<Double?> {
        Option(name, value: "PERCENT", says: says) { (text) throws(UsageError) in
            guard let percent = Double(text), (0...100).contains(percent) else {
                throw UsageError("\(name) takes a number from 0 to 100, and not \"\(Terminal.word(text))\"")
            }
            return percent
        }
    }
}
