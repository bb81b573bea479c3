internal import AccessPolicy
internal import Latchkey
internal import SecretVault
internal import Synchronization
internal import UserPresence

/// A watcher that records the decisions and the prompts of the current step.
final class Watcher: KeychainWatcher {
    private struct Notes {
        var decisions: [WatchedDecision] = []
        var prompts: [Factor] = []
        var alerts = 0
    }

    private let notes = Mutex(Notes())

    func decided(_ decision: WatchedDecision) {
        // The movements of an account have rules of their own.
        if decision.caller == Caller.accountName { return }
        notes.withLock { $0.decisions.append(decision) }
    }

    // A step has at most one access to a file, and its outcome has the decision.
    func decided(_ decision: WatchedFileDecision) {}

    func asked(_ content: PromptContent, ending: Prompt.Ending) {
        notes.withLock { notes in
            guard let factor = content.kind.factor else {
                notes.alerts += 1
                return
            }
            // Another attempt at the same prompt does not count as another prompt.
            if content.attempt == 1 { notes.prompts.append(factor) }
        }
    }

    func called(_ call: FaceCall, about what: String, code: Int, because why: String) {}
    func plannedFailure(of call: FaceCall) -> Int? { nil }
    var outlivesMisuse: Bool { true }

    /// Runs `body` with an empty record, and restores the record afterwards.
    func aside(_ body: () -> Void) {
        let former = notes.withLock { notes in
            defer { notes = Notes() }
            return notes
        }
        body()
        notes.withLock { $0 = former }
    }

    /// Moves everything recorded since the last call into `outcome`.
    func collect(into outcome: inout StepOutcome) {
        notes.withLock { notes in
            outcome.decisions = notes.decisions
            outcome.prompts = notes.prompts
            outcome.permissionAlerts = notes.alerts
            notes = Notes()
        }
    }
}

extension PromptContent.Kind {
    /// The factor that the prompt asks for, or nil if it asks for something else.
    fileprivate var factor: Factor? {
        switch self {
        case .biometry: .biometry
        case .companion: .companion
        case .passcode, .formerPasscode: .passcode
        case .applicationPassword, .newApplicationPassword: .applicationPassword
        case .permission, .newPasscode, .recoveryKey, .passphrase, .newPassphrase, .newSecret: nil
        }
    }
}
