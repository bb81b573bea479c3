internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
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
        var source = OneTimeCodeSource(name: name, access: access)
        let code = try source.code()
        let validity = source.secondsLeft.map { "The code is valid for \(counted($0, "more second"))." }
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

/// A secret that one-time codes are computed from.
private struct OneTimeCodeSource {
    let name: String
    let access: VaultAccess
    /// The seconds for which the code stays valid; nil if it counts until it is used.
    private(set) var secondsLeft: Int?

    /// The time to wait for other commands, in milliseconds.
    private static let patience: Int32 = 10_000

    private var reason: String { "compute the one-time code of \(name)" }

    init(name: String, access: VaultAccess) {
        self.name = name
        self.access = access
    }

    /// Returns the code. A counter is saved first.
    mutating func code() throws -> SecureBytes {
        let text = try text()
        do {
            let seed = try text.withBytes { (text) throws(OneTimeCodeError) in try OneTimeSeed(text) }
            if let (number, left) = seed.period(at: Int64(time(nil))) {
                secondsLeft = Int(clamping: left)
                return try seed.code(number)
            }
            return try codeByCounter()
        } catch let error as OneTimeCodeError { throw AgentError(.request, "\(name): \(error)") }
    }

    /// Returns the code of the counter, after the next one is saved. Commands that do this at a time take turns, so that none
    /// shows a code of another.
    private func codeByCounter() throws -> SecureBytes {
        let turn = try turn()
        defer { close(turn) }
        // Read again: another command may have counted before it was this one's turn.
        let text = try text()
        let seed = try text.withBytes { (text) throws(OneTimeCodeError) in try OneTimeSeed(text) }
        guard case .counter(let counter) = seed.kind else { throw OneTimeCodeError.noCounter }
        let next = try text.withBytes { (text) throws(OneTimeCodeError) in try seed.withNextCounter(in: text) }
        let code = try seed.code(counter)
        // The former counter is no former version: codes that have been used must not come back.
        _ = try access.ask(EditPartCall(name, EditPartCall.Change(amends: true)), because: reason, sending: next)
        return code
    }

    /// Waits until no other command counts, and returns a descriptor that keeps the turn until it is closed.
    ///
    /// The agent locks the folder of the vault and the file `lock`, and it needs both while this command has its turn. So the
    /// turn is a lock on the file of the device.
    private func turn() throws -> Int32 {
        let path = access.client.vault + "/device"
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw AgentError(.vault, "\(path): \(SystemError.last)") }
        let deadline = Deadline(Self.patience)
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let error = SystemError.last
            guard [EINTR, EWOULDBLOCK].contains(error.code), deadline.left > 1 else {
                close(file)
                if error.code != EWOULDBLOCK { throw AgentError(.vault, "\(path): \(error)") }
                throw AgentError(
                    .unavailable,
                    "another `latchkey otp` has been counting for a while, perhaps at a prompt: end it, or try again")
            }
            usleep(10_000)
        }
        return file
    }

    private func text() throws(AgentError) -> SecureBytes {
        var reply = try access.ask(ReadCall(name), because: reason)
        switch reply.secret.take() {
        case .some(let secret): return secret
        case .none: throw AgentError(.agent, "the agent sent no secret for \(name)")
        }
    }
}
