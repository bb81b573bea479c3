internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText

/// `latchkey completion`, and `latchkey complete`, which only the scripts that it prints run.
enum CompletionCommand {
    private static let shells = Choice(Shell.allCases.map { ($0.rawValue, $0) }, "shell")

    static let declaration = Declaration(
        name: "completion", summary: "print the completion script of a shell",
        text: """
            Prints a script with which your shell completes commands, options, their values, files and the names of secrets.
            docs/command-line.md lists the places where shells look for it.
            """,
        operands: [Operand(name: "SHELL", says: "bash, zsh or fish", values: shells.values)],
        examples: [
            ("source <(latchkey completion bash)", "in ~/.bashrc; in ~/.zshrc with zsh, after compinit"),
            ("latchkey completion fish > ~/.config/fish/completions/latchkey.fish", ""),
        ],
        group: "this command", run: { try shells.read($0.words[0]).script })

    /// Writes what a shell offers, if its script runs the command for that. Returns false for any other command line.
    static func answers(_ words: [RawText]) -> Bool {
        let completion = Completion(of: Tools.program, home: SystemPath.variable("HOME") ?? "")
        guard let answer = completion.answer(to: words) else { return false }
        // The user may type a path that is not UTF-8.
        PathText.bytes(answer).withUnsafeBytes { _ = Descriptors.write($0, to: STDOUT_FILENO) }
        return true
    }
}
