internal import AccessPolicy
internal import DeviceModel
internal import SecretVault
internal import SodiumKit
internal import UserPresence

/// The result of checking a passcode that the user typed, and the authenticator's messages for the user.
struct PasscodeAttempt {
    enum Result {
        /// The device has counted the attempt.
        case checked(Effects)
        /// The prompt ended before the check.
        case over
        /// No authenticator could check it, so it does not count.
        case unavailable(AuthenticatorError)
        /// Its length is not that of a passcode, so it does not count.
        case notOne
    }

    var result: Result
    var notes: [String] = []
}

extension Keychain {
    /// Checks a passcode: the other authenticator first, such as PAM, which can only reject it; then the keys, which it
    /// opens or not.
    ///
    /// If the other authenticator accepts a passcode that does not open the keys, the login password was changed
    /// elsewhere. The user is asked for the former one, once, and the keys are wrapped under the new one.
    func enter(
        _ passcode: borrowing SecureBytes, in context: KeychainContext?, at ticket: PromptTicket?,
        for call: KeychainCall
    ) throws(KeychainError) -> PasscodeAttempt {
        var result = PasscodeResult(.accepted)
        var isJudged = false
        let effects: Effects
        do {
            effects = try vault.enter(
                passcode: passcode, in: context?.vaultContext, at: ticket, isJudged: isJudged
            ) { passcode in
                if let judge {
                    isJudged = true
                    result = judge.authenticate(passcode)
                }
                return OtherVerdict(result.verdict)
            }
        } catch {
            if case .passcodeLength = error { return PasscodeAttempt(result: .notOne) }
            throw .vault(error)
        }
        endPrompts(effects)
        switch effects.refusal {
        case .promptOver: return PasscodeAttempt(result: .over, notes: result.notes)
        case .authenticatorUnavailable:
            // The settings changed while the passcode was checked, so it was not.
            guard case .unavailable(let trouble) = result.verdict else {
                return PasscodeAttempt(result: .over, notes: result.notes)
            }
            return PasscodeAttempt(result: .unavailable(trouble), notes: result.notes + [trouble.description])
        default: break
        }
        let isAnother = isJudged && result.verdict == .accepted && effects.contains(.rejected(.passcode))
        if isAnother, let taken = try followLoginPassword(passcode, in: context, ticket, for: call) { return taken }
        return PasscodeAttempt(result: .checked(effects), notes: result.notes)
    }

    /// Wraps the keys under a login password that was changed elsewhere, using the former one. Returns nil if the user
    /// does not give it.
    private func followLoginPassword(
        _ passcode: borrowing SecureBytes, in context: KeychainContext?, _ ticket: PromptTicket?, for call: KeychainCall
    ) throws(KeychainError) -> PasscodeAttempt? {
        let content = PromptContent(.formerPasscode, reason: call.words.reason, app: call.requester.name)
        let prompt = Prompt(content)
        let response = answer(to: prompt, of: call.context, at: ticket)
        guard prompt.ending == nil, case .typed(let former) = consume response else { return nil }
        let effects: Effects
        do {
            effects = try vault.changePasscode(from: former, to: passcode, at: ticket) { _ in .accepted }
        } catch {
            if case .passcodeLength = error { return nil }
            throw .vault(error)
        }
        endPrompts(effects)
        if effects.refusal == .promptOver { return PasscodeAttempt(result: .over) }
        if effects.refusal != nil || effects.contains(.rejected(.passcode)) {
            return PasscodeAttempt(result: .checked(effects))
        }
        // Changing the passcode voids earlier evidence. The other authenticator has just accepted this one, so it is
        // not asked again.
        let isAtPrompt = ticket != nil
        let toUnlock = ticket?.isToUnlock == true
        let now = isAtPrompt ? try onVault(toUnlock ? vault.openPromptToUnlock() : vault.openPrompt()) : nil
        let entered =
            isAtPrompt && now == nil
            ? Effects(.refused(.promptOver))
            : try onVault(vault.enter(passcode: passcode, in: context?.vaultContext, at: now) { _ in .accepted })
        endPrompts(entered)
        return PasscodeAttempt(result: entered.refusal == .promptOver ? .over : .checked(entered))
    }

    /// Dismisses the prompts that an event ends, and tells the observers of the device about it.
    func endPrompts(_ effects: Effects) {
        if effects.contains(.endSheets) || effects.contains(.wipeContexts) { prompts.endAll(.systemCanceled) }
        deviceObservers.tell(of: self)
    }
}

extension OtherVerdict {
    init(_ verdict: PasscodeResult.Verdict) {
        self =
            switch verdict {
            case .accepted: .accepted
            case .wrong: .wrong
            case .unavailable: .unavailable
            }
    }
}
