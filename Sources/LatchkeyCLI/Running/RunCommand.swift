internal import AgentProtocol
internal import CommandLineKit
internal import SecretTools
internal import SodiumKit

/// `latchkey run`
enum RunCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let env = Option(
            each: "--env", "-e", value: "VAR=NAME", says: "set the variable VAR to the secret NAME",
            values: .variable)
        let files = Option(eachPath: "--env-file", says: "set variables from the lines VAR=value of this file")
        let yes = Option(
            "--yes", "-y", says: "do not ask about secrets that files and the environment name")
        let noMasking = Option("--no-masking", says: "do not conceal secrets in the output of the command")
    }

    static let declaration = Declaration(
        name: "run", summary: "run a command with secrets in its environment",
        text: """
            Runs COMMAND with secrets in its environment and nowhere else. Name them with --env, or write latchkey://NAME as
            the value of a variable in a file or in your environment ({{latchkey://NAME}} inside a longer value). --env
            overrides files, and files override the environment.

            A prompt names every secret that the command gets, and one answer covers them all. The command first asks about
            secrets that you did not name yourself; without a terminal, it refuses them unless you add --yes.

            Secrets in the output of the command are concealed, so its output is a pipe. If it needs a terminal, add
            --no-masking. The exit status is that of the command. docs/helpers.md has the details.
            """,
        operands: [Operand(name: "COMMAND", values: .command, isCommandLine: true)],
        options: Options(),
        examples: [
            ("latchkey run --env GITHUB_TOKEN=work/github/token -- gh release list", "a token for one command"),
            ("latchkey run --env-file .env -- make deploy", "with DB_PASSWORD=latchkey://db/password in .env"),
        ],
        statuses: ExitStatus.all(but: [.exists]) + ExitStatus.ofRun,
        group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        try requireNoVariable(given.rawWords.first)
        let plan = try PlannedEnvironment(files: given[\.files], arguments: given[\.env])
        // Find the program first, so that you never authenticate for a command that does not exist.
        let program = try Program(given.rawWords, searching: plan.path)
        if plan.secrets.isEmpty {
            var block = try EnvironmentBlock.made(of: plan, [:])
            throw program.become(&block)
        }
        let handedOut = HandedOut(plan.secrets, to: given.rawWords)
        var access = try VaultAccess(given[\.vault], suggestsNames: true)
        if !given[\.yes] { try handedOut.confirm(plan.found, at: access.prompter) }
        access.user = access.prompter.user.map { handedOut.announced(to: $0) }
        let secrets = try read(plan.secrets, access, because: handedOut.reason)
        var block = try EnvironmentBlock.made(of: plan, secrets)
        if given[\.noMasking] { throw program.become(&block) }
        let output = try masker(secrets, complains: true)
        let errors = try masker(secrets, complains: false)
        try ConcealedRun(program, block, output, errors).finish()
    }

    /// Throws if the command is a variable with its value, as `env` takes it. No message repeats the value: it may be a secret.
    private static func requireNoVariable(_ word: RawText?) throws(UsageError) {
        guard let word = word?.text, let sign = word.firstIndex(of: "="), word.first?.isNumber == false,
            sign > word.startIndex,
            word[..<sign].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        else { return }
        let name = word[..<sign]
        throw UsageError(
            "a variable is set with --env: latchkey run --env \(name)=NAME -- COMMAND sets \(name) to the secret NAME")
    }

    /// Reads all secrets over one connection, so that one authentication counts for all with the same access policy.
    private static func read(
        _ names: [SecretName], _ access: VaultAccess, because reason: String
    ) throws -> [SecretName: HeldSecret] {
        var secrets: [SecretName: HeldSecret] = [:]
        for name in names {
            var reply: CallResult<NoReply>
            do {
                reply = try access.ask(ReadCall(name.text), because: reason)
            } catch var fault {
                // Name the secret, because there may be several. Most errors name theirs already.
                if !fault.message.contains(name.text) { fault.message = "\(name): \(fault.message)" }
                throw fault
            }
            switch reply.secret.take() {
            case .some(let secret): secrets[name] = HeldSecret(secret)
            case .none: throw AgentError(.agent, "the agent sent no secret for \(name)")
            }
        }
        return secrets
    }

    private static func masker(_ secrets: [SecretName: HeldSecret], complains: Bool) throws -> Masker {
        var words = try MaskedWords()
        for (name, secret) in secrets.sorted(by: { $0.key < $1.key }) {
            if try !words.add(secret.bytes) && complains {
                Output.complain("\(name) is too short to conceal: the output of the command may show it")
            }
        }
        return try Masker(words)
    }
}

/// A secret in wiped memory that several owners share.
final class HeldSecret: Sendable {
    let bytes: SecureBytes

    init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
}
