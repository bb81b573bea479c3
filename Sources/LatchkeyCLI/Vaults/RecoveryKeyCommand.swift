internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import SodiumKit

/// `latchkey recovery-key`
enum RecoveryKeyCommand {
    static let declaration = Declaration(
        name: "recovery-key", summary: "check or replace the recovery key",
        text: """
            The recovery key sets a new passcode if you forget the present one, and does nothing else. latchkey init showed it
            once. Check now and then that what you wrote down is right, and replace it if it is lost or another person has seen it.
            """,
        commands: [
            Declaration(
                name: "check", summary: "say whether a recovery key is that of the vault",
                text: """
                    Asks for the recovery key and tries it on the vault. Nothing is changed, and nothing is unlocked. After three
                    wrong keys the command exits with 7.
                    """,
                options: VaultOptions(), examples: [("latchkey recovery-key check", "tries what you wrote down")],
                statuses: statuses, run: check),
            Declaration(
                name: "replace", summary: "make a new recovery key, which ends the former one",
                text: """
                    Asks for the passcode, and shows a new recovery key once, on the terminal. The former key opens nothing any
                    more, not even an older copy of the database: the keys that it opened are destroyed on this device.
                    """,
                options: VaultOptions(), examples: [("latchkey recovery-key replace", "")],
                statuses: statuses, run: replace),
        ],
        examples: [("latchkey recovery-key check", ""), ("latchkey recovery-key replace", "")],
        statuses: statuses, group: "the vault")

    private static let statuses = ExitStatus.all(but: [.notFound, .exists, .locked])

    @Sendable private static func check(_ given: Given<VaultOptions>) throws -> String {
        let access = try connect(given)
        _ = try access.ask(.checkRecoveryKey)
        Output.confirm("This is the recovery key of the vault. Put it back where it was.")
        return ""
    }

    @Sendable private static func replace(_ given: Given<VaultOptions>) throws -> String {
        let access = try connect(given)
        // Look before the prompt: the key is shown on the terminal and nowhere else.
        let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else {
            throw AgentError(
                .noTerminal, "a new recovery key is shown on a terminal, and there is none: run the command in one")
        }
        defer { close(terminal) }
        var reply = try access.ask(.replaceRecoveryKey)
        guard let key = reply.secret.take() else {
            throw AgentError(.agent, "the agent sent no recovery key: run `latchkey recovery-key replace` again")
        }
        guard RecoveryKeyOutput.show(key, on: terminal) else {
            throw AgentError(
                .noTerminal, "the new recovery key could not be shown: run `latchkey recovery-key replace` again")
        }
        Output.confirm(
            "The former recovery key opens nothing any more. Write the new one down, and destroy the old paper.")
        return ""
    }

    private static func connect(_ given: Given<VaultOptions>) throws -> VaultAccess {
        let access = try VaultAccess(given[\.vault])
        if access.user == nil { throw access.refusal }
        return access
    }
}

/// The one showing of a recovery key.
enum RecoveryKeyOutput {
    /// Shows the letters of a recovery key on a terminal. Returns false if that failed.
    static func show(_ text: borrowing SecureBytes, on terminal: Int32) -> Bool {
        Output.write("\nRecovery key, shown only this once:\n\n  ", to: terminal)
            && SecretOutput.write(text, to: terminal)
            && Output.write(
                "\n\nIf you forget the passcode, `latchkey recover` sets a new one with this key. Write it down, and keep it somewhere\n"
                    + "else. Without the passcode and this key, the vault never opens again.\n\n", to: terminal)
    }
}
