internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey new`
enum NewCommand {
    static let declaration = Declaration(
        name: "new", summary: "write a scenario to begin with",
        text: """
            Writes a scenario to begin with into FILE, which must not exist yet, or to standard output. It passes, and its
            comments say what can be changed: latchkey test FILE plays it.
            """,
        operands: [
            Operand(name: "FILE", values: .file, isOptional: true, ifMore: "one file at a time is written")
        ],
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given) -> String {
        guard let path = given.words.first, path != "-" else { return Starter.text }
        do { try OutputFile.create(path, with: Starter.text) } catch {
            Output.fail(Output.words(error, on: path), status: 1)
        }
        return "\(Terminal.line(path)) is written; to play it: latchkey test \(Terminal.line(path))\n"
    }
}
