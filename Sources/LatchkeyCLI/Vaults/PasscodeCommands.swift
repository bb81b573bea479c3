internal import CommandLineKit
internal import LatchkeyAgent
internal import UserPresence

/// `latchkey passwd`
enum PasswdCommand {
    static let declaration = Declaration(
        name: "passwd", summary: "change the passcode of the vault",
        text: """
            Asks for the present passcode and for the next one. Where PAM judges the passcode it is your login password: change
            that first. A vault whose login password was changed elsewhere asks for the former one when it is next unlocked, and
            needs no passwd.
            """,
        options: VaultOptions(),
        statuses: ExitStatus.all(but: [.notFound, .exists, .locked]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        guard let user = access.user else { throw AgentError.noTerminal }
        return try changed(by: .changePasscode, access, user)
    }

    /// Asks for a new passcode, and says so where it is easy to guess.
    static func changed(by request: Request, _ access: VaultAccess, _ user: any DeviceUser) throws -> String {
        var head = try access.client.ask(request, of: user).head
        if let warning = try head.consumeTextIfPresent("warning") { Output.complain(warning) }
        return "The passcode is changed.\n"
    }
}

/// `latchkey recover`
enum RecoverCommand {
    static let declaration = Declaration(
        name: "recover", summary: "set a new passcode by the recovery key",
        text: """
            Asks for the recovery key, which was shown when the vault was made, and for a new passcode. Where PAM judges the
            passcode, the new one is your login password.
            """,
        options: VaultOptions(),
        statuses: ExitStatus.all(but: [.notFound, .exists, .locked]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        guard let user = access.user else { throw AgentError.noTerminal }
        return try PasswdCommand.changed(by: .recover, access, user)
    }
}
