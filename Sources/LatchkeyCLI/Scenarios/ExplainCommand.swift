internal import CommandLineKit
internal import Glibc
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey explain`
enum ExplainCommand {
    struct Options: OptionList {
        let filter = Option(
            "--filter", value: "TEXT", says: "only scenarios whose name holds TEXT, in which * stands for anything")
        let item = Option("--item", value: "NAME", says: "only what is asked of this item")
        let step = Option("--step", value: "NUMBER", says: "only this step, counted from one") {
            (text) throws(UsageError) in
            guard let number = Int(text), number != 0 else {
                throw UsageError("--step takes the number of a step, counted from one")
            }
            return number
        }
    }

    static let declaration = Declaration(
        name: "explain", summary: "say step by step why a scenario comes out as it does",
        text: """
            Plays the scenarios of a file and says step by step what was decided: each rule that fired, what it says and
            where it is known from, what people were asked for, what came of it, and what would turn it.
            """,
        operands: [Operand(name: "FILE", values: .file, ifMissing: missing, ifMore: missing)],
        options: Options(),
        statuses: [
            (0, "everything was as expected"), (1, "something was not"),
            (2, "the file or the command line was not understood"),
        ],
        group: "policies", run: run)

    private static let missing = "name one file of scenarios"

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        Leftovers.neverRemain()
        var suite = Suite(files: given.words)
        if !suite.isUnderstood { exit(Complaints.tell(suite, as: .human)) }
        suite.keep(matching: given[\.filter].map { [$0] } ?? [])
        if suite.scenarios.isEmpty {
            throw UsageError(
                !suite.claiming.isEmpty
                    ? "there are only claims in this file: latchkey prove proves them"
                    : given[\.filter] == nil ? "there is no scenario in this file" : "no scenario is called so")
        }
        if let item = given[\.item] {
            let known = Set(suite.scenarios.flatMap { $0.items.map(\.name) })
            if !known.contains(item) { throw UsageError(unknown: "item", item, among: known.sorted()) }
        }
        let explanation = Explanation(
            colored: Output.isColored, item: given[\.item], step: given[\.step])
        let stories = suite.scenarios.compactMap { explanation.text(of: $0) }
        if stories.isEmpty { throw UsageError("there is no such step in this file") }
        Output.write(stories.map(\.text).joined())
        if !stories.allSatisfy(\.passed) { exit(1) }
        return ""
    }
}
