internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// `latchkey otp`
enum OneTimeCodeCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let clip = Clipboard.option
    }

    static let declaration = Declaration(
        name: "otp", summary: "write a one-time code to standard output",
        text: """
            Computes the one-time code (TOTP or HOTP) of a secret that holds an otpauth:// URI, on any of its lines, or a seed
            in base32. If there is a secret NAME/otp, as an import saves it beside a password, the command uses that one. You
            authenticate as for reading the secret.

            A code by a counter changes the secret: the next counter is saved before the code is shown.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey set work/mail/otp", "saves the URI that the service shows"),
            ("latchkey otp work/mail", "prints the code of this moment"),
            ("latchkey otp --clip work/mail", "copies it to the clipboard"),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let typed = given.words[0]
        let clipboard = given[\.clip] ? try Clipboard.find() : nil
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let beside = typed + "/otp"
        let isBeside = try (try? SecretName(beside)) != nil && access.has(beside, because: "compute a one-time code")
        let name = isBeside ? beside : typed
        var answer = try access.ask(CodeCall(name), because: "compute the one-time code of \(name)")
        let validity = answer.reply.secondsLeft.map { "The code is valid for \(counted($0, "more second"))." }
        guard let code = answer.secret.take() else { throw AgentError(.agent, "the agent sent no code for \(name)") }
        if let clipboard {
            try clipboard.copy(
                code, called: "the code of \(Terminal.line(name))", clearedAfter: try access.clipboardTime())
            if let validity { Output.confirm(validity) }
            return ""
        }
        try SecretOutput.put(code, isLine: true)
        if let validity, isatty(STDOUT_FILENO) == 1 { Output.confirm(validity) }
        return ""
    }
}
