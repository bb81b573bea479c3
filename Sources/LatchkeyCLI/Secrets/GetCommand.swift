internal import Glibc
internal import LatchkeyAgent
internal import PolicyScenarios
internal import SodiumKit

/// `latchkey get`
enum GetCommand {
    static let declaration = Declaration(
        name: "get", summary: "bring out a secret",
        text: """
            Writes a secret to standard output, byte by byte as it was kept. What it demands is asked for at the terminal. On a
            terminal it is shown only after a question, or with --show.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: [
            OptionGroup(options: [
                VaultAccess.option, Option("--show", "show it on a terminal without a question"),
                Option("--newline", "-n", "end it with a new line, where it does not end with one"),
            ])
        ],
        examples: [
            ("latchkey get work/github/token | wc -c", "counts the bytes of a token"),
            (
                "PGPASSWORD=$(latchkey get db/password) psql",
                "hands a password to one program; latchkey run does so better"
            ),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given) throws -> String {
        let name = given.words[0]
        let isTerminal = isatty(STDOUT_FILENO) == 1
        if isTerminal && !given.has("--show") && !YesOrNo.ask("Show \(printable(name)) on this terminal?") {
            throw Fault(.dismissed, "it was not shown: --show shows it without a question")
        }
        let access = try VaultAccess(given)
        var reply = try access.ask(.read(name), because: "read \(name)")
        switch reply.secret.take() {
        case .none: break
        case .some(let secret):
            guard SecretOutput.write(secret, to: STDOUT_FILENO) else { throw OutputError(code: errno) }
            let endsLine = secret.withBytes { bytes in
                bytes.byteCount > 0
                    && bytes.unsafeLoad(fromByteOffset: bytes.byteCount - 1, as: UInt8.self) == UInt8(ascii: "\n")
            }
            if (isTerminal || given.has("--newline")) && !endsLine { return "\n" }
        }
        return ""
    }
}

/// A question to whoever is at the terminal, that is answered by yes or no.
enum YesOrNo {
    /// Whether they said yes; no where nobody can be asked.
    static func ask(_ question: String) -> Bool {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        guard Output.write("\(question) [y/N] ", to: terminal) else { return false }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(terminal, &byte, 1) == 1, byte != UInt8(ascii: "\n"), line.count < 16 { line.append(byte) }
        return ["y", "Y", "yes"].contains(String(decoding: line, as: UTF8.self))
    }
}
