internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// `latchkey get`
enum GetCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let clip = Clipboard.option
        let version = Option(
            "--version", value: "N", says: "write a former version: 1 for the last one, 2 for the one before",
            read: FormerVersion.number)
        let newline = Option("--newline", "-n", says: "add a line feed at the end unless there is one")
    }

    static let declaration = Declaration(
        name: "get", summary: "write a secret to standard output",
        text: """
            Writes a secret to standard output, byte by byte as it was saved. You authenticate at the terminal if the access
            policy of the secret requires it.

            --clip copies the secret, without a line feed at its end, with wl-copy, xclip or xsel, and over SSH to the clipboard
            of your terminal. If the clipboard still has the secret after 45 seconds (latchkey config --clipboard-time), it is
            cleared; that of a terminal over SSH only you can clear. A program that records the clipboard keeps the secret.
            """,
        operands: [
            Operand(name: "NAME", values: .secret),
            Operand(
                name: "FIELD", says: "a field instead of the value, such as user", values: .fields, isOptional: true),
        ],
        options: Options(),
        examples: [
            ("latchkey get work/github/token | wc -c", "hands a token to another program"),
            ("latchkey get --clip web/shop", "copies a password for 45 seconds"),
            (
                "PGPASSWORD=$(latchkey get db/password) psql",
                "sets a variable for one program; latchkey run does it more safely"
            ),
            ("latchkey get work/mail user", "writes a field of the secret"),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    /// Returns the request for what the command line names.
    private static func request(_ name: String, _ given: Given<Options>) -> any AgentCall<NoReply> {
        let field = given.words.count > 1 ? given.words[1] : nil
        let version = given[\.version]
        if field == nil && version == nil { return ReadCall(name) }
        return ReadPartCall(name, ReadPartCall.Selection(field: field, version: version))
    }

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        if given[\.clip] {
            if let other = given.first(of: [\.newline.facts]) {
                throw UsageError("--clip and \(other) exclude each other")
            }
            try copy(given)
            return ""
        }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let name = try access.chosen(given.words[0])
        var reply = try access.ask(request(name, given), because: "read \(name)")
        switch reply.secret.take() {
        case .none: break
        case .some(let secret):
            try SecretOutput.put(secret, isLine: isTerminal || given[\.newline])
        }
        return ""
    }

    private static func copy(_ given: Given<Options>) throws {
        // Look for the clipboard before the prompt, so that you never authenticate in vain.
        let clipboard = try Clipboard.find()
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let name = try access.chosen(given.words[0])
        var called = Terminal.line(name)
        if given.words.count > 1 { called = "the field \(Terminal.line(given.words[1])) of " + called }
        if let version = given[\.version] { called += ", version \(version)," }
        var reply = try access.ask(request(name, given), because: "copy \(name) to the clipboard")
        switch reply.secret.take() {
        case .none: throw AgentError(.agent, "the agent sent no secret for \(name)")
        case .some(let secret):
            let text = try SecretInput.withoutLastNewline(secret)
            try clipboard.copy(text, called: called, clearedAfter: try access.clipboardTime())
        }
    }
}
