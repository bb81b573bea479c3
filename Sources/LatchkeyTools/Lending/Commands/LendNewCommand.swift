internal import CommandLineKit
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import ScenarioFormat

/// `latchkey lend new`
enum LendNewCommand {
    static let declaration = Declaration(
        name: "new", summary: "write a first profile",
        text: """
            Writes a first profile to FILE, which must not exist, or to standard output. Its comments say what you can change.
            """,
        operands: [Operand(name: "FILE", values: .file, isOptional: true, ifMore: "name only one file")],
        examples: [("latchkey lend new site.yaml", "writes a profile for one service")], run: run)

    @Sendable private static func run(_ given: Given<NoOptions>) throws -> String {
        guard let path = given.words.first, path != "-" else { return LoanStarter.text }
        do { try OutputFile.create(path, with: LoanStarter.text) } catch {
            Output.fail(Output.words(error, on: path), status: 1)
        }
        let shown = Terminal.line(path)
        return "Wrote \(shown). To see what it lends: latchkey lend check \(shown)\n"
    }
}
