internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// `latchkey askpass`
enum AskpassCommand {
    static let declaration = Declaration(
        name: "askpass", summary: "answer the prompts of ssh for passphrases and passwords",
        text: """
            Answers the prompts of ssh, which calls it as latchkey-askpass, a link to latchkey. The passphrase of a key is the
            secret ssh/key/PATH, such as ssh/key/home/me/.ssh/id_ed25519; a password is ssh/password/USER@HOST. You
            authenticate at the terminal, or in a window, if the secret requires it.

            If ssh wants a confirmation, the command asks you to confirm. It answers no other prompt.
            """,
        operands: [Operand(name: "PROMPT", says: "the prompt of ssh")],
        options: VaultOption(),
        examples: [
            ("latchkey set ssh/key$HOME/.ssh/id_ed25519", "saves the passphrase of a key"),
            (
                "SSH_ASKPASS=latchkey-askpass SSH_ASKPASS_REQUIRE=force ssh-add",
                "adds the key to ssh-agent without typing the passphrase"
            ),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "helpers", run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let prompt = given.words[0]
        switch getenv("SSH_ASKPASS_PROMPT").map({ String(cString: $0) }) {
        case "confirm": if try !confirms(prompt, given[\.vault]) { exit(1) }
        case "none": tell(prompt)
        default: try answer(prompt, given[\.vault])
        }
        return ""
    }

    private static func answer(_ prompt: String, _ vault: Given<VaultChoice>) throws {
        guard let asked = AskpassPrompt(prompt) else {
            Output.fail(
                "this prompt names no secret: \(Terminal.word(prompt)); to answer it yourself, run ssh without SSH_ASKPASS",
                status: 1)
        }
        let name = try asked.name(in: currentFolder())
        if case .wrongKey(let path) = asked {
            throw AgentError(
                .wrong,
                "\(name) is not the passphrase of \(path): change it with `latchkey edit \(Shell.word(name.text))`")
        }
        let access = try VaultAccess(vault)
        var reply: CallResult<NoReply>
        do throws(AgentError) { reply = try access.ask(ReadCall(name.text), because: reason(asked)) } catch {
            guard error.kind == .notFound else { throw error }
            throw AgentError(.notFound, "no secret \(name): save it with `latchkey set \(Shell.word(name.text))`")
        }
        guard let secret = reply.secret.take() else { return }
        let isLine = secret.withBytes { bytes in
            bytes.withUnsafeBytes { bytes in !bytes.contains { [0, 0x0A, 0x0D].contains($0) } }
        }
        guard isLine else {
            throw AgentError(
                .request,
                "\(name) has a line end or a zero byte, where ssh would cut it: change it with `latchkey edit "
                    + "\(Shell.word(name.text))`")
        }
        try SecretOutput.put(secret, isLine: true)
    }

    /// Asks the user to confirm what ssh wants. ssh needs no vault for that, so any pinentry may ask.
    private static func confirms(_ prompt: String, _ choice: Given<VaultChoice>) throws -> Bool {
        let prompter = try Prompter(choice, pinentry: nil)
        guard prompter.user != nil else { return false }
        return try prompter.confirms(lines(prompt), else: "run ssh in a terminal")
    }

    private static func reason(_ asked: AskpassPrompt) -> String {
        switch asked {
        case .key(let path), .wrongKey(let path): "open the key \(path) for ssh"
        case .password(let user): "log in as \(Terminal.name(user, also: "@[]:")) by ssh"
        }
    }

    private static func currentFolder() -> String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    /// Shows a message of ssh that needs no answer, such as the request to touch a token.
    private static func tell(_ prompt: String) {
        let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return }
        defer { close(terminal) }
        _ = Output.write("\(lines(prompt))\n", to: terminal)
    }

    private static func lines(_ prompt: String) -> String {
        prompt.split(separator: "\n").map { Terminal.line(String($0)) }.joined(separator: "\n")
    }
}
