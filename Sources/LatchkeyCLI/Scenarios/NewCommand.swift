internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey new`
enum NewCommand {
    static let declaration = Declaration(
        name: "new", summary: "write a first scenario file",
        text: """
            Writes a first scenario to FILE, which must not exist, or to standard output. It passes, and its comments say what
            you can change. Run it with latchkey test FILE.
            """,
        operands: [
            Operand(name: "FILE", values: .file, isOptional: true, ifMore: "name only one file")
        ],
        examples: [("latchkey new token.yaml", "")], group: "policies", run: run)

    @Sendable private static func run(_ given: Given<NoOptions>) -> String {
        guard let path = given.words.first, path != "-" else { return Starter.text }
        do { try OutputFile.create(path, with: Starter.text) } catch {
            Output.fail(Output.words(error, on: path), status: 1)
        }
        return "Wrote \(Terminal.line(path)). To run it: latchkey test \(Terminal.line(path))\n"
    }
}
