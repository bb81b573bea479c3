internal import AccessPolicy
internal import DeviceModel

/// One line of an attack for a reader who does not know the identifiers of rules.
package struct ExplainedStep: Sendable {
    /// The move, in a sentence that names the person.
    package let words: String
    /// The reason for its outcome, in words.
    package let reason: String
    /// The identifiers of the rules behind the reason; empty if no rule decided.
    package let rules: [String]
}

extension Attack {
    /// The steps of the story, each with its reason in words, and then the owner's last requests.
    package var explained: [ExplainedStep] {
        steps.map {
            ExplainedStep(words: sentence(for: $0), reason: $0.reason.sentence, rules: $0.reason.rules)
        }
            + inVain.map {
                ExplainedStep(
                    words: sentence(for: $0) + ", and is denied", reason: $0.reason.sentence, rules: $0.reason.rules)
            }
    }
}

extension Attack.Reason {
    /// The reason in words, with the meaning of each rule instead of its identifier.
    public var sentence: String {
        switch self {
        case .decided(_, let rules): rules.map { $0.summary }.joined(separator: "; ")
        case .decidedFile(_, let rule): rule.summary
        case .nothingNeeded, .deviceUnlocked, .settings, .protectedSettings, .knowsPasscode, .guesses, .knownFinger,
            .unknownFinger, .wearsCompanion, .opensBackup, .fileMissing, .otherAppsFile, .account:
            words
        }
    }

    /// The identifiers of the rules that decided, in order; empty if none did.
    public var rules: [String] {
        switch self {
        case .decided(_, let rules): rules.map { $0.identifier }
        case .decidedFile(_, let rule): [rule.identifier]
        case .nothingNeeded, .deviceUnlocked, .settings, .protectedSettings, .knowsPasscode, .guesses, .knownFinger,
            .unknownFinger, .wearsCompanion, .opensBackup, .fileMissing, .otherAppsFile, .account:
            []
        }
    }
}
