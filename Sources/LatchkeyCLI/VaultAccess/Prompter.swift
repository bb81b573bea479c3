package import AgentProtocol
package import CommandLineKit
internal import Glibc
internal import PlainText
package import Prompts

/// The place where a command prompts: its terminal, or else a pinentry; or the reason why there is none.
package enum Prompter {
    /// The user at the terminal of the command, or at a window while another program reads the terminal.
    case terminal(CommandTerminal)
    case pinentry(PinentryUser)
    /// No prompt can be shown, for this reason.
    case nowhere(AgentError)

    /// Finds the place. `pinentry` and `prompt` are the settings of the vault. `mayWait` is true if a prompt may wait for another
    /// terminal.
    package init(_ choice: Given<VaultChoice>, pinentry: String?, prompt: String? = nil, mayWait: Bool = false) throws {
        let wanted = pinentry.flatMap { PinentryFlavor(rawValue: $0) }
        let windows = PinentryPlace.ofThisProcess.withoutTerminal
        if try !choice.mayPrompt {
            let said = choice[\.noPrompt] ? "--no-prompt forbids it" : "LATCHKEY_PROMPT=never forbids it"
            self = .nowhere(Self.refusal("authentication is needed, and \(said): run the command without that"))
        } else if choice.leavesPrompts, mayWait {
            self = .terminal(CommandTerminal(.never, window: nil, mayWait: true))
        } else if prompt != VaultSettings.inWindow, TerminalUser.isThere {
            let window = pinentry == VaultSettings.noPinentry ? nil : PinentryUser(windows, first: wanted)
            self = .terminal(
                CommandTerminal(
                    prompt == VaultSettings.onTerminal ? .always : .unlessRead, window: window, mayWait: mayWait))
        } else if prompt == VaultSettings.inWindow {
            if pinentry != VaultSettings.noPinentry, let user = PinentryUser(windows, first: wanted) {
                self = .pinentry(user)
            } else {
                self = .nowhere(
                    Self.refusal(
                        "authentication is needed, and the vault's setting prompt wants a window, which cannot be shown here: "
                            + "run the command in a session with a display and a pinentry, or `latchkey config --prompt auto`"
                    ))
            }
        } else if pinentry == VaultSettings.noPinentry {
            self = .nowhere(
                Self.refusal(
                    "authentication is needed and there is no terminal: run the command in one, or allow windows with "
                        + "`latchkey config --pinentry auto`"))
        } else {
            let place = PinentryPlace.ofThisProcess
            if let user = PinentryUser(place, first: wanted) {
                self = .pinentry(user)
            } else {
                self = .nowhere(Self.absence(of: PinentryFlavor.fitting(place, first: wanted)))
            }
        }
    }

    /// True if the command prompts at its terminal.
    package var isTerminal: Bool {
        if case .terminal = self { return true }
        return false
    }

    /// The user who answers prompts; nil if none can be shown.
    package var user: (any AnnouncingUser)? {
        switch self {
        case .terminal(let user): user
        case .pinentry(let user): user
        case .nowhere: nil
        }
    }

    /// The error for a prompt that cannot be shown, or could not be; nil if prompts were shown.
    package var refusal: AgentError? {
        switch self {
        case .terminal(let user): user.refusal
        case .pinentry(let user):
            user.trouble.map {
                Self.refusal(
                    "authentication is needed and there is no terminal (\(Terminal.line($0))): run the command in a terminal, "
                        + "or in a session with a display")
            }
        case .nowhere(let refusal): refusal
        }
    }

    /// Asks a question whose answer is yes or no. Returns true for yes.
    ///
    /// - Throws: `AgentError` if no prompt can be shown. It names the `option` that answers beforehand.
    package func confirms(_ question: String, else option: String) throws -> Bool {
        let isYes: Bool
        switch self {
        case .terminal(let user):
            guard let answer = user.confirms(question, else: option) else {
                let reader = user.readerWords.map { " while \($0) reads this terminal" } ?? ""
                throw Self.refusal("a question needs your answer, and none can be asked\(reader): \(option)")
            }
            isYes = answer
        case .pinentry(let user): isYes = user.confirm(question.split(separator: "\n").map(String.init))
        case .nowhere: isYes = false
        }
        if !isYes, refusal != nil {
            throw Self.refusal("a question needs your answer, and none can be asked: \(option)")
        }
        return isYes
    }

    private static func refusal(_ message: String) -> AgentError { AgentError(.noTerminal, message) }

    /// Returns the error for a place in which none of the `fitting` pinentries is installed.
    private static func absence(of fitting: [PinentryFlavor]) -> AgentError {
        guard let first = fitting.first else { return .noTerminal }
        let program = first.paths[0].split(separator: "/").last.map(String.init) ?? ""
        return refusal(
            "authentication is needed, and there is no terminal and no pinentry for this display: install \(program), or run "
                + "the command in a terminal")
    }
}
