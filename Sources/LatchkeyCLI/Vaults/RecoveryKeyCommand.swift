internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
package import SodiumKit

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
                options: VaultOption(), examples: [("latchkey recovery-key check", "tries what you wrote down")],
                statuses: statuses, run: check),
            Declaration(
                name: "replace", summary: "make a new recovery key, which ends the former one",
                text: """
                    Asks for the passcode, and shows a new recovery key once, on the terminal. Then asks for one part of what you
                    wrote down. The former key opens nothing any more, not even an older copy of the database: the keys that it
                    opened are destroyed on this device. A vault without a recovery key gets its first one.
                    """,
                options: VaultOption(), examples: [("latchkey recovery-key replace", "")],
                statuses: statuses, run: replace),
        ],
        examples: [("latchkey recovery-key check", ""), ("latchkey recovery-key replace", "")],
        statuses: statuses, group: "the vault")

    private static let statuses = ExitStatus.all(but: [.notFound, .exists, .locked])

    @Sendable private static func check(_ given: Given<VaultOption>) throws -> String {
        let access = try connect(given)
        _ = try access.ask(CheckRecoveryKeyCall())
        Output.confirm("This is the recovery key of the vault. Put it back where it was.")
        return ""
    }

    @Sendable private static func replace(_ given: Given<VaultOption>) throws -> String {
        let access = try connect(given)
        // Look before the prompt: the key is shown on the terminal and nowhere else.
        let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else {
            throw AgentError(
                .noTerminal, "a new recovery key is shown on a terminal, and there is none: run the command in one")
        }
        defer { close(terminal) }
        var answer = try access.ask(ReplaceRecoveryKeyCall())
        let isFirst = answer.reply.isFirst
        guard let key = answer.secret.take() else {
            throw AgentError(.agent, "the agent sent no recovery key: run `latchkey recovery-key replace` again")
        }
        guard RecoveryKeyOutput.show(key, on: terminal) else {
            throw AgentError(
                .noTerminal, "the new recovery key could not be shown: run `latchkey recovery-key replace` again")
        }
        if access.prompter.isTerminal { RecoveryKeyOutput.askForPart(of: key) }
        Output.confirm(
            isFirst
                ? "The vault has a recovery key now. Keep what you wrote down somewhere else."
                : "The former recovery key opens nothing any more. Destroy the old paper, and keep the new one somewhere else."
        )
        return ""
    }

    private static func connect(_ given: Given<VaultOption>) throws -> VaultAccess {
        let access = try VaultAccess(given[\.vault])
        if access.user == nil { throw access.refusal }
        return access
    }
}

/// The one showing of a recovery key.
package enum RecoveryKeyOutput {
    /// Shows the letters of a recovery key on a terminal. Returns false if that failed.
    package static func show(_ text: borrowing SecureBytes, on terminal: Int32) -> Bool {
        Output.write("\nRecovery key, shown only this once:\n\n  ", to: terminal)
            && SecretOutput.write(text, to: terminal)
            && Output.write(
                "\n\nIf you forget the passcode, `latchkey recover` sets a new one with this key. Write it down, and keep it somewhere\n"
                    + "else. If you lose both, the vault never opens again.\n\n", to: terminal)
    }

    /// The number of times that a wrong part can be typed.
    private static let tries = 3

    /// Asks at the terminal for one part of a recovery key that was shown there, so that a slip of the pen is found now. Enter
    /// alone skips it.
    package static func askForPart(of key: borrowing SecureBytes) {
        guard isatty(STDIN_FILENO) == 1, var line = try? SecureBytes(count: DoctorQuestion.longestLine) else { return }
        let number = Int.random(in: 1...(key.count + 1) / partLength)
        for _ in 1...tries {
            let question = "Type part \(number) of the recovery key as you wrote it down, or press Enter to skip this: "
            guard let count = DoctorQuestion.ask(question, into: &line), count > 0 else {
                return Output.confirm("Skipped. Later, check what you wrote down with `latchkey recovery-key check`.")
            }
            let isRight = line.withBytes { isPart(number, of: key, $0.extracting(first: count)) }
            if isRight { return Output.confirm("That is right.") }
            Output.confirm("That is not part \(number), counted from the left. Look at what you wrote down.")
        }
        Output.complain(
            "check what you wrote down with `latchkey recovery-key check`, or make another key with `latchkey recovery-key "
                + "replace`")
    }

    /// The length of a part: four letters, and a hyphen before the next part.
    private static let partLength = 5

    /// Returns true if what was typed is the part with this number, counted from 1. Spaces, hyphens and capitals do not count.
    private static func isPart(_ number: Int, of key: borrowing SecureBytes, _ typed: RawSpan) -> Bool {
        typed.withUnsafeBytes { typed in
            key.withBytes { key in
                key.withUnsafeBytes { key in
                    var (place, end) = ((number - 1) * partLength, number * partLength - 1)
                    for byte in typed where !"- \n".utf8.contains(byte) {
                        let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                        guard place < end, key[place] == (isSmall ? byte - 32 : byte) else { return false }
                        place += 1
                    }
                    return place == end
                }
            }
        }
    }
}
