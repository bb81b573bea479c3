internal import CommandLineKit

/// `latchkey completion`
enum CompletionCommand {
    private static let shells = ["bash", "zsh", "fish"]

    static let declaration = Declaration(
        name: "completion", summary: "print what lets a shell complete commands, options, files and names",
        text: """
            Prints a script for the shell that is named, which then completes commands, options and their values, files, and
            the names of secrets. docs/command-line.md says where shells look for it.
            """,
        operands: [Operand(name: "SHELL", says: "bash, zsh or fish", values: .words(shells))],
        examples: [
            ("source <(latchkey completion bash)", "in ~/.bashrc or ~/.zshrc (there with zsh, and after compinit)"),
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
