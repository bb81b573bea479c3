internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import PlainText
internal import Prompts
internal import Synchronization

/// The user who lends, while the program that borrows has the terminal. Prompts appear in a window, or wait for `latchkey approve`.
final class LendingUser: AwayUser {
    private let window: PinentryUser?
    /// Held while a prompt of any service waits.
    private let turn = Mutex(())

    /// Finds a place for prompts; nil if none may be shown. `pinentry` is the setting of the vault.
    init?(_ choice: Given<VaultChoice>, pinentry: String?) throws {
        guard try choice.mayPrompt else { return nil }
        let wanted = pinentry.flatMap { PinentryFlavor(rawValue: $0) }
        let isWindow = pinentry != VaultSettings.noPinentry && !choice.leavesPrompts
        window = isWindow ? PinentryUser(PinentryPlace.ofThisProcess.withoutTerminal, first: wanted) : nil
    }

    var isAway: Bool { window == nil }

    /// Runs `body`, which may prompt, once no other service of this program waits for an answer.
    func inTurn<Value: ~Copyable>(_ body: () throws(AgentError) -> Value) throws(AgentError) -> Value {
        try turn.withLock { _ throws(AgentError) in try body() }
    }

    func noteWaiting(_ prompt: Prompt, seconds: Int) {
        // The program may have set the terminal so that a line feed does not go back to the first column.
        let end = isatty(STDERR_FILENO) == 1 ? "\r\n" : "\n"
        let words =
            "latchkey: a use waits \(counted(seconds: seconds)) for your answer: run `latchkey approve` in another terminal"
        Output.write((end == "\n" ? "" : end) + words + end, isError: true)
    }

    func answer(_ prompt: Prompt) -> Response { window?.answer(prompt) ?? .cancel }

    func standBy(_ prompt: Prompt) {
        guard let window else { return prompt.end(.canceled) }
        window.standBy(prompt)
    }
}
