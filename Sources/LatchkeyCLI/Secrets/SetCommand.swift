internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
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
        let heading = "secret"
        let file = Option(path: "--from-file", says: "read the secret from this file, byte by byte")
        let trim = SetCommand.trim
        let replace = Option("--replace", says: "replace the secret if it exists, and its access policy too")
        let forget = SetCommand.forget
        let user = FieldOptions.user
        let url = FieldOptions.url
        let field = FieldOptions.field
        let comment = SetCommand.comment
    }

    /// The name of the secret. A word after it is most likely the secret, so no message may repeat it.
    static let name = Operand(
        name: "NAME", values: .secret,
        ifMore:
            "a secret is not taken from the command line, where other programs can see it: leave it out, and type it at "
            + "the prompt or pipe it in. Your shell may have this line in its history now: remove it there, and replace the "
            + "secret if it is in use")
    static let trim = Option("--trim", says: "drop the line feed at the end")
    static let forget = Option("--forget", says: "keep no former value of the secret")
    static let comment = Option("--comment", value: "TEXT", says: "add a comment, which is not secret")

    static let declaration = Declaration(
        name: "set", summary: "save a secret",
        text: """
            Saves a secret as NAME, a path such as work/github/token. The command prompts for the secret at the terminal, or
            reads it from standard input or a file; never from the command line, which other users can see. A login keeps its
            user name and URL as fields, which are protected like the secret.
            """,
        operands: [name],
        options: Options(),
        examples: [
            ("latchkey set work/github/token", "prompts for the token; a finger or the passcode reads it from now on"),
            (
                "latchkey set ssh/passphrase --require 'biometryAny or devicePasscode'",
                "chooses another access policy"
            ),
            ("pwgen -s 32 1 | latchkey set --trim db/password", "saves the output of a program"),
            ("latchkey set web/shop --user ann --url https://shop.example", "prompts for the password of a login"),
        ],
        statuses: ExitStatus.all(but: [.notFound]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let options = given[\.secret]
        let new = NewSecret(
            name: given.words[0], policy: try ItemPolicyWords.policy(given[\.policy]), comment: options[\.comment],
            file: options[\.file], isTrimmed: options[\.trim], replaces: options[\.replace], forgets: options[\.forget],
            fields: try FieldOptions.fields(
                user: options[\.user], url: options[\.url], others: options[\.field]))
        if new.forgets && !new.fields.isEmpty {
            throw UsageError(
                "--forget and fields exclude each other: add the fields with latchkey edit NAME --field FIELD")
        }
        try new.save { try VaultAccess(given[\.vault]) }
        return ""
    }

    /// Saves a secret by a request that adds it with these fields, and confirms that.
    static func keep(
        _ secret: borrowing SecureBytes, _ fields: [SecretField], as name: String, by request: AddCall,
        _ access: VaultAccess
    ) throws {
        let policy: ItemPolicy?
        let packed = fields.isEmpty ? try secret.copy() : try SecretField.packed(secret, fields)
        do throws(AgentError) {
            let answer = try access.ask(request, because: "save \(name)", sending: packed)
            policy = answer.reply.policy
        } catch {
            guard error.kind == .exists else { throw error }
            throw isThere(name)
        }
        confirm(name, policy, access)
    }

    /// Confirms that a secret was saved, and says when it prompts.
    static func confirm(_ name: String, _ policy: ItemPolicy?, _ access: VaultAccess) {
        let prompting = policy.flatMap { try? access.prompting($0) }.map { "; \($0)" }
        Output.confirm("Saved \(Terminal.line(name))\(prompting ?? "").")
    }

    static func isThere(_ name: String, replacedBy command: String = "set") -> AgentError {
        AgentError(
            .exists,
            "there is a secret \(name) already: replace it with `latchkey \(command) --replace`, or change it with "
                + "`latchkey edit`")
    }

    static var nothingTyped: AgentError { AgentError(.dismissed, "you typed nothing, and nothing was saved") }

    /// Returns the secret to save: the contents of the file at `path`, or what the user types, or standard input.
    ///
    /// The prompt has the name of the `field` that it asks for; nil for a value.
    ///
    /// - Throws: `AgentError` if the user dismisses the prompt, if there is no terminal, or if standard input is empty.
    static func secret(
        from path: RawText?, trimmed: Bool, _ user: (any DeviceUser)?, for what: String, field: String? = nil
    ) throws -> SecureBytes {
        let read: SecureBytes
        if let path {
            read = try SecretInput.read(fileAt: path)
        } else if isatty(STDIN_FILENO) == 1 {
            guard let user else { throw AgentError.noTerminal }
            var content = PromptContent(.newSecret, reason: "save \(what)", app: "latchkey")
            content.field = field
            let prompt = Prompt(content)
            guard case .typed(let typed) = user.answer(prompt) else {
                if prompt.hasMismatch { throw AgentError.mismatch("nothing was saved") }
                throw (user as? CommandTerminal)?.refusal ?? nothingTyped
            }
            return typed
        } else {
            read = try SecretInput.read(STDIN_FILENO, called: "standard input")
            if read.count == 0 { throw AgentError(.request, "standard input was empty, and nothing was saved") }
        }
        return trimmed ? try SecretInput.withoutLastNewline(read) : read
    }
}

