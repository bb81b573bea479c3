internal import Glibc
internal import PolicyScenarios

/// `latchkey explain`
enum ExplainCommand {
    private static let help = """
        usage: latchkey explain FILE [--filter TEXT] [--item NAME] [--step NUMBER]

        Plays the scenarios of a file and says step by step what was decided: each rule that fired, what it says and where
        it is known from, what people were asked for, what came of it, and what would turn it.

          --filter TEXT   only scenarios whose name holds TEXT, in which * stands for anything
          --item NAME     only what is asked of this item
          --step NUMBER   only this step, counted from one

        Exit status: 0 everything was as expected, 1 something was not, 2 the file or the command line was not understood.

        """

    static func run(_ arguments: inout Arguments) throws(UsageError) -> String {
        let (values, set, words) = try arguments.options(
            withValue: ["--filter", "--item", "--step"], alone: ["--help", "-h"], takesWords: true)
        if !set.isEmpty { return help }
        guard words.count == 1 else { throw UsageError("name one file of scenarios") }
        let number = values["--step"].map { Int($0) }
        if number == .some(nil) || number == 0 {
            throw UsageError("--step takes the number of a step, counted from one")
        }
        Leftovers.neverRemain()
        var suite = Suite(files: words)
        if !suite.isUnderstood { exit(Complaints.tell(suite, as: .human)) }
        suite.keep(matching: values["--filter"].map { [$0] } ?? [])
        if suite.scenarios.isEmpty {
            throw UsageError(
                values["--filter"] == nil ? "there is no scenario in this file" : "no scenario is called so")
        }
        if let item = values["--item"] {
            let known = Set(suite.scenarios.flatMap { $0.items.map(\.name) })
            if !known.contains(item) { throw UsageError(unknown: "item", item, among: known.sorted()) }
        }
        let explanation = Explanation(
            coloured: Output.isColoured, item: values["--item"], step: number ?? nil)
        let stories = suite.scenarios.compactMap { explanation.text(of: $0) }
        if stories.isEmpty { throw UsageError("there is no such step in this file") }
        Output.write(stories.map(\.text).joined())
        if !stories.allSatisfy(\.passed) { exit(1) }
        return ""
    }
}
