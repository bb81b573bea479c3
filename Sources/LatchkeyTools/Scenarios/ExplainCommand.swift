internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import PolicyReports
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey explain`
enum ExplainCommand {
    struct Options: OptionList {
        let filter = Option(
            "--filter", value: "TEXT", says: "only scenarios whose name contains TEXT; * matches anything")
        let item = Option(
            "--item", value: "NAME", says: "only requests for this item or file, and the movements of this item")
        let device = Option(
            "--on", value: "DEVICE", says: "only steps and movements on this device, of a file with several")
        let step = Option("--step", value: "NUMBER", says: "only this step; the first is 1") {
            (text) throws(UsageError) in
            guard let number = Int(text), number != 0 else {
                throw UsageError("--step needs the number of a step, from 1 on")
            }
            return number
        }
    }

    static let declaration = Declaration(
        name: "explain", summary: "explain step by step why a scenario ends as it does",
        text: """
            Runs the scenarios in FILE and explains each step: the rules that fired, their meaning and source, the prompts, the
            result, and what would change it. In a file with several devices, it also explains the steps of their account, and
            the rules by which items moved between them or stayed.
            """,
        operands: [Operand(name: "FILE", values: .file, ifMissing: missing, ifMore: missing)],
        options: Options(),
        examples: [
            ("latchkey explain token.yaml", ""),
            ("latchkey explain token.yaml --item token --step 3", "explains one step"),
            ("latchkey explain account.yaml --item seed --on pad", "explains how an item came to a device, or why not"),
        ],
        statuses: [
            (0, "every scenario passed"), (1, "a scenario failed"),
            (2, "the file or the command line was not understood"),
        ],
        group: "policies", run: run)

    private static let missing = "name one scenario file"

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        Leftovers.neverRemain()
        var suite = Suite(files: given.words)
        if !suite.isUnderstood { exit(Complaints.tell(suite, as: .human)) }
        suite.keep(matching: given[\.filter].map { [$0] } ?? [])
        if suite.scenarios.isEmpty {
            throw UsageError(
                !suite.claiming.isEmpty
                    ? "this file has only claims: prove them with `latchkey prove`"
                    : given[\.filter] == nil ? "this file has no scenario" : "no scenario matches --filter")
        }
        if let item = given[\.item] {
            let known = Set(suite.scenarios.flatMap { $0.items.map(\.name) + $0.files.map(\.name) })
            if !known.contains(item) { throw UsageError(unknown: "item", item, among: known.sorted()) }
        }
        if let device = given[\.device] {
            let known = Set(suite.scenarios.flatMap { $0.devices.map(\.name) })
            if known.isEmpty { throw UsageError("this file has one device, so --on has nothing to choose") }
            if !known.contains(device) { throw UsageError(unknown: "device", device, among: known.sorted()) }
        }
        let explanation = Explanation(
            colored: Output.isColored, framed: Output.borderWidth != nil, item: given[\.item], on: given[\.device],
            step: given[\.step])
        let stories = suite.scenarios.compactMap { explanation.text(of: $0) }
        if stories.isEmpty { throw UsageError("this file has no such step") }
        Output.write(stories.map(\.text).joined())
        if !stories.allSatisfy(\.passed) { exit(1) }
        return ""
    }
}
