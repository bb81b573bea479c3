internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey new`
enum NewCommand {
    static let declaration = Declaration(
        name: "new", summary: "write a first scenario file",
        text: """
            Writes a first scenario to FILE, which must not exist and ends in .yaml, or to standard output. It passes, and its
            comments say what you can change. Run it with latchkey test FILE. A new secret comes from latchkey set NAME.
            """,
        operands: [
            Operand(name: "FILE", values: .file, isOptional: true, ifMore: "name only one file")
        ],
        examples: [("latchkey new token.yaml", "writes a file that latchkey test runs")], group: "policies", run: run)

    @Sendable private static func run(_ given: Given<NoOptions>) throws(UsageError) -> String {
        guard let path = given.words.first, path != "-" else { return Starter.text }
        // Another program's `new` makes a secret.
        guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else {
            throw UsageError(
                "\(Terminal.line(path)) is no name of a scenario file, which ends in .yaml. To store a secret, run `latchkey set "
                    + "\(Shell.word(path))`")
        }
        do { try OutputFile.create(path, with: Starter.text) } catch {
            Output.fail(Output.words(error, on: path), status: 1)
        }
        return "Wrote \(Terminal.line(path)). To run it: latchkey test \(Terminal.line(path))\n"
    }
}
