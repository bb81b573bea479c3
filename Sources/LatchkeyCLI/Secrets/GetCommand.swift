internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// `latchkey get`
enum GetCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let show = Option("--show", says: "show the secret on a terminal without asking")
        let newline = Option("--newline", "-n", says: "add a line feed at the end unless there is one")
    }

    static let declaration = Declaration(
        name: "get", summary: "write a secret to standard output",
        text: """
            Writes a secret to standard output, byte by byte as it was saved. You authenticate at the terminal if the access
            policy of the secret requires it. If standard output is a terminal and the policy requires nothing, the command asks
            before it shows the secret.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey get work/github/token | wc -c", "hands a token to another program"),
            (
                "PGPASSWORD=$(latchkey get db/password) psql",
                "sets a variable for one program; latchkey run does it more safely"
            ),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        if isTerminal && !given[\.show] {
            // Look before the question, so that you are never asked about a secret that does not exist.
            let policy = try access.entry(of: name, because: "read \(name)").item.policy
            let question = "Show \(Terminal.line(name)) on this terminal?"
            guard try policy.isProtected || access.prompter.confirms(question, else: "add --show to show the secret")
            else {
                throw AgentError(.dismissed, "the secret was not shown: add --show to show it without asking")
            }
        }
        var reply = try access.ask(.read(name), because: "read \(name)")
        switch reply.secret.take() {
        case .none: break
        case .some(let secret):
            guard SecretOutput.write(secret, to: STDOUT_FILENO) else { throw OutputError(code: errno) }
            let endsLine = secret.withBytes { bytes in
                bytes.byteCount > 0
                    && bytes.unsafeLoad(fromByteOffset: bytes.byteCount - 1, as: UInt8.self) == UInt8(ascii: "\n")
            }
            if (isTerminal || given[\.newline]) && !endsLine { return "\n" }
        }
        return ""
    }
}
