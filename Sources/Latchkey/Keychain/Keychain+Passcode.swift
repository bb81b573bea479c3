internal import AccessPolicy
internal import DeviceModel
internal import SecretVault
internal import SodiumKit
internal import UserPresence

/// What became of a passcode that somebody typed, and what a judge wants them to know.
struct PasscodeAttempt {
    enum Result {
        /// The device has taken notice of it.
        case judged(Effects)
        /// The prompt was over before.
        case over
        /// Nobody judged it, and it does not count.
        case unavailable(JudgeTrouble)
        /// It is none that anybody takes, and does not count.
        case notOne
    }

    var result: Result
    var notes: [String] = []
}

extension Keychain {
    /// Has a passcode judged by everybody who has a say: first the other judge, such as PAM, which can only refuse; then the
    /// keys, which it opens or not.
    ///
    /// Where the other judge accepts what does not open the keys, the login password has become another one elsewhere. The
    /// holder is asked for the former one, once, and the keys are wrapped anew.
    func enter(
        _ passcode: borrowing SecureBytes, in context: KeychainContext?, at ticket: SheetTicket?,
        for call: KeychainCall
    ) throws(KeychainError) -> PasscodeAttempt {
        var judgement = PasscodeJudgement(.accepted)
        let effects: Effects
        do throws(VaultError) {
            effects = try vault.enter(passcode: passcode, in: context?.proofs, at: ticket) { passcode in
                if let judge { judgement = judge.judge(passcode) }
                return OtherVerdict(judgement.verdict)
            }
        } catch {
            if case .passcodeLength = error { return PasscodeAttempt(result: .notOne) }
            throw .vault(error)
        }
        takeAway(effects)
        switch effects.refusal {
        case .promptOver: return PasscodeAttempt(result: .over, notes: judgement.notes)
        case .judgeUnavailable:
            guard case .unavailable(let trouble) = judgement.verdict else { break }
            return PasscodeAttempt(result: .unavailable(trouble), notes: judgement.notes + [trouble.description])
        default: break
        }
        let isAnother = judge != nil && judgement.verdict == .accepted && effects.contains(.rejected(.passcode))
        if isAnother, let taken = try takeOver(passcode, in: context, ticket, for: call) { return taken }
        return PasscodeAttempt(result: .judged(effects), notes: judgement.notes)
    }

    /// Makes the keys follow a login password that has become another one, with the former one. Nil where the holder does not
    /// give it.
    private func takeOver(
        _ passcode: borrowing SecureBytes, in context: KeychainContext?, _ ticket: SheetTicket?, for call: KeychainCall
    ) throws(KeychainError) -> PasscodeAttempt? {
        let question = Question(.formerPasscode, reason: call.words.reason, app: call.requester.name)
        let prompt = Prompt(question)
        let response = answer(to: prompt, of: call.context, at: ticket)
        guard prompt.ending == nil, case .typed(let former) = consume response else { return nil }
        let effects: Effects
        do throws(VaultError) {
            effects = try vault.changePasscode(from: former, to: passcode, at: ticket) { _ in .accepted }
        } catch {
            if case .passcodeLength = error { return nil }
            throw .vault(error)
        }
        takeAway(effects)
        if effects.refusal == .promptOver { return PasscodeAttempt(result: .over) }
        if effects.refusal != nil || effects.contains(.rejected(.passcode)) {
            return PasscodeAttempt(result: .judged(effects))
        }
        // What was proved before is void with the former passcode. The other judge has just accepted this one.
        let isAtPrompt = ticket != nil
        let entered = try onVault { (vault) throws(VaultError) in
            let toUnlock = ticket?.isToUnlock == true
            let now = isAtPrompt ? toUnlock ? try vault.openSheetToUnlock() : try vault.openSheet() : nil
            if isAtPrompt && now == nil { return Effects(.refused(.promptOver)) }
            return try vault.enter(passcode: passcode, in: context?.proofs, at: now) { _ in .accepted }
        }
        takeAway(entered)
        return PasscodeAttempt(result: entered.refusal == .promptOver ? .over : .judged(entered))
    }

    /// Takes away the prompts that what has happened ends.
    func takeAway(_ effects: Effects) {
        if effects.contains(.endSheets) || effects.contains(.wipeContexts) { prompts.endAll(.systemCancelled) }
    }
}

extension OtherVerdict {
    init(_ verdict: PasscodeJudgement.Verdict) {
        self =
            switch verdict {
            case .accepted: .accepted
            case .wrong: .wrong
            case .unavailable: .unavailable
            }
    }
}
