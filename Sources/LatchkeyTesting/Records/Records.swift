public import AccessPolicy
internal import LivePage
internal import SecretVault
internal import UserPresence

/// A decision, with the rules that fired.
public struct DecisionRecord: Sendable, CustomStringConvertible {
    /// The outcome of a decision.
    public enum Outcome: Hashable, Sendable {
        /// The request was granted.
        case granted
        /// The request needs more authentication.
        case challenged
        /// The request was denied.
        case denied
    }

    /// The app that made the request.
    public let app: String
    /// The request in words.
    public let subject: String
    /// The outcome.
    public let outcome: Outcome
    /// The rule that denied the request; nil if none did.
    public let rule: Rule?
    /// The rules that fired, in order.
    public let trace: [Rule]
    /// True if the app only checked whether it could be done, which shows no prompt.
    public let isPreflight: Bool
    /// The time on the device's clock.
    public let time: Duration

    init(_ watched: WatchedDecision) {
        app = watched.caller
        subject = watched.request.inWords
        rule = watched.decision.denial?.rule
        trace = Array(watched.trace)
        isPreflight = watched.request.interaction == .preflight
        time = .milliseconds(watched.at.milliseconds)
        outcome =
            switch watched.decision {
            case .granted: .granted
            case .challenge: .challenged
            case .denied: .denied
            }
    }

    /// The outcome and the reason.
    public var description: String {
        let head = "\(subject)\(isPreflight ? " (preflight)" : ""): \(outcome)"
        let why = rule.map { " by \($0.identifier): \($0.summary)" } ?? ""
        let remedy = rule?.remedy ?? .nothing
        let way = remedy == .nothing ? "" : "; remedy: \(remedy.text)"
        return "\(head)\(why)\(way) [\(trace.map(\.identifier).joined(separator: ", "))]"
    }
}

/// A prompt that the user was shown. Repeated attempts at one prompt are one entry.
public struct PromptRecord: Hashable, Sendable, CustomStringConvertible {
    /// The factor that a prompt asks for.
    public enum Factor: String, Hashable, Sendable {
        /// A finger or a face.
        case biometry
        /// The device passcode.
        case passcode
        /// A confirmation on the companion.
        case companion
        /// The application password.
        case applicationPassword
    }

    /// The way a prompt ended. The records that follow show whether an answer was right.
    public enum Ending: String, Hashable, Sendable {
        /// The user answered.
        case answered
        /// The user took the fallback.
        case fallback
        /// The user dismissed the prompt.
        case dismissed
        /// The device or the app dismissed the prompt, or it timed out.
        case takenAway
    }

    /// The factor.
    public let factor: Factor
    /// The reason that the app gave.
    public let reason: String
    /// The app that asked.
    public let app: String
    /// The app's title for the fallback button; nil for the default title.
    public let fallbackTitle: String?
    /// True if the prompt offered a fallback.
    public let offersFallback: Bool
    /// The app's title for the cancel button; nil for the default title.
    public let cancelTitle: String?
    /// The number of attempts at this prompt.
    public let attempts: Int
    /// The way the prompt ended.
    public let ending: Ending

    init?(_ content: PromptContent, _ ending: Prompt.Ending) {
        switch content.kind {
        case .biometry: factor = .biometry
        case .passcode, .formerPasscode: factor = .passcode
        case .companion: factor = .companion
        case .applicationPassword, .newApplicationPassword: factor = .applicationPassword
        case .permission, .newPasscode, .recoveryKey, .passphrase, .newPassphrase, .newSecret: return nil
        }
        reason = content.reason
        app = content.app
        fallbackTitle = content.fallbackTitle
        offersFallback = content.offersFallback
        cancelTitle = content.cancelTitle
        attempts = content.attempt
        self.ending =
            switch ending {
            case .answered: .answered
            case .fallback: .fallback
            case .canceled: .dismissed
            case .systemCanceled, .appCanceled, .timedOut: .takenAway
            }
    }

    /// Returns true if this is a further attempt at the prompt `former`. Several prompts may be shown at once.
    func continues(_ former: PromptRecord) -> Bool {
        attempts > 1 && former.attempts == attempts - 1 && former.ending == .answered && former.factor == factor
            && former.reason == reason && former.app == app
    }

    /// The factor, the reason and the ending.
    public var description: String {
        "asked for \(factor.rawValue)\(reason.isEmpty ? "" : " (\(reason))"): \(ending.rawValue)"
            + (attempts > 1 ? ", \(attempts) times" : "")
    }
}

/// A call that the app made.
public struct CallRecord: Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, as Apple has it.
    public let name: String
    /// The item of the call: its class and its names.
    public let subject: String
    /// The status, or the code of the `LAError`; zero for success.
    public let code: Int
    /// The reason for the code; empty if the call was simply carried out.
    public let explanation: String

    /// The call, its code and the reason.
    public var description: String {
        let why = explanation.isEmpty ? "" : " (\(explanation))"
        return "\(name)\(subject.isEmpty ? "" : " \(subject)") → \(code)\(why)"
    }
}

extension DecisionRecord.Outcome: CustomStringConvertible {
    /// The name of the outcome.
    public var name: String {
        switch self {
        case .granted: "granted"
        case .challenged: "challenged"
        case .denied: "denied"
        }
    }

    /// The name of the outcome.
    public var description: String { name }
}
