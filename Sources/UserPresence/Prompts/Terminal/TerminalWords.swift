internal import DeviceModel
internal import Glibc
internal import PlainText

/// How a terminal is written to.
package struct TerminalStyle: Sendable {
    private let isBold: Bool

    /// Without any escape sequence.
    package static let plain = TerminalStyle(isBold: false)
    /// With the question in bold.
    package static let bold = TerminalStyle(isBold: true)

    /// Bold, unless the environment says that the terminal cannot do it or that it is not wanted.
    static var ofTheEnvironment: TerminalStyle {
        if let wish = getenv("NO_COLOR"), wish.pointee != 0 { return plain }
        guard let kind = getenv("TERM"), kind.pointee != 0, strcmp(kind, "dumb") != 0 else { return plain }
        return bold
    }

    func emphasize(_ text: String) -> String { isBold ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}

/// A question in plain words. What comes from elsewhere is made harmless first (``Terminal``).
struct TerminalWords {
    private let content: PromptContent
    private let style: TerminalStyle
    private let app: String

    init(_ content: PromptContent, _ style: TerminalStyle) {
        self.content = content
        self.style = style
        let name = Terminal.sentence(content.app, longest: 80)
        app = name.isEmpty ? "This program" : "\"\(name)\""
    }

    /// All that is said before somebody can answer.
    var whole: String {
        var lines = [style.emphasize(title)]
        let reason = Terminal.sentence(content.reason, longest: 300)
        if !reason.isEmpty { lines.append("  Reason: \(reason)") }
        for note in content.notes.prefix(8) {
            let note = Terminal.sentence(note, longest: 300)
            if !note.isEmpty { lines.append("  Note: \(note)") }
        }
        if content.attempt > 1 { lines.append("  That was not right. This is attempt \(content.attempt).") }
        if !waysOut.isEmpty { lines.append("  (\(waysOut.joined(separator: "; ")))") }
        return lines.joined(separator: "\n") + "\n" + request
    }

    private var title: String {
        switch content.kind {
        case .biometry: "\(app) asks who you are."
        case .companion: "\(app) asks for a confirmation."
        case .passcode: "\(app) asks for the passcode of this device."
        case .formerPasscode: "\(app) asks for the passcode that this device had before it was changed elsewhere."
        case .applicationPassword: "\(app) asks for its own password."
        case .newApplicationPassword: "\(app) asks for a new password of its own."
        case .permission: "\(app) asks whether it may use \(sensor)."
        case .newPasscode: "\(app) asks for a new passcode."
        case .recoveryKey: "\(app) asks for the recovery key."
        case .passphrase: "\(app) asks for the passphrase of the backup."
        case .newPassphrase: "\(app) asks for a passphrase to seal the backup under."
        case .newSecret: "\(app) asks for a secret to keep."
        }
    }

    private var sensor: String {
        switch content.sensor {
        case .touchID: "Touch ID"
        case .faceID: "Face ID"
        case .opticID: "Optic ID"
        case .none: "the sensor"
        }
    }

    /// What is wanted right now.
    var request: String {
        switch content.kind {
        case .biometry: content.isSensorFake ? fakeGesture : gesture + "\n"
        case .companion: "Confirm on your companion device, then press Enter: "
        case .passcode: "Passcode: "
        case .formerPasscode: "Former passcode: "
        case .applicationPassword: "Password: "
        case .newApplicationPassword: "New password: "
        case .permission: "Allow it? [y/n] "
        case .newPasscode: "New passcode: "
        case .recoveryKey: "Recovery key: "
        case .passphrase: "Passphrase: "
        case .newPassphrase: "New passphrase: "
        case .newSecret: "Secret: "
        }
    }

    /// What is wanted right after that.
    var again: String { "The same again: " }

    /// Whom the sensor knows.
    private var known: String {
        content.enrolled.prefix(10).map { Terminal.sentence($0, longest: 40) }.filter { !$0.isEmpty }.joined(
            separator: " or ")
    }

    /// A fake sensor is told what touches it.
    private var fakeGesture: String {
        "The sensor is a fake one\(known.isEmpty ? "" : " and knows \(known)"). What touches it? "
    }

    private var gesture: String {
        let known = known
        return switch content.sensor {
        case .touchID: known.isEmpty ? "Touch the sensor." : "Touch the sensor with \(known)."
        case .faceID: "Look at the camera\(known.isEmpty ? "" : " (it knows \(known))")."
        case .opticID: "Look into the headset\(known.isEmpty ? "" : " (it knows \(known))")."
        case .none: "Turn to the sensor\(known.isEmpty ? "" : " (it knows \(known))")."
        }
    }

    private var waysOut: [String] {
        let fallback = title(
            content.fallbackTitle, else: content.kind == .biometry ? "Enter Passcode" : "another way")
        let cancel = title(content.cancelTitle, else: "Cancel")
        return switch content.kind {
        case .biometry where content.isSensorFake:
            content.offersFallback
                ? ["Enter alone: \(fallback)", "Ctrl-D: \(cancel)"] : ["Enter alone or Ctrl-D: \(cancel)"]
        case .biometry: (content.offersFallback ? ["Enter: \(fallback)"] : []) + ["Esc: \(cancel)"]
        case .companion: (content.offersFallback ? ["f and Enter: \(fallback)"] : []) + ["Ctrl-D: \(cancel)"]
        case .permission: []
        default:
            content.offersFallback
                ? ["Enter alone: \(fallback)", "Ctrl-D: \(cancel)"] : ["Enter alone or Ctrl-D: \(cancel)"]
        }
    }

    private func title(_ given: String?, else usual: String) -> String {
        let given = Terminal.sentence(given ?? "", longest: 40)
        return given.isEmpty ? usual : given
    }
}

extension Prompt.Ending {
    /// What is said to whoever was still answering, `whileTyping` or at the sensor, where an answer is the usual end.
    func words(whileTyping: Bool) -> String? {
        switch self {
        case .answered, .fallback, .canceled: whileTyping ? "(it was answered elsewhere)" : nil
        case .systemCanceled: "(the device was locked)"
        case .appCanceled: "(the app does not ask any more)"
        case .timedOut: "(nobody answered in time)"
        }
    }
}
