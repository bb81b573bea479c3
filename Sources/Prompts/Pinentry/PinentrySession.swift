internal import SodiumKit

/// The prompts of one run of a pinentry.
struct PinentrySession {
    /// The answer to a question with buttons.
    enum Choice {
        /// The user chose OK.
        case done
        /// The user chose the button that is neither OK nor Cancel.
        case other
    }

    /// The number of times that what is typed may be too long, and that two new passwords may differ.
    private static let tries = 3

    private let process: PinentryProcess
    private let patience: PinentryUser.Patience

    /// Starts a pinentry and prepares it.
    init(
        _ candidate: PinentryUser.Candidate, _ place: PinentryPlace, _ patience: PinentryUser.Patience,
        _ prompt: Prompt
    ) throws(PinentryError) {
        self.patience = patience
        // A pinentry for windows does not learn of the terminal. Without its display, it would turn to that.
        let terminal = candidate.isForTerminal ? place.terminal : nil
        process = try PinentryProcess(candidate.program, place.environment, terminal: terminal, for: prompt)
        try process.greet(within: patience.command)
        var options = ["lc-ctype": place.locale]
        options["ttyname"] = terminal
        if terminal != nil { options["ttytype"] = place.terminalType ?? "dumb" }
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            // A pinentry that does not know an option goes on without it.
            if let value { _ = try process.command("OPTION", "\(name)=\(value)", within: patience.command) }
        }
        _ = try process.command("SETTIMEOUT", "\(patience.answer / 1000 + 1)", within: patience.command)
    }

    /// Shows the windows that come before the request, prepares the request, and runs `body` on it.
    func run<Value>(
        _ words: PinentryWords, _ body: (PinentrySession) throws(PinentryError) -> Value
    ) throws(PinentryError) -> Value {
        try set("SETTITLE", "Latchkey")
        for page in words.pages.dropLast() {
            try set("SETDESC", page)
            try set("SETOK", "Continue")
            try set("SETCANCEL", "Cancel")
            guard try confirm(oneButton: false) == .done else { throw .dismissed }
        }
        for (command, argument) in words.settings { try set(command, argument) }
        try set("SETDESC", words.pages.last ?? "")
        return try body(self)
    }

    /// Asks for the answer to a prompt, except one at a sensor.
    func answer(_ content: PromptContent) throws(PinentryError) -> Response {
        switch content.kind {
        case .biometry:
            let typed = try self.typed(upTo: TerminalAsking.longestPasscode)
            if typed.isEmpty { return wayOut(content) }
            return .touch(showing: try Self.taken(typed).string() ?? "")
        case .companion:
            switch try confirm(oneButton: false) {
            case .done: return .confirm
            case .other: return content.offersFallback ? .fallback : .cancel
            }
        case .permission: return try confirm(oneButton: false) == .done ? .confirm : .cancel
        case .passcode, .formerPasscode, .recoveryKey, .passphrase:
            return try once(content, upTo: TerminalAsking.longestPasscode)
        case .applicationPassword: return try once(content, upTo: TerminalAsking.longestPassword)
        case .newPasscode, .newPassphrase: return try twice(content, upTo: TerminalAsking.longestPasscode)
        case .newApplicationPassword, .newSecret: return try twice(content, upTo: TerminalAsking.longestPassword)
        }
    }

    /// Waits for one of the buttons.
    func confirm(oneButton: Bool) throws(PinentryError) -> Choice {
        let name = oneButton ? "CONFIRM --one-button" : "CONFIRM"
        switch try process.command(name, within: patience.answer) {
        case .done: return .done
        case .failed(let code):
            if PinentryFailure(code) == .notConfirmed { return .other }
            throw Self.error(code)
        }
    }

    private func set(_ command: String, _ argument: String) throws(PinentryError) {
        if case .failed(let code) = try process.command(command, argument, within: patience.command) {
            throw .unusable("\(command) failed with error \(code)")
        }
    }

    private func wayOut(_ content: PromptContent) -> Response { content.offersFallback ? .fallback : .cancel }

    private func once(_ content: PromptContent, upTo longest: Int) throws(PinentryError) -> Response {
        let typed = try typed(upTo: longest)
        return typed.isEmpty ? wayOut(content) : .typed(try Self.taken(typed))
    }

    private func twice(_ content: PromptContent, upTo longest: Int) throws(PinentryError) -> Response {
        let words = TerminalWords(content, .plain)
        for _ in 0..<Self.tries {
            try set("SETPROMPT", words.request)
            let first = try typed(upTo: longest)
            if first.isEmpty { return wayOut(content) }
            let typed = try Self.taken(first)
            try set("SETPROMPT", words.again)
            let second = try Self.taken(try self.typed(upTo: longest))
            if typed.equals(second) { return .typed(typed) }
            try set("SETERROR", "The two do not match.")
        }
        process.prompt.recordMismatch()
        throw .dismissed
    }

    /// Returns what the user types, and asks again if it is too long.
    private func typed(upTo longest: Int) throws(PinentryError) -> TypedLine {
        for _ in 0..<Self.tries {
            let typed = try process.pin(upTo: longest, within: patience.answer)
            if typed.isWhole { return typed }
            try set("SETERROR", "Too long: at most \(longest) bytes.")
        }
        throw .dismissed
    }

    private static func taken(_ typed: consuming TypedLine) throws(PinentryError) -> SecureBytes {
        do { return try typed.take() } catch {
            if case .noMemory(let error) = error { throw .noMemory(error) }
            throw .dismissed
        }
    }

    /// Returns the reason for an error that a pinentry reports instead of an answer.
    static func error(_ code: UInt32) -> PinentryError {
        switch PinentryFailure(code) {
        case .canceled, .notConfirmed, .timedOut: .dismissed
        case .noTerminal: .unusable("it finds no display or terminal")
        case .other: .unusable("it reports error \(code)")
        }
    }
}

/// A failure that a pinentry reports, by its number among the errors of GnuPG. The other bits name a program.
enum PinentryFailure: Hashable {
    case canceled
    case notConfirmed
    case timedOut
    case noTerminal
    case other

    init(_ code: UInt32) {
        self =
            switch code & 0xFFFF {
            case 99, 198: .canceled
            case 114: .notConfirmed
            case 62: .timedOut
            case 32870: .noTerminal
            default: .other
            }
    }
}
