internal import Glibc
internal import LinuxSystem
internal import SodiumKit
internal import Synchronization

/// A user who answers prompts of a pinentry: in a window, or on a terminal that is not the one of this process.
///
/// Passcodes, passwords and secrets go from the pinentry straight into guarded memory. Each prompt runs a program of its
/// own, which ends with the prompt. If one pinentry cannot show the prompt, the next one is tried.
package final class PinentryUser: DeviceUser, AnnouncingUser {
    /// A pinentry to start.
    package struct Candidate: Hashable, Sendable {
        /// The path of the program.
        package var program: String
        /// True if it shows the prompt on the terminal of the place.
        package var isForTerminal: Bool

        package init(program: String, isForTerminal: Bool = false) {
            self.program = program
            self.isForTerminal = isForTerminal
        }
    }

    /// How long a user waits for a pinentry, in milliseconds.
    package struct Patience: Hashable, Sendable {
        /// The time for the answer to a command that asks the user nothing.
        package var command: Int32
        /// The time for the answer of the user. The agent withdraws its prompts earlier.
        package var answer: Int32

        package init(command: Int32 = 20_000, answer: Int32 = 150_000) {
            self.command = command
            self.answer = answer
        }
    }

    private let candidates: [Candidate]
    private let place: PinentryPlace
    private let patience: Patience
    private let state = Mutex(State())

    private struct State {
        /// The number of candidates that could not show a prompt.
        var failed = 0
        var trouble: String?
    }

    /// Creates a user with these pinentries, the best first. At least one is needed.
    package init(_ candidates: [Candidate], _ place: PinentryPlace, patience: Patience = Patience()) {
        self.candidates = candidates
        self.place = place
        self.patience = patience
    }

    /// Creates a user with the installed pinentries that can show a prompt in this place. Returns nil if there is none.
    package convenience init?(_ place: PinentryPlace, first wanted: PinentryFlavor? = nil) {
        let candidates = PinentryFlavor.fitting(place, first: wanted).compactMap { flavor in
            flavor.program.map { Candidate(program: $0, isForTerminal: flavor.isForTerminal) }
        }
        if candidates.isEmpty { return nil }
        self.init(candidates, place)
    }

    /// The reason why no pinentry could show a prompt; nil if one could, or none was needed so far.
    package var trouble: String? { state.withLock { $0.failed >= candidates.count ? $0.trouble : nil } }

    // MARK: - Prompts

    /// Shows the prompt and returns the user's answer. Returns `.cancel` if no pinentry can show it, or if the prompt
    /// ends first.
    package func answer(_ prompt: Prompt) -> Response {
        if case .biometry = prompt.content.kind, !prompt.content.isSensorFake { return .touch() }
        let content = prompt.content
        let box = show(prompt, PinentryWords(content)) { (session) throws(PinentryError) in
            try AnswerBox(session.answer(content))
        }
        return box?.take() ?? .cancel
    }

    /// Shows a window while the sensor waits. Its buttons take the fallback, if there is one, and dismiss `prompt`. The
    /// window closes when the prompt is over.
    package func standBy(_ prompt: Prompt) {
        let content = prompt.content
        let ending = show(prompt, PinentryWords(content)) { (session) throws(PinentryError) in
            let reply = try session.confirm(oneButton: !content.offersFallback)
            return reply == .done && content.offersFallback ? Prompt.Ending.fallback : .canceled
        }
        prompt.end(ending ?? .canceled)
    }

    /// Shows these lines, in as many windows as they need. Returns true if the user read on to the end.
    package func announce(_ lines: [String]) -> Bool {
        let prompt = Prompt(PromptContent(.permission))
        return show(prompt, PinentryWords(announcing: lines)) { (session) throws(PinentryError) in
            try session.confirm(oneButton: false) == .done
        } ?? false
    }

    /// Asks the user a question whose answer is yes or no.
    package func confirm(_ lines: [String]) -> Bool {
        let prompt = Prompt(PromptContent(.permission))
        return show(prompt, PinentryWords(asking: lines)) { (session) throws(PinentryError) in
            try session.confirm(oneButton: false) == .done
        } ?? false
    }

    /// Runs `body` with the first pinentry that can show the words. Returns nil if the prompt has no answer.
    private func show<Value>(
        _ prompt: Prompt, _ words: PinentryWords, _ body: (PinentrySession) throws(PinentryError) -> Value
    ) -> Value? {
        let first = state.withLock { min($0.failed, candidates.count - 1) }
        guard let signals = TerminalSignals.hold() else { return nil }
        var ending: Int32?
        defer {
            TerminalSignals.letThrough(signals)
            if let ending { TerminalSignals.deliver(ending) }
        }
        for number in max(0, first)..<candidates.count {
            do {
                let session = try PinentrySession(candidates[number], place, patience, prompt)
                return try session.run(words, body)
            } catch {
                switch error {
                case .unusable(let reason):
                    state.withLock {
                        $0.failed = max($0.failed, number + 1)
                        $0.trouble = "\(candidates[number].program) shows no prompt: \(reason)"
                    }
                case .noMemory(let error):
                    state.withLock { $0 = State(failed: candidates.count, trouble: "\(error)") }
                    return nil
                case .signaled(let signal):
                    ending = signal
                    return nil
                case .over, .dismissed: return nil
                }
            }
        }
        return nil
    }
}

/// An answer on its way out of a closure.
private final class AnswerBox {
    private var answer: Response?

    init(_ answer: consuming Response) { self.answer = consume answer }

    func take() -> Response? { answer.take() }
}
