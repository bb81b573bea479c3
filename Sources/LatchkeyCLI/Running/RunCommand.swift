internal import CommandLineKit
internal import LatchkeyAgent
internal import SecretTools
internal import SodiumKit

/// `latchkey run`
enum RunCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let env = Option(each: "--env", "-e", value: "VAR=NAME", says: "set this variable to the secret of this name")
        let files = Option(eachPath: "--env-file", says: "set what the lines VARIABLE=value of this file say")
        let yes = Option(
            "--yes", "-y", says: "hand out the secrets that files and set variables name, without a question")
        let noMasking = Option("--no-masking", says: "leave what the command prints alone, secrets too")
    }

    static let declaration = Declaration(
        name: "run", summary: "run a command that has secrets in its environment",
        text: """
            Runs a command with secrets in its environment, and nowhere else. Which variable is set to which secret is said by
            --env, by files of lines VARIABLE=value, and by variables that are set already: a value that is
            latchkey://NAME, or has {{latchkey://NAME}} in it, stands for the secret. --env comes before the files, a later file
            before an earlier one, and these before what is set already.

            A prompt names every secret that the command gets, and one answer covers them all. Before secrets are read that a
            file or a set variable names, you are asked whether you mean them. Without a terminal to ask at, they are refused
            unless you add --yes.

            All secrets are brought out before anything is started; where one is not, nothing is. What the command prints is
            searched for them, and they are concealed there; its output is then a pipe and no terminal. A program that needs
            the terminal is run with --no-masking.

            The exit status is that of the command; a signal that ends it ends this as well. See docs/helpers.md.
            """,
        operands: [Operand(name: "COMMAND", values: .command, isCommandLine: true)],
        options: Options(),
        examples: [
            ("latchkey run --env GITHUB_TOKEN=work/github/token -- gh release list", "a token for one command"),
            ("latchkey run --env-file .env -- make deploy", "where .env has DB_PASSWORD=latchkey://db/password"),
        ],
        statuses: ExitStatus.all(but: [.exists])
            + [(126, "the command cannot be run"), (127, "there is no such command")],
        group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let plan = try PlannedEnvironment(files: given[\.files], arguments: given[\.env])
        // Nobody is asked for a proof that is of no use.
        let program = try Program(given.rawWords, searching: plan.path)
        if plan.secrets.isEmpty {
            var block = try EnvironmentBlock.made(of: plan, [:])
            throw program.become(&block)
        }
        let handedOut = HandedOut(plan.secrets, to: given.rawWords)
        if !given[\.yes] { try handedOut.confirm(plan.found) }
        var access = try VaultAccess(given[\.vault])
        access.user = access.user.map { handedOut.announced(to: $0) }
        let secrets = try read(plan.secrets, access, because: handedOut.reason)
        var block = try EnvironmentBlock.made(of: plan, secrets)
        if given[\.noMasking] { throw program.become(&block) }
        let output = try masker(secrets, complains: true)
        let errors = try masker(secrets, complains: false)
        try ConcealedRun(program, block, output, errors).finish()
    }

    /// All of them, over one connection, so that one proof does for all that demand the same.
    private static func read(
        _ names: [SecretName], _ access: VaultAccess, because reason: String
    ) throws -> [SecretName: HeldSecret] {
        var secrets: [SecretName: HeldSecret] = [:]
        for name in names {
            var reply: AgentClient.Reply
            do {
                reply = try access.ask(.read(name.text), because: reason)
            } catch var fault {
                // Several may be asked for, and most complaints name theirs.
                if !fault.message.contains(name.text) { fault.message = "\(name): \(fault.message)" }
                throw fault
            }
            switch reply.secret.take() {
            case .some(let secret): secrets[name] = HeldSecret(secret)
            case .none: throw AgentError(.agent, "\(name): the agent has sent no secret")
            }
        }
        return secrets
    }

    private static func masker(_ secrets: [SecretName: HeldSecret], complains: Bool) throws -> Masker {
        var words = try MaskedWords()
        for (name, secret) in secrets.sorted(by: { $0.key < $1.key }) {
            if try !words.add(secret.bytes) && complains {
                Output.complain("\(name) is too short to be concealed: what the command prints may show it")
            }
        }
        return try Masker(words)
    }
}

/// A secret that was brought out, and is wiped with its last owner.
final class HeldSecret: Sendable {
    let bytes: SecureBytes

    init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
}
