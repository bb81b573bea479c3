internal import LatchkeyAgent
internal import PlainText
internal import Synchronization
internal import UserPresence

/// The user at the terminal of a command. While another program reads that terminal, prompts appear in a window instead, or
/// not at all: a passcode that is typed must not reach the other program.
final class CommandTerminal: AnnouncingUser {
    private let terminal = TerminalUser()
    /// The user at a window; nil if none can be shown.
    private let window: PinentryUser?
    /// True if prompts appear at the terminal in any case.
    private let isTrusted: Bool
    /// The program that kept the last prompt away.
    private let reader = Mutex<TerminalReader?>(nil)

    init(window: PinentryUser?, isTrusted: Bool) {
        self.window = window
        self.isTrusted = isTrusted
    }

    /// The error for a prompt that was not shown; nil if all were.
    var refusal: AgentError? {
        guard let reader = reader.withLock({ $0 }), window == nil || window?.trouble != nil else { return nil }
        return Self.refusal(because: reader)
    }

    /// Returns the error for a prompt at a terminal that another program reads.
    static func refusal(because reader: TerminalReader) -> AgentError {
        AgentError(
            .noTerminal,
            "\(Terminal.line(reader.program, longest: 80)) (process \(reader.process)) reads this terminal and could get what you "
                + "type, so nothing was asked: run the command in another terminal (if the vault is locked, `latchkey unlock` "
                + "there may be enough), install a pinentry for windows, or run `latchkey config --prompt terminal` there"
        )
    }

    func answer(_ prompt: Prompt) -> Response { isFree ? terminal.answer(prompt) : window?.answer(prompt) ?? .cancel }

    func standBy(_ prompt: Prompt) {
        if isFree { return terminal.standBy(prompt) }
        guard let window else { return prompt.end(.canceled) }
        window.standBy(prompt)
    }

    func announce(_ lines: [String]) -> Bool {
        if isFree { return terminal.announce(lines) }
        return window?.announce(lines) ?? false
    }

    /// True if no other program reads the terminal now.
    private var isFree: Bool {
        let found = isTrusted ? nil : TerminalReader()
        reader.withLock { $0 = found }
        return found == nil
    }
}
