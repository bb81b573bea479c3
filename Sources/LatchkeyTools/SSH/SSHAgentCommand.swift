internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import PlainText

/// `latchkey ssh-agent`
enum SSHAgentCommand {
    /// The shells whose syntax the command knows.
    enum Shell: String, CaseIterable, Sendable {
        case sh = "sh"
        case csh = "csh"
        case fish = "fish"

        static var ofTheUser: Shell {
            let name = getenv("SHELL").map { String(cString: $0) }?.split(separator: "/").last.map(String.init) ?? ""
            if name.hasSuffix("csh") { return .csh }
            return name == "fish" ? .fish : .sh
        }

        /// Returns the line that sets and exports a variable.
        func line(_ name: String, _ value: String) -> String {
            switch self {
            case .sh: "\(name)=\(value); export \(name);\n"
            case .csh: "setenv \(name) \(value);\n"
            case .fish: "set -gx \(name) \(value);\n"
            }
        }
    }

    struct Options: OptionList {
        let vault = VaultAccess.option
        let shell = Option<Shell?>(
            "--shell", value: "SHELL",
            says: "print the commands of this shell: sh, csh or fish; by default that of SHELL")
    }

    static let declaration = Declaration(
        name: "ssh-agent", summary: "print the commands that have ssh and git use the vault",
        text: """
            Starts the agent if there is none, and prints the command for your shell that sets SSH_AUTH_SOCK to the socket
            for SSH clients. That path stays the same, so it can also be in a file (docs/ssh.md). `latchkey ssh add` chooses
            the keys that SSH clients see.
            """,
        options: Options(),
        examples: [
            ("eval \"$(latchkey ssh-agent)\"", "in the file of your shell"),
            ("latchkey ssh-agent --shell fish | source", ""),
        ],
        statuses: ExitStatus.all(but: [.notFound, .locked, .denied, .dismissed, .wrong, .noTerminal, .exists]),
        group: "helpers", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try KeyAccess(given[\.vault], mayAsk: false)
        let listing = try SSHListing(access)
        guard let socket = listing.socket else {
            let trouble = listing.trouble ?? "end what listens beside its own socket"
            throw AgentError(
                .agent, "the agent cannot listen for SSH clients: \(trouble); then run `latchkey agent stop`")
        }
        return (given[\.shell] ?? .ofTheUser).line("SSH_AUTH_SOCK", ShellWord.quoted(socket))
    }
}
