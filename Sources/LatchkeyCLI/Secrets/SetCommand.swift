internal import AgentProtocol
internal import CommandLineKit

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
        let trim = SavingOptions.trim
        let replace = Option("--replace", says: "replace the secret if it exists, and its access policy too")
        let forget = SavingOptions.forget
        let user = FieldOptions.user
        let url = FieldOptions.url
        let field = FieldOptions.field
        let comment = SavingOptions.comment
    }

    static let declaration = Declaration(
        name: "set", summary: "save a secret",
        text: """
            Saves a secret as NAME, a path such as work/github/token. The command prompts for the secret at the terminal, or
            reads it from standard input or a file; never from the command line, which other users can see. A login keeps its
            user name and URL as fields, which are protected like the secret.
            """,
        operands: [SavingOptions.name],
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
        let trim = SavingOptions.trim
        let user = FieldOptions.user
        let url = FieldOptions.url
        let field = FieldOptions.field
        let comment = SavingOptions.comment
    }

    static let declaration = Declaration(
        name: "add", summary: "save a new secret",
        text:
            "Saves a new secret as latchkey set does. If there is a secret NAME already, it stays, and the command fails.",
        operands: [SavingOptions.name], options: Options(),
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
