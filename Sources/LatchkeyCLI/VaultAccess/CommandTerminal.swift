package import AgentProtocol
internal import PlainText
package import Prompts
internal import Synchronization

/// The user at the terminal of a command. While another program reads that terminal, prompts appear in a window instead, or
/// at another terminal by `latchkey approve`, or not at all: a passcode that is typed must not reach the other program.
package final class CommandTerminal: AnnouncingUser, AwayUser {
    /// The ways to use the terminal.
    enum Use {
        /// Prompts appear there in any case.
        case always
        /// Prompts appear there unless another program reads it.
        case unlessRead
        /// Prompts never appear there.
        case never
    }

    private let terminal = TerminalUser()
    /// The user at a window; nil if none can be shown.
    private let window: PinentryUser?
    private let use: Use
    /// True if a prompt that cannot be shown here waits for another terminal.
    private let mayWait: Bool
    /// The last prompt that waited.
    private let waiting = Mutex<Prompt?>(nil)
    /// The program that kept the last prompt away.
    private let reader = Mutex<TerminalReader?>(nil)

    init(_ use: Use, window: PinentryUser?, mayWait: Bool) {
        (self.use, self.window, self.mayWait) = (use, window, mayWait)
    }

    /// The error for a prompt that was not shown; nil if all were.
    package var refusal: AgentError? {
        if let waiting = waiting.withLock({ $0 }) {
            guard waiting.ending == .timedOut else { return nil }
            return AgentError(
                .noTerminal,
                "no approval came in time: run the command again, and `latchkey approve` in another terminal while it "
                    + "waits")
        }
        if case .never = use {
            return AgentError(
                .noTerminal,
                "LATCHKEY_PROMPT=approve leaves prompts to `latchkey approve`, and this command needs more than that: run it in a "
                    + "terminal without that")
        }
        guard let reader = reader.withLock({ $0 }), window == nil || window?.trouble != nil else { return nil }
        return Self.refusal(because: reader)
    }

    /// Returns the error for a prompt at a terminal that another program reads.
    package static func refusal(because reader: TerminalReader) -> AgentError {
        AgentError(
            .noTerminal,
            "\(words(reader)) reads this terminal and could get what you "
                + "type, so nothing was asked: run the command in another terminal (if the vault is locked, `latchkey unlock` "
                + "there may be enough), install a pinentry program, for a window of its own, or run `latchkey config --prompt terminal` there"
        )
    }

    /// Throws the error for a prompt that could not be shown now.
    func requirePlace() throws(AgentError) {
        if !isFree, let refusal { throw refusal }
    }

    /// Asks a question whose answer is yes or no. Returns nil if there is no place for it. `option` is what answers beforehand.
    ///
    /// A program that reads the terminal could take the answer, and then the command would wait forever.
    package func confirms(_ question: String, else option: String) -> Bool? {
        if isFree { return YesOrNo.ask(question, else: option) }
        return window?.confirm(question.split(separator: "\n").map(String.init))
    }

    /// The program that kept the last prompt away; nil if none did.
    var readerWords: String? { reader.withLock { $0 }.map { Self.words($0) } }

    package var isAway: Bool { mayWait && window == nil && !isFree }

    package func noteWaiting(_ prompt: Prompt, seconds: Int) {
        let isFirst = waiting.withLock { waiting in
            defer { waiting = prompt }
            return waiting == nil
        }
        guard isFirst else { return }
        let reason = reader.withLock { $0 }.map {
            "\(Self.words($0)) reads this terminal and could get what you type. "
        }
        Output.complain(
            "\(reason ?? "")To answer the prompt, run `latchkey approve` in another terminal within \(counted(seconds: seconds))."
        )
    }

    private static func words(_ reader: TerminalReader) -> String {
        "\(Terminal.line(reader.program, longest: 80)) (process \(reader.process))"
    }

    package func answer(_ prompt: Prompt) -> Response {
        waiting.withLock { $0 = nil }
        return isFree ? terminal.answer(prompt) : window?.answer(prompt) ?? .cancel
    }

    package func standBy(_ prompt: Prompt) {
        if isFree { return terminal.standBy(prompt) }
        guard let window else { return prompt.end(.canceled) }
        window.standBy(prompt)
    }

    package func announce(_ lines: [String]) -> Bool {
        if isFree { return terminal.announce(lines) }
        return window?.announce(lines) ?? false
    }

    /// True if a prompt can appear at the terminal now.
    private var isFree: Bool {
        switch use {
        case .always: return true
        case .never: return false
        case .unlessRead:
            let found = TerminalReader()
            reader.withLock { $0 = found }
            return found == nil
        }
    }
}
