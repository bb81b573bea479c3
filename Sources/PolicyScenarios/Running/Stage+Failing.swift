internal import AccessPolicy
internal import ApplePlatform
internal import Latchkey
internal import ScenarioFormat
internal import SecretVault
internal import Synchronization
internal import UserPresence

/// The failures that steps have planned, in the order in which they come.
struct PlannedFailures: Sendable {
    private var calls: [(action: Action, decrypts: Bool, status: OSStatusCode, step: Step)] = []
    private var endings: [(ending: Failure.PromptEnding, step: Step)] = []

    /// The steps whose failures have not come yet.
    var left: [Step] { calls.map { $0.step } + endings.map { $0.step } }

    mutating func plan(_ action: Action, decrypts: Bool, _ status: OSStatusCode, by step: Step) {
        calls.append((action, decrypts, status, step))
    }

    mutating func plan(_ ending: Failure.PromptEnding, by step: Step) { endings.append((ending, step)) }

    /// Returns the status with which this request fails, and forgets it; nil if the request goes ahead.
    mutating func consumeStatus(of request: ItemRequest) -> OSStatusCode? {
        let place = calls.firstIndex { $0.action == request.action && $0.decrypts == request.decrypts }
        return place.map { calls.remove(at: $0).status }
    }

    /// Returns the ending of the prompt that is shown now, and forgets it; nil if the user answers it.
    mutating func consumePromptEnding() -> Failure.PromptEnding? {
        endings.isEmpty ? nil : endings.removeFirst().ending
    }
}

extension Failure.PromptEnding {
    /// The ending that comes from elsewhere; nil if the user ends the prompt.
    var early: Prompt.Ending? {
        switch self {
        case .dismissed: nil
        case .systemCanceled: .systemCanceled
        case .appCanceled: .appCanceled
        }
    }
}

extension Stage {
    /// Lets something fail, now or the next time that it happens.
    func fail(_ failure: Failure, by step: Step) {
        switch failure {
        case .call(let action, let decrypts, let status):
            state.withLock { $0.failures.plan(action, decrypts: decrypts, status, by: step) }
        case .prompt(let ending): state.withLock { $0.failures.plan(ending, by: step) }
        case .sensor(let answers): keychain.simulateSensor(answering: answers)
        }
    }

    /// Makes a request, unless a step has planned that it fails.
    func perform(_ request: ItemRequest, by guest: String?, _ outcome: inout StepOutcome) throws(KeychainError) {
        if let status = state.withLock({ $0.failures.consumeStatus(of: request) }) {
            outcome.verdict = .failed
            outcome.status = status
            return
        }
        try asked(by: guest, meanwhile: request.asking.meanwhile) { () throws(KeychainError) in
            try ask(request, &outcome)
        }
        outcome.status = .success
        outcome.verdict = .granted([], reusesUnlock: false)
    }
}
