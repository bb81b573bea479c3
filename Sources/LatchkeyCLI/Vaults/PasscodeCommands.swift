internal import AgentProtocol
internal import CommandLineKit
internal import Prompts

/// `latchkey passwd`
enum PasswdCommand {
    static let declaration = Declaration(
        name: "passwd", summary: "change the passcode of the vault",
        text: """
            Asks for the present passcode and for a new one. If the passcode is your login password, change that first, with
            passwd(1). You can also skip this command then: at the next unlock, the vault asks for your former password.
            """,
        options: VaultOption(), examples: [("latchkey passwd", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists, .locked]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        guard let user = access.user else { throw access.refusal }
        try PasscodeChange.make(by: ChangePasscodeCall(), access, user)
        Output.confirm("Changed the passcode.")
        return ""
    }
}

/// `latchkey recover`
enum RecoverCommand {
    static let declaration = Declaration(
        name: "recover", summary: "set a new passcode with the recovery key",
        text: """
            Asks for the recovery key, which latchkey init showed once, and for a new passcode. If PAM checks the passcode of
            this vault, the new passcode is your login password.
            """,
        options: VaultOption(), examples: [("latchkey recover", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists, .locked]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        guard let user = access.user else { throw access.refusal }
        try PasscodeChange.make(by: RecoverCall(), access, user)
        Output.confirm("Set a new passcode. The recovery key stays valid: keep it.")
        return ""
    }
}

/// The change of the passcode, by the former one or by the recovery key.
private enum PasscodeChange {
    /// Asks for a new passcode, and warns if it is easy to guess.
    static func make(by request: any AgentCall<WarningReply>, _ access: VaultAccess, _ user: any DeviceUser) throws {
        let reply: WarningReply
        do throws(AgentError) { reply = try access.client.ask(request, of: user).reply } catch {
            throw access.withRefusal(error)
        }
        if let warning = reply.warning { Output.complain(warning) }
    }
}
