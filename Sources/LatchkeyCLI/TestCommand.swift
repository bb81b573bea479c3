internal import Glibc
internal import PolicyScenarios

/// `latchkey test`
enum TestCommand {
    static let help = """
        usage: latchkey test PATH… [OPTION…]

        Plays the scenarios in files, in folders with all below them, and in what patterns mean (quote them), each on a
        simulated device of its own with a vault in memory. docs/scenarios.md says what a scenario can say.

        which:
          --filter TEXT       those whose name or file holds TEXT, in which * stands for anything
          --shard I/N         the Ith of N parts, all of which together are everything
          --seed NUMBER       in another order, the same for the same number
          --fail-fast         none after the first that fails
          --watch             again whenever a file changes, until it is ended

        what is told:
          --format FORMAT     human (the usual), tap, junit, json or github
          --names             the names of those that passed as well
          --coverage          which rules and flags were exercised, and which never
          --min-coverage PERCENT   fails where less was exercised
          --mutate            changes each item's policy in every single way, and says which changes nothing notices
          --min-noticed PERCENT    fails where less of them is noticed
          --schema            the JSON Schema of scenario files, for editors; plays nothing
          --keys              every key of scenario files, as tables in Markdown; plays nothing

        Exit status: 0 everything was as expected, 1 something was not, 2 a file or the command line was not understood.

        """

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

    static func run(_ arguments: inout Arguments) throws(UsageError) -> String {
        let (values, set, words) = try arguments.options(
            withValue: ["--filter", "--shard", "--seed", "--format", "--min-coverage", "--min-noticed"],
            alone: [
                "--fail-fast", "--watch", "--names", "--coverage", "--mutate", "--schema", "--keys", "--help", "-h",
            ],
            takesWords: true)
        if set.contains("--help") || set.contains("-h") { return help }
        if set.contains("--schema") { return Schema.text() }
        if set.contains("--keys") { return KeyTable.text() }
        var order = Order(paths: words)
        order.filters = values["--filter"].map { [$0] } ?? []
        order.shard = try values["--shard"].map(shard)
        order.seed = try values["--seed"].map(seed)
        order.stopsEarly = set.contains("--fail-fast")
        order.namesAll = set.contains("--names")
        order.tellsCoverage = set.contains("--coverage")
        order.leastCoverage = try percent(values, "--min-coverage")
        order.leastNoticed = try percent(values, "--min-noticed")
        order.mutates = set.contains("--mutate") || order.leastNoticed != nil
        if let name = values["--format"] {
            guard let format = ReportFormat(rawValue: name) else {
                throw UsageError(unknown: "format", name, among: ReportFormat.allCases.map(\.rawValue))
            }
            order.format = format
        }
        if words.isEmpty { throw UsageError("name a file or a folder of scenarios") }
        Leftovers.neverRemain()
        let run = TestRun(order)
        if set.contains("--watch") { Watching.forever(run) }
        let status = run.run().status
        if status != 0 { exit(status) }
        return ""
    }

    private static func shard(_ text: String) throws(UsageError) -> (part: Int, count: Int) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let part = numbers[0], let count = numbers[1], count > 0, (1...count).contains(part)
        else {
            throw UsageError("--shard takes a part and how many there are, such as 1/4, and not \"\(shown(text))\"")
        }
        return (part, count)
    }

    private static func seed(_ text: String) throws(UsageError) -> UInt64 {
        guard let seed = UInt64(text) else { throw UsageError("--seed takes a number, and not \"\(shown(text))\"") }
        return seed
    }

    private static func percent(_ values: [String: String], _ option: String) throws(UsageError) -> Double? {
        guard let text = values[option] else { return nil }
        guard let percent = Double(text), (0...100).contains(percent) else {
            throw UsageError("\(option) takes a number from 0 to 100, and not \"\(shown(text))\"")
        }
        return percent
    }
}
