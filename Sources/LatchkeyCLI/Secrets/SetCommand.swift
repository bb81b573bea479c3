internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import SecretTools
internal import SodiumKit
internal import UserPresence

/// `latchkey set`
enum SetCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let secret = Secret()
        let policy = ItemPolicyWords.Options()
    }

    struct Secret: OptionList {
        let heading = "the secret"
        let file = Option(path: "--from-file", says: "what is in this file, byte by byte")
        let trim = SetCommand.trim
        let replace = Option("--replace", says: "in the place of one of that name; its demand is set anew as well")
        let comment = SetCommand.comment
    }

    static let trim = Option("--trim", says: "without the end of the last line")
    static let comment = Option("--comment", value: "TEXT", says: "a note beside it, which is no secret")

    static let declaration = Declaration(
        name: "set", summary: "keep a secret",
        text: """
            Keeps a secret under NAME, a path such as work/github/token. It is asked for at the terminal, without echo, or read
            from standard input, or from a file; never from the command line, which others can see. Where there is one of that
            name, nothing is changed without --replace.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey set work/github/token", "asks for the token, which presence opens from now on"),
            (
                "latchkey set ssh/passphrase --require 'biometryAny or devicePasscode'",
                "the same for another demand"
            ),
            ("pwgen -s 32 1 | latchkey set --trim db/password", "keeps what a program writes"),
        ],
        statuses: ExitStatus.all(but: [.notFound]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let (name, options) = (given.words[0], given[\.secret])
        do { _ = try SecretName(name) } catch { throw AgentError(.request, "\(error)") }
        let policy = try ItemPolicyWords.policy(given[\.policy]) ?? .usual
        let access = try VaultAccess(given[\.vault])
        // Before anybody has typed anything.
        if try !options[\.replace] && access.has(name, because: "keep \(name)") { throw isThere(name) }
        let secret = try secret(from: options[\.file], trimmed: options[\.trim], access.user, for: name)
        let request = Request.add(name, policy, comment: options[\.comment], replaces: options[\.replace])
        try keep(secret, as: name, by: request, access)
        return ""
    }

    /// Keeps a secret by a request that adds it.
    static func keep(
        _ secret: borrowing SecureBytes, as name: String, by request: Request, _ access: VaultAccess
    ) throws {
        do throws(AgentError) {
            _ = try access.ask(request, because: "keep \(name)", sending: secret)
        } catch {
            guard error.kind == .exists else { throw error }
            throw isThere(name)
        }
    }

    static func isThere(_ name: String) -> AgentError {
        AgentError(
            .exists,
            "there is a secret \(name) already: --replace puts this one in its place, latchkey edit changes it")
    }

    /// Returns the secret to keep: the contents of the file at `path`, or else what is typed or standard input.
    static func secret(
        from path: RawText?, trimmed: Bool, _ user: (any DeviceUser)?, for name: String
    ) throws -> SecureBytes {
        let read: SecureBytes
        if let path {
            read = try SecretInput.read(fileAt: path)
        } else if isatty(STDIN_FILENO) == 1 {
            guard let user else { throw AgentError.noTerminal }
            let content = PromptContent(.newSecret, reason: "keep it as \(name)", app: "latchkey")
            guard case .typed(let typed) = user.answer(Prompt(content)) else {
                throw AgentError(.dismissed, "nothing was typed, and nothing was kept")
            }
            return typed
        } else {
            read = try SecretInput.read(STDIN_FILENO, called: "standard input")
            if read.count == 0 { throw AgentError(.request, "standard input was empty, and nothing was kept") }
        }
        return trimmed ? try SecretInput.withoutLastNewline(read) : read
    }
}
