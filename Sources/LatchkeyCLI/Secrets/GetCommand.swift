internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
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
        let access = try VaultAccess(given)
        if isTerminal && !given.has("--show") {
            // Nobody is asked whether to show what is not there.
            _ = try access.entry(of: name, because: "read \(name)")
            guard YesOrNo.ask("Show \(Terminal.line(name)) on this terminal?") else {
                throw Fault(.dismissed, "it was not shown: --show shows it without a question")
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
            if (isTerminal || given.has("--newline")) && !endsLine { return "\n" }
        }
        return ""
    }
}

/// A question to whoever is at the terminal, that is answered by yes or no.
enum YesOrNo {
    /// Returns true if they said yes; no where nobody can be asked.
    static func ask(_ question: String) -> Bool {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        // What was typed ahead answers nothing.
        tcflush(terminal, TCIFLUSH)
        // After a stop the question is asked again: going on ends a wait, but only for what has a handler, and only once it
        // waits.
        var noted = sigaction()
        var usual = sigaction()
        noted.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGCONT, &noted, &usual)
        defer { sigaction(SIGCONT, &usual, nil) }
        let former = SignalSet([SIGCONT]).hold()
        defer { former.holdOnly() }
        // A line that is longer is no answer, and its rest is not for whoever reads the terminal next.
        var line = [UInt8](repeating: 0, count: 4096)
        var isAnswered: Bool?
        repeat {
            guard Output.write("\(question) [y/N] ", to: terminal) else { return false }
            isAnswered = former.wait(for: terminal)
        } while isAnswered == nil
        let count = isAnswered == true ? read(terminal, &line, line.count) : 0
        return ["y\n", "Y\n", "yes\n"].contains(String(decoding: line.prefix(max(0, count)), as: UTF8.self))
    }
}
