internal import AccessPolicy
internal import Latchkey
internal import SecretVault
internal import Synchronization
internal import UserPresence

/// Notes what is decided and what people are asked, until the step is over.
final class Watcher: KeychainWatcher {
    private struct Notes {
        var decisions: [WatchedDecision] = []
        var prompts: [Factor] = []
        var alerts = 0
    }

    private let notes = Mutex(Notes())

    func decided(_ decision: WatchedDecision) {
        notes.withLock { $0.decisions.append(decision) }
    }

    func asked(_ content: PromptContent, ending: Prompt.Ending) {
        notes.withLock { notes in
            guard let factor = content.kind.factor else {
                notes.alerts += 1
                return
            }
            // The same asked once more on the same sheet is the same prompt.
            if content.attempt == 1 { notes.prompts.append(factor) }
        }
    }

    func called(_ call: FaceCall, about what: String, code: Int, because why: String) {}
    func plannedFailure(of call: FaceCall) -> Int? { nil }
    var outlivesMisuse: Bool { true }

    /// Runs `body` as if nothing had been noted yet, and goes on with what was.
    func aside(_ body: () -> Void) {
        let former = notes.withLock { notes in
            defer { notes = Notes() }
            return notes
        }
        body()
        notes.withLock { $0 = former }
    }

    /// What was noted since the last time.
    func collect(into outcome: inout Outcome) {
        notes.withLock { notes in
            outcome.decisions = notes.decisions
            outcome.prompts = notes.prompts
            outcome.permissionAlerts = notes.alerts
            notes = Notes()
        }
    }
}

extension PromptContent.Kind {
    /// What is asked for; nil for leave to use the sensor.
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
