internal import Glibc
internal import LatchkeyAgent
internal import SecretTools
internal import SodiumKit
internal import UserPresence

/// `latchkey set`
enum SetCommand {
    static let declaration = Declaration(
        name: "set", summary: "keep a secret",
        text: """
            Keeps a secret under NAME, a path such as work/github/token. It is asked for at the terminal, without echo, or read
            from standard input, or from a file; never from the command line, which others can see. Where there is one of that
            name, nothing is changed without --replace.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: [
            OptionGroup(options: [VaultAccess.option]),
            OptionGroup(
                heading: "the secret",
                options: [
                    Option(
                        "--from-file", value: "FILE", "what is in this file, byte by byte", values: .file,
                        takesAnyBytes: true),
                    Option("--trim", "without the end of the last line"),
                    Option("--replace", "in the place of one of that name; its demand is set anew as well"),
                    Option("--comment", value: "TEXT", "a note beside it, which is no secret"),
                ]),
            OptionGroup(heading: "what it demands", options: DemandWords.options),
        ],
        examples: [
            ("latchkey set work/github/token", "asks for the token, which presence opens from now on"),
            (
                "latchkey set ssh/passphrase --require 'biometryAny or devicePasscode'",
                "the same for another demand"
            ),
            ("pwgen -s 32 1 | latchkey set --trim db/password", "keeps what a program writes"),
        ],
        statuses: ExitStatus.all(but: [.notFound]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given) throws -> String {
        let name = given.words[0]
        do { _ = try SecretName(name) } catch { throw Fault(.request, "\(error)") }
        let demand = try DemandWords.demand(given) ?? .usual
        let access = try VaultAccess(given)
        // Before anybody has typed anything.
        if try !given.has("--replace") && access.has(name, because: "keep \(name)") { throw isThere(name) }
        let secret = try secret(given, access.holder, for: name)
        try keep(secret, as: name, demand, given, access)
        return ""
    }

    /// Keeps it, in the place of another one where the command line says so.
    static func keep(
        _ secret: borrowing SecureBytes, as name: String, _ demand: Demand, _ given: Given, _ access: VaultAccess
    ) throws {
        let request = Request.add(name, demand, comment: given["--comment"], replaces: given.has("--replace"))
        do throws(Fault) {
            _ = try access.ask(request, because: "keep \(name)", sending: secret)
        } catch {
            guard error.kind == .exists else { throw error }
            throw isThere(name)
        }
    }

    static func isThere(_ name: String) -> Fault {
        Fault(
            .exists,
            "there is a secret \(name) already: --replace puts this one in its place, latchkey edit changes it")
    }

    /// The secret that is to be kept, from where the command line says.
    static func secret(_ given: Given, _ holder: (any Holder)?, for name: String) throws -> SecureBytes {
        let read: SecureBytes
        if let path = given.rawValues["--from-file"]?.last {
            read = try SecretInput.read(fileAt: path)
        } else if isatty(STDIN_FILENO) == 1 {
            guard let holder else { throw Fault.noTerminal }
            let question = Question(.newSecret, reason: "keep it as \(name)", app: "latchkey")
            guard case .typed(let typed) = holder.answer(Prompt(question)) else {
                throw Fault(.dismissed, "nothing was typed, and nothing was kept")
            }
            return typed
        } else {
            read = try SecretInput.read(STDIN_FILENO, called: "standard input")
            if read.count == 0 { throw Fault(.request, "standard input was empty, and nothing was kept") }
        }
        return given.has("--trim") ? try SecretInput.withoutLastNewline(read) : read
    }
}
