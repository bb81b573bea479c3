public import AccessPolicy
internal import SecretVault
internal import UserPresence

/// A decision, with the rules that fired in it.
public struct DecisionRecord: Sendable, CustomStringConvertible {
    /// What was decided.
    public enum Outcome: Hashable, Sendable {
        /// It may go ahead.
        case granted
        /// It may, once something is proved.
        case challenged
        /// It may not.
        case denied
    }

    /// The app that asked.
    public let app: String
    /// What it wanted, in words.
    public let subject: String
    /// What was decided.
    public let outcome: Outcome
    /// The rule that denied it; nil where none did.
    public let rule: Rule?
    /// The rules that fired, in order.
    public let trace: [Rule]
    /// True for a look ahead, which shows no prompt.
    public let isPreflight: Bool
    /// When, by the device's clock.
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

    /// What was decided and why.
    public var description: String {
        let head = "\(subject)\(isPreflight ? " (only asking)" : ""): \(outcome)"
        let why = rule.map { " by \($0.identifier): \($0.summary); \($0.remedy.text)" } ?? ""
        return "\(head)\(why) [\(trace.map(\.identifier).joined(separator: ", "))]"
    }
}

extension Request {
    fileprivate var inWords: String {
        switch subject {
        case .item(let item, let action, _): "\(action) of an item (\(item.control))"
        case .missing(let action, _, _): "\(action) of an item that is not there"
        case .policy(let policy): "policy \(policy)"
        case .accessControl(let control, let operation):
            "access control (\(control)) for \(operation.map { "\($0)" } ?? "storing")"
        }
    }
}

/// Something that the user was asked for. Asked several times on one sheet, it is one entry.
public struct PromptRecord: Hashable, Sendable, CustomStringConvertible {
    /// What is asked for.
    public enum Factor: String, Hashable, Sendable {
        /// A finger, a face or a pair of eyes.
        case biometry
        /// The device passcode.
        case passcode
        /// That they confirm on the companion.
        case companion
        /// The password of the application.
        case applicationPassword
    }

    /// What became of it. Whether an answer was right shows in what comes next.
    public enum Ending: String, Hashable, Sendable {
        /// It was answered.
        case answered
        /// They took the fallback.
        case fallback
        /// They dismissed it.
        case dismissed
        /// It was taken away: by the device, the app, or because nobody answered.
        case takenAway
    }

    /// What was asked for.
    public let factor: Factor
    /// What for, in the app's words.
    public let reason: String
    /// Who asked.
    public let app: String
    /// What the app calls the fallback; nil for the usual words.
    public let fallbackTitle: String?
    /// True if a fallback was offered.
    public let offersFallback: Bool
    /// What the app calls the way out; nil for the usual word.
    public let cancelTitle: String?
    /// How often it was asked for on this sheet.
    public let attempts: Int
    /// What became of it.
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

    /// Returns true if it is the same question as in `former`, asked once more. Several sheets may be shown at the same time.
    func continues(_ former: PromptRecord) -> Bool {
        attempts > 1 && former.attempts == attempts - 1 && former.ending == .answered && former.factor == factor
            && former.reason == reason && former.app == app
    }

    /// What was asked, and what became of it.
    public var description: String {
        "asked for \(factor.rawValue)\(reason.isEmpty ? "" : " (\(reason))"): \(ending.rawValue)"
            + (attempts > 1 ? ", \(attempts) times" : "")
    }
}

/// A call of the app's.
public struct CallRecord: Hashable, Sendable, CustomStringConvertible {
    /// Which one, by Apple's name.
    public let name: String
    /// What it was about: class and names.
    public let subject: String
    /// The status or the number of the `LAError`; zero for success.
    public let code: Int
    /// Why, where it was not simply carried out.
    public let explanation: String

    /// The call, what it came to, and why.
    public var description: String {
        let why = explanation.isEmpty ? "" : " (\(explanation))"
        return "\(name)\(subject.isEmpty ? "" : " \(subject)") → \(code)\(why)"
    }
}

extension DecisionRecord.Outcome: CustomStringConvertible {
    /// The word for it.
    public var name: String {
        switch self {
        case .granted: "granted"
        case .challenged: "challenged"
        case .denied: "denied"
        }
    }

    /// The name.
    public var description: String { name }
}
