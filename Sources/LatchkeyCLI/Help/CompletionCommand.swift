internal import CommandLineKit

/// `latchkey completion`
enum CompletionCommand {
    private static let shells = ["bash", "zsh", "fish"]

    static let declaration = Declaration(
        name: "completion", summary: "print the completion script of a shell",
        text: """
            Prints a script with which your shell completes commands, options, their values, files and the names of secrets.
            docs/command-line.md lists the places where shells look for it.
            """,
        operands: [Operand(name: "SHELL", says: "bash, zsh or fish", values: .words(shells))],
        examples: [
            ("source <(latchkey completion bash)", "in ~/.bashrc; in ~/.zshrc with zsh, after compinit"),
            ("latchkey completion fish > ~/.config/fish/completions/latchkey.fish", ""),
        ],
        group: "this command", run: run)

    @Sendable private static func run(_ given: Given<NoOptions>) throws(UsageError) -> String {
        switch given.words[0] {
        case "bash": BashCompletion.script(of: given.program)
        case "zsh": ZshCompletion.script(of: given.program)
        case "fish": FishCompletion.script(of: given.program)
        default: throw UsageError(unknown: "shell", given.words[0], among: shells)
        }
    }
}
