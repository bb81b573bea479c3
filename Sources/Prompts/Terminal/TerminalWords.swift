internal import DeviceModel
internal import Glibc
internal import PlainText

/// The escape sequences that may be written to a terminal.
package struct TerminalStyle: Sendable {
    private let isBold: Bool

    /// A style without escape sequences.
    package static let plain = TerminalStyle(isBold: false)
    /// A style that shows the first line of a prompt in bold.
    package static let bold = TerminalStyle(isBold: true)

    /// The bold style, or the plain one if `NO_COLOR` is set or `TERM` names no capable terminal.
    static var ofTheEnvironment: TerminalStyle {
        if let wish = getenv("NO_COLOR"), wish.pointee != 0 { return plain }
        guard let kind = getenv("TERM"), kind.pointee != 0, strcmp(kind, "dumb") != 0 else { return plain }
        return bold
    }

    func emphasize(_ text: String) -> String { isBold ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}

/// The text of a prompt. ``Terminal`` removes control characters from all text of apps and authenticators.
struct TerminalWords {
    private let content: PromptContent
    private let style: TerminalStyle
    private let app: String
    private let reason: String

    init(_ content: PromptContent, _ style: TerminalStyle) {
        self.content = content
        self.style = style
        let name = Terminal.sentence(content.app, longest: 80)
        app = name.isEmpty ? "This program" : "\"\(name)\""
        reason = Terminal.sentence(content.reason, longest: 300)
    }

    /// The whole prompt, up to the place where the user types.
    var whole: String {
        var lines = lines
        lines[0] = style.emphasize(lines[0])
        if !waysOut.isEmpty { lines.append("  (\(waysOut.joined(separator: "; ")))") }
        return lines.joined(separator: "\n") + "\n" + request
    }

    /// The lines that say who asks, for what, and what was wrong so far.
    var lines: [String] {
        var lines = [title]
        if !reason.isEmpty && !isReasonPhrase { lines.append("  Reason: \(reason)") }
        if let secret = content.secret { lines.append("  Secret: \(Terminal.line(secret, longest: 300))") }
        if let caller = content.caller {
            lines.append("  Program: \(Self.words(caller)) (process \(caller.process))")
        }
        if let reach = content.reach { lines.append("  Counts for \(words(reach)).") }
        if content.kind == .formerPasscode {
            lines.append("  The passcode was changed elsewhere. Enter the former one.")
        }
        for note in content.notes.prefix(8) {
            let note = Terminal.sentence(note, longest: 300)
            if !note.isEmpty { lines.append("  Note: \(note)") }
        }
        if let attempt { lines.append("  \(attempt)") }
        return lines
    }

    /// The line about earlier attempts; nil if there were none.
    private var attempt: String? {
        guard let allowance = content.allowance else {
            return content.attempt > 1 ? "\(mistake) This is attempt \(content.attempt)." : nil
        }
        let place = "This is attempt \(allowance.number) of \(allowance.limit)."
        // The first prompt of a command has the mistakes of earlier ones.
        if content.attempt > 1 { return "\(mistake) \(place)" }
        return allowance.number > 1 ? "\(counted(allowance.number - 1, "attempt")) before failed. \(place)" : nil
    }

    /// Returns the path of a program; for one whose path the system hides, the name that the process has.
    private static func words(_ caller: PromptContent.Caller) -> String {
        if let path = caller.path { return Terminal.line(path, longest: 300) }
        return caller.name.map { "\"\(Terminal.line($0, longest: 40))\", whose path is hidden" } ?? "unknown"
    }

    private func words(_ reach: PromptContent.Reach) -> String {
        let (command, session) =
            content.isForAnotherTerminal
            ? ("that command", "the session of its terminal") : ("this command", "this session")
        return switch reach {
        case .command: "\(command) only"
        case .session(let seconds):
            "reading and signing in \(session), until \(counted(seconds: seconds)) after its last use"
        case .otherSecrets(let seconds):
            "\(command), and reading and signing in \(session) until \(counted(seconds: seconds)) after its last use"
        case .program(let seconds): "this program and secret, until \(counted(seconds: seconds)) after its last use"
        case .loan(uses: 1, minutes: _): "this use only"
        case .loan(let uses, let minutes):
            "\(uses.map { counted($0, "use") } ?? "any number of uses") within \(counted(seconds: minutes * 60))"
        }
    }

    /// True if the reason is a phrase such as "read work/token", which completes a sentence about the app as in Apple's
    /// prompts on a Mac. Others, such as "Unlock your diary", get a line of their own.
    ///
    /// A program chooses its reason. A long one, or one with several sentences, could pass for words of Latchkey if it stood in
    /// the line with the program's name.
    private var isReasonPhrase: Bool {
        content.kind != .permission && reason.first?.isLowercase == true && reason.count <= 100
            && ![". ", "! ", "? ", ": "].contains { reason.contains($0) }
    }

    /// The line that names the app and what it wants.
    private var title: String {
        guard isReasonPhrase else { return "\(app) asks \(wish)." }
        let isEnded = [".", "!", "?"].contains { reason.hasSuffix($0) }
        return "\(app) wants to \(reason)" + (isEnded ? "" : ".")
    }

    private var wish: String {
        switch content.kind {
        case .biometry: "you to authenticate"
        case .companion: "for a confirmation"
        case .passcode: "for the passcode"
        case .formerPasscode: "for the former passcode"
        case .applicationPassword: "for an application password"
        case .newApplicationPassword: "for a new application password"
        case .permission: "to use \(sensor)"
        case .newPasscode: "for a new passcode"
        case .recoveryKey: "for the recovery key"
        case .passphrase: "for the passphrase of a backup"
        case .newPassphrase: "for a new passphrase for a backup"
        case .newSecret: "for a secret to store"
        }
    }

    private var mistake: String {
        switch content.kind {
        case .biometry: "No match."
        case .companion, .permission: "Not confirmed."
        case .passcode, .formerPasscode, .newPasscode: "Wrong passcode."
        case .applicationPassword, .newApplicationPassword: "Wrong password."
        case .recoveryKey: "Wrong recovery key."
        case .passphrase, .newPassphrase: "Wrong passphrase."
        case .newSecret: "Not accepted."
        }
    }

    private var sensor: String { content.sensor.productName ?? "the sensor" }

    /// The last line of the prompt. A prompt for a new passcode, password or secret repeats it after a mistake.
    var request: String {
        switch content.kind {
        case .biometry: content.isSensorFake ? fakeGesture : gesture + "\n"
        case .companion: "Confirm on your companion device, then press Enter: "
        case .passcode: "Passcode: "
        case .formerPasscode: "Former passcode: "
        case .applicationPassword: "Application password: "
        case .newApplicationPassword: "New application password: "
        case .permission: "Allow it? [y/n] "
        case .newPasscode: "New passcode: "
        case .recoveryKey: "Recovery key: "
        case .passphrase: "Passphrase: "
        case .newPassphrase: "New passphrase: "
        case .newSecret: "\(content.field.map { Terminal.sentence($0, longest: 40) } ?? "Secret"): "
        }
    }

    /// The request to type a new passcode, password or secret for the second time.
    var again: String { "Type it again: " }

    /// The names of the enrolled fingers or faces.
    private var known: String {
        content.enrolled.prefix(10).map { Terminal.sentence($0, longest: 40) }.filter { !$0.isEmpty }.joined(
            separator: " or ")
    }

    /// The request that a fake sensor makes: the user types the name of the finger that touches it.
    private var fakeGesture: String {
        known.isEmpty
            ? "This is a fake sensor. What touches it? " : "This fake sensor knows \(known). What touches it? "
    }

    private var gesture: String {
        let known = known
        return switch content.sensor {
        case .touchID: known.isEmpty ? "Touch the sensor." : "Touch the sensor with \(known)."
        case .faceID: "Look at the camera\(known.isEmpty ? "" : " (enrolled: \(known))")."
        case .opticID: "Look into the headset\(known.isEmpty ? "" : " (enrolled: \(known))")."
        case .none: "Use the sensor\(known.isEmpty ? "" : " (enrolled: \(known))")."
        }
    }

    var fallback: String {
        title(content.fallbackTitle, else: content.kind == .biometry ? "Enter Passcode" : "another way")
    }

    var cancel: String { title(content.cancelTitle, else: "Cancel") }

    private var waysOut: [String] {
        switch content.kind {
        case .biometry where !content.isSensorFake:
            (content.offersFallback ? ["Enter: \(fallback)"] : []) + ["Esc: \(cancel)"]
        case .companion: (content.offersFallback ? ["f and Enter: \(fallback)"] : []) + ["Ctrl-D: \(cancel)"]
        case .permission: []
        default: (content.offersFallback ? ["Enter alone: \(fallback)"] : []) + ["Ctrl-D: \(cancel)"]
        }
    }

    private func title(_ given: String?, else usual: String) -> String {
        let given = Terminal.sentence(given ?? "", longest: 40)
        return given.isEmpty ? usual : given
    }
}

extension Prompt.Ending {
    /// Returns the line that tells the user why the prompt is over; nil if a sensor was waiting and got its answer.
    func words(whileTyping: Bool) -> String? {
        switch self {
        case .answered, .fallback, .canceled: whileTyping ? "(The prompt was answered elsewhere.)" : nil
        case .systemCanceled: "(The device was locked.)"
        case .appCanceled: "(The app withdrew the prompt.)"
        case .timedOut: "(There was no answer in time.)"
        }
    }
}
