internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// `latchkey askpass`
enum AskpassCommand {
    static let declaration = Declaration(
        name: "askpass", summary: "answer ssh's questions for passphrases and passwords",
        text: """
            Is the program that SSH_ASKPASS names, as latchkey-askpass, which is a link to latchkey. The passphrase of a key is
            the secret ssh/key/PATH, such as ssh/key/home/me/.ssh/id_ed25519, and a password is ssh/password/USER@HOST. What
            they demand is asked for at the terminal.

            Where ssh wants a confirmation (SSH_ASKPASS_PROMPT=confirm), whoever is at the terminal is asked, and the exit
            status says what they want. A prompt that is none of these is not answered.
            """,
        operands: [Operand(name: "PROMPT", says: "what ssh asks")],
        options: VaultOptions(),
        examples: [
            ("latchkey set ssh/key$HOME/.ssh/id_ed25519", "keeps the passphrase of a key"),
            (
                "SSH_ASKPASS=latchkey-askpass SSH_ASKPASS_REQUIRE=force ssh-add",
                "adds it to the agent, with presence instead of the passphrase"
            ),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "helpers", run: run)

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        let prompt = given.words[0]
        switch getenv("SSH_ASKPASS_PROMPT").map({ String(cString: $0) }) {
        case "confirm": if !YesOrNo.ask(lines(prompt)) { exit(1) }
        case "none": tell(prompt)
        default: try answer(prompt, given[\.vault])
        }
        return ""
    }

    private static func answer(_ prompt: String, _ vault: String?) throws {
        guard let asked = AskpassPrompt(prompt) else {
            Output.fail(
                "this prompt names no secret, and is not answered: \(Terminal.word(prompt)); without SSH_ASKPASS ssh asks it at the "
                    + "terminal", status: 1)
        }
        let name = try asked.name(in: currentFolder())
        if case .wrongKey(let path) = asked {
            throw AgentError(
                .wrong, "\(name) is not the passphrase of \(path): latchkey edit \(Shell.word(name.text)) sets another")
        }
        let access = try VaultAccess(vault)
        var reply: AgentClient.Reply
        do throws(AgentError) { reply = try access.ask(.read(name.text), because: reason(asked)) } catch {
            guard error.kind == .notFound else { throw error }
            throw AgentError(.notFound, "there is no secret \(name): latchkey set \(Shell.word(name.text)) keeps one")
        }
        guard let secret = reply.secret.take() else { return }
        let isLine = secret.withBytes { bytes in
            bytes.withUnsafeBytes { bytes in !bytes.contains { [0, 0x0A, 0x0D].contains($0) } }
        }
        guard isLine else {
            throw AgentError(
                .request,
                "\(name) has a line end or a zero byte, where ssh would cut it: latchkey edit \(Shell.word(name.text))")
        }
        guard SecretOutput.write(secret, to: STDOUT_FILENO) else { throw OutputError(code: errno) }
        Output.write("\n")
    }

    private static func reason(_ asked: AskpassPrompt) -> String {
        switch asked {
        case .key(let path), .wrongKey(let path): "open the key \(path) for ssh"
        case .password(let user): "log in as \(user) by ssh"
        }
    }

    private static func currentFolder() -> String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    /// ssh goes on by itself, and wants somebody to do something meanwhile, such as touching a token.
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
