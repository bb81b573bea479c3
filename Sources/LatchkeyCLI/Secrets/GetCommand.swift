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
        let show = Option("--show", says: "show it on a terminal without a question")
        let newline = Option("--newline", "-n", says: "end it with a new line, where it does not end with one")
    }

    static let declaration = Declaration(
        name: "get", summary: "bring out a secret",
        text: """
            Writes a secret to standard output, byte by byte as it was kept. What it demands is asked for at the terminal. On a
            terminal it is shown only after a question, or with --show.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey get work/github/token | wc -c", "counts the bytes of a token"),
            (
                "PGPASSWORD=$(latchkey get db/password) psql",
                "hands a password to one program; latchkey run does so better"
            ),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let access = try VaultAccess(given[\.vault])
        if isTerminal && !given[\.show] {
            // Nobody is asked whether to show what is not there.
            _ = try access.entry(of: name, because: "read \(name)")
            guard YesOrNo.ask("Show \(Terminal.line(name)) on this terminal?") else {
                throw AgentError(.dismissed, "it was not shown: --show shows it without a question")
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
