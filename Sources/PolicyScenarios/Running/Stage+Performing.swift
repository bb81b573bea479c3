internal import AccessPolicy
internal import ApplePlatform
internal import DeviceModel
internal import Latchkey
internal import ScenarioFormat
internal import SecretVault
internal import Synchronization
internal import UserPresence

extension Stage {
    /// Performs a step once and returns its outcome.
    func perform(_ step: Step) -> StepOutcome {
        var outcome = StepOutcome()
        do {
            switch step.deed {
            case .look: break
            case .invalidate(let name): try context(of: CallCircumstances(context: name))?.invalidate()
            case .createControl(let protection, let flags):
                do {
                    _ = try AccessControl(protection: protection, flags: flags)
                    outcome.verdict = .granted([], reusesUnlock: false)
                } catch {
                    outcome.verdict = .denied(Denial(error.rule))
                    outcome.status = AppleStatus(error.rule, keychain.fidelity)?.status
                }
            case .account: outcome.verdict = .broken("a device by itself has no account")
            case .event(let event):
                let effects = if let name = step.by { try act(event, by: name) } else { try happen(event) }
                outcome.verdict = Self.verdict(of: effects)
            case .file(let request): try call(request, &outcome)
            case .fail(let failure): fail(failure, by: step)
            case .request(let request): try perform(request, by: step.by, &outcome)
            case .evaluate(let evaluation):
                try asked(by: step.by, meanwhile: evaluation.asking.meanwhile) { () throws(KeychainError) in
                    try evaluate(evaluation)
                }
                outcome.verdict = .granted([], reusesUnlock: false)
            }
        } catch {
            note(error, of: step.deed, in: &outcome)
        }
        do { try forgetErasedFiles() } catch { outcome.verdict = .broken("\(error)") }
        watcher.collect(into: &outcome)
        outcome.meanwhile = state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
        outcome.completeGrant(of: step.deed)
        return outcome
    }

    func asked(
        by guest: String?, meanwhile: [Step], _ body: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        // The step may itself be played during a prompt.
        let former = state.withLock { state in
            defer {
                state.guest = guest
                state.meanwhile = meanwhile
            }
            return state.guest
        }
        defer {
            state.withLock { state in
                state.guest = former
                if let left = state.meanwhile.first {
                    state.trouble.append(
                        UnmetExpectation(
                            position: left.position, expected: "\"\(left.words)\" during a prompt",
                            actual: "no prompt was shown"))
                }
                state.meanwhile = []
            }
        }
        try body()
    }

    static func verdict(of effects: Effects) -> StepOutcome.Verdict {
        if let refusal = effects.refusal { return .refused(refusal) }
        let isWrong = effects.contains { if case .rejected = $0 { true } else { false } }
        return isWrong ? .wrong : .happened
    }

    private func note(_ error: KeychainError, of deed: StepDeed, in outcome: inout StepOutcome) {
        switch error {
        case .denied(let denied):
            outcome.verdict = .denied(denied.denial)
            outcome.laError = denied.status?.laError
        case .request(let fault): outcome.verdict = .faulty(fault.description)
        case .refused(let refusal): outcome.verdict = .refused(refusal)
        case .wrongPasscode: outcome.verdict = .wrong
        // The sensor itself refuses what the device would refuse.
        case .sensor(.alreadyEnrolled): outcome.verdict = .refused(.alreadyEnrolled)
        case .sensor(.notEnrolled): outcome.verdict = .refused(.notEnrolled)
        case .sensor(.full): outcome.verdict = .refused(.sensorFull)
        case .vault, .sensor, .authenticator, .wrongKind, .foreignContext, .key: outcome.verdict = .broken("\(error)")
        }
        if case .request = deed { outcome.status = error.status }
    }
}

extension StepOutcome {
    /// Takes the factors of the grant from the last granting decision that took any.
    ///
    /// The decision whether the item can be stored under a new policy does not count for an update, because its factors
    /// are not those of the former policy.
    fileprivate mutating func completeGrant(of deed: StepDeed) {
        guard case .granted = verdict else { return }
        let isUpdate = if case .request(let request) = deed { request.action == .update } else { false }
        let grants = decisions.reversed().compactMap { watched -> Grant? in
            if isUpdate, case .item(_, .add, _) = watched.request.subject { return nil }
            return if case .granted(let grant) = watched.decision { grant } else { nil }
        }
        guard let grant = grants.first(where: { !$0.way.isEmpty }) ?? grants.first else { return }
        verdict = .granted(grant.way, reusesUnlock: grant.reusesUnlock)
    }
}