/// A secret that the command line asks to save.
struct NewSecret {
    let name: String
    let policy: ItemPolicy?
    let comment: String?
    let file: RawText?
    let isTrimmed: Bool
    let replaces: Bool
    var forgets = false
    var fields: [SecretField] = []

    /// Reads the secret and saves it.
    func save(_ connect: () throws -> VaultAccess) throws {
        do { _ = try SecretName(name) } catch { throw AgentError(.request, "\(error)") }
        let access = try connect()
        // Look before the prompt, so that you never type a secret that cannot be saved.
        try access.requireRoom()
        let isThere = try (!replaces || forgets) && access.has(name, because: "save \(name)")
        if isThere && !replaces { throw SetCommand.isThere(name) }
        if let policy { try access.requireEnrolled(for: policy) }
        try access.requireSavable(name, policy, isNew: !replaces)
        let secret = try SetCommand.secret(from: file, trimmed: isTrimmed, access.user, for: "a secret as \(name)")
        if isThere && forgets {
            // Without a policy, a change would leave the present one. A replaced secret gets the default of the vault.
            let policy = try policy ?? access.settings().policy
            let changes = ChangeCall.Changes(policy: policy, comment: comment, forgets: true)
            _ = try access.ask(ChangeCall(name, changes), because: "save \(name)", sending: secret)
            SetCommand.confirm(name, policy, access)
            return
        }
        let request = AddCall(
            name, policy, comment: comment, replaces: replaces, fields: fields.map { $0.name })
        try SetCommand.keep(secret, fields, as: name, by: request, access)
    }
}

/// `latchkey add`
enum AddCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let secret = Secret()
        let policy = ItemPolicyWords.Options()
    }

    struct Secret: OptionList {
        let heading = "secret"
        let file = Option(path: "--from-file", says: "read the secret from this file, byte by byte")
        let trim = SetCommand.trim
        let user = FieldOptions.user
        let url = FieldOptions.url
        let field = FieldOptions.field
        let comment = SetCommand.comment
    }

    static let declaration = Declaration(
        name: "add", summary: "save a new secret",
        text:
            "Saves a new secret as latchkey set does. If there is a secret NAME already, it stays, and the command fails.",
        operands: [SetCommand.name], options: Options(),
        examples: [("latchkey add work/github/token", "prompts for the token")],
        statuses: ExitStatus.all(but: [.notFound]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let options = given[\.secret]
        let new = NewSecret(
            name: given.words[0], policy: try ItemPolicyWords.policy(given[\.policy]), comment: options[\.comment],
            file: options[\.file], isTrimmed: options[\.trim], replaces: false,
            fields: try FieldOptions.fields(
                user: options[\.user], url: options[\.url], others: options[\.field]))
        try new.save { try VaultAccess(given[\.vault]) }
        return ""
    }
}
