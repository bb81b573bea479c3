internal import Glibc
internal import PlainText
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey test`
enum TestCommand {
    static let declaration = Declaration(
        name: "test", summary: "play scenarios, which are unit tests for access policies",
        text: """
            Plays the scenarios in files, in folders with all below them, and in what patterns mean (quote them), each on a
            simulated device of its own with a vault in memory. docs/scenarios.md says what a scenario can say.
            """,
        operands: [Operand(name: "PATH", values: .file, isOptional: true, isRepeated: true)],
        options: [which, told],
        statuses: [
            (0, "everything was as expected"), (1, "something was not"),
            (2, "a file or the command line was not understood"),
        ],
        group: "policies", usages: ["PATH… [OPTION…]"], run: run)

    private static let which = OptionGroup(
        heading: "which",
        options: [
            Option("--filter", value: "TEXT", "those whose name or file holds TEXT, in which * stands for anything"),
            Option("--shard", value: "I/N", "the Ith of N parts, all of which together are everything"),
            Option("--seed", value: "NUMBER", "in another order, the same for the same number"),
            Option("--fail-fast", "none after the first that fails"),
            Option("--watch", "again whenever a file changes, until it is ended"),
        ])

    private static let told = OptionGroup(
        heading: "what is told",
        options: [
            Option(
                "--format", value: "FORMAT", "human (the usual), tap, junit, json or github",
                values: .words(ReportFormat.allCases.map(\.rawValue))),
            Option("--names", "the names of those that passed as well"),
            Option("--coverage", "which rules and flags were exercised, and which never"),
            Option("--min-coverage", value: "PERCENT", "fails where less was exercised"),
            Option(
                "--mutate", "changes each item's policy in every single way, and says which changes nothing notices"),
            Option("--min-noticed", value: "PERCENT", "fails where less of them is noticed"),
            Option("--schema", "the JSON Schema of scenario files, for editors; plays nothing"),
            Option("--keys", "every key of scenario files, as tables in Markdown; plays nothing"),
        ])

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

    @Sendable private static func run(_ given: Given) throws(UsageError) -> String {
        if given.has("--schema") { return Schema.text() }
        if given.has("--keys") { return KeyTable.text() }
        var order = Order(paths: given.words)
        order.filters = given["--filter"].map { [$0] } ?? []
        order.shard = try given["--shard"].map(shard)
        order.seed = try given["--seed"].map(seed)
        order.stopsEarly = given.has("--fail-fast")
        order.namesAll = given.has("--names")
        order.tellsCoverage = given.has("--coverage")
        order.leastCoverage = try percent(given, "--min-coverage")
        order.leastNoticed = try percent(given, "--min-noticed")
        order.mutates = given.has("--mutate") || order.leastNoticed != nil
        if let name = given["--format"] {
            guard let format = ReportFormat(rawValue: name) else {
                throw UsageError(unknown: "format", name, among: ReportFormat.allCases.map(\.rawValue))
            }
            order.format = format
        }
        if given.words.isEmpty { throw UsageError("name a file or a folder of scenarios") }
        Leftovers.neverRemain()
        let run = TestRun(order)
        if given.has("--watch") { Watching.forever(run) }
        let status = run.run().status
        if status != 0 { exit(status) }
        return ""
    }

    private static func shard(_ text: String) throws(UsageError) -> (part: Int, count: Int) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let part = numbers[0], let count = numbers[1], count > 0, (1...count).contains(part)
        else {
            throw UsageError(
                "--shard takes a part and how many there are, such as 1/4, and not \"\(Terminal.word(text))\"")
        }
        return (part, count)
    }

    private static func seed(_ text: String) throws(UsageError) -> UInt64 {
        guard let seed = UInt64(text) else {
            throw UsageError("--seed takes a number, and not \"\(Terminal.word(text))\"")
        }
        return seed
    }

    private static func percent(_ given: Given, _ option: String) throws(UsageError) -> Double? {
        guard let text = given[option] else { return nil }
        guard let percent = Double(text), (0...100).contains(percent) else {
            throw UsageError("\(option) takes a number from 0 to 100, and not \"\(Terminal.word(text))\"")
        }
        return percent
    }
}
