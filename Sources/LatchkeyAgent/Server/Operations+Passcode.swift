internal import AccessPolicy
internal import AgentProtocol
internal import DeviceModel
internal import Latchkey
internal import PlainText
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import UserPresence

// A new passcode, by the present one or by the recovery key, and prompts that a wrong answer repeats.

extension Visit {
    func changePasscode() throws(AgentError) -> Answer<RawReply> {
        let reason = "change the passcode of the vault"
        // The present passcode is checked before the user thinks of a new one.
        let present = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.typedPasscode(reason: reason, by: requester)
        }
        let next = try ask(.newPasscode, because: reason)
        if next.equals(present) { throw AgentError(.request, "this is the present passcode: choose another one") }
        let effects = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.changePasscode(from: present, to: next)
        }
        try require(effects)
        if effects.contains(.rejected(.passcode)) { throw AgentError(KeychainError.wrongPasscode) }
        return warning(about: next)
    }

    func recover() throws(AgentError) -> Answer<RawReply> {
        let reason = "set a new passcode"
        // The key is checked before the user thinks of a new passcode.
        let key = try typedRecoveryKey(because: reason)
        let next = try ask(.newPasscode, because: reason)
        try require(
            try onKeychain { (keychain) throws(KeychainError) in try keychain.recover(with: key, to: next) })
        return warning(about: next)
    }

    /// Makes a new recovery key, after the passcode was typed. The head of the answer says if the vault had none before.
    func replaceRecoveryKey() throws(AgentError) -> Answer<RawReply> {
        let isFirst = try !onKeychain { (keychain) throws(KeychainError) in try keychain.hasRecoveryKey }
        let passcode = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.typedPasscode(
                reason: "\(isFirst ? "make a" : "replace the") recovery key of the vault", by: requester)
        }
        // The keys are wrapped under what was typed, which has to be the passcode that stays.
        if try onKeychain({ (keychain) throws(KeychainError) in try keychain.formerPasscodeRemains }) != nil {
            throw AgentError(
                .request, "this is the former passcode, and nothing was changed: run `latchkey unlock` with the new one"
            )
        }
        let key = try onKeychain { (keychain) throws(KeychainError) in try keychain.replaceRecoveryKey(passcode) }
        let head = isFirst ? Head(["first": .bool(true)]) : Head()
        do throws(SodiumError) { return Answer(head, secret: try key.text()) } catch {
            throw AgentError(.vault, "\(error)")
        }
    }

    /// Returns the recovery key of the vault, once the user has typed it.
    func typedRecoveryKey(because reason: String) throws(AgentError) -> RecoveryKey {
        guard try onKeychain({ (keychain) throws(KeychainError) in try keychain.hasRecoveryKey }) else {
            throw AgentError(
                .request,
                "the vault has no recovery key: with the passcode, `latchkey recovery-key replace` makes one; without the "
                    + "passcode nothing opens this vault")
        }
        return try ask(.recoveryKey, because: reason) { typed in
            RecoveryKey.letterCount(ofPart: typed).map {
                "The recovery key is incomplete: it has \(RecoveryKey.letterCount) letters and digits, and you typed \($0)."
            }
        } until: { (typed) throws(AgentError) -> Result<RecoveryKey, AgentError> in
            guard let key = try? RecoveryKey(typed) else {
                return .failure(
                    AgentError(
                        .wrong, "this is no recovery key: it has 56 letters and digits; check it letter by letter"))
            }
            let opens = try onKeychain { (keychain) throws(KeychainError) in try keychain.isRecoveryKey(key) }
            return opens ? .success(key) : .failure(AgentError(KeychainError.vault(.wrongRecoveryKey)))
        }
    }

    /// Returns the answer once a passcode is set: a warning if it is easy to guess.
    private func warning(about passcode: borrowing SecureBytes) -> Answer<RawReply> {
        guard let cost = try? agent.keychain.cost, let warning = PasscodeStrength(passcode).warning(cost) else {
            return Answer()
        }
        return Answer(Head(["warning": .string(warning)]))
    }

    /// Shows a prompt until what the user typed is right, as often as a prompt for the passcode.
    ///
    /// - Parameters:
    ///   - kind: The kind of the prompt.
    ///   - reason: The reason for it.
    ///   - gap: Returns what is missing in an answer, so that it is no try and the user types it again; nil if nothing is.
    ///   - check: Returns what follows from what was typed, or the reason why that is wrong. It throws what another
    ///     answer would not change.
    /// - Throws: The last reason, if the last answer is wrong too.
    func ask<Value>(
        _ kind: PromptContent.Kind, because reason: String,
        without gap: (borrowing SecureBytes) -> String? = { _ in nil },
        until check: (borrowing SecureBytes) throws(AgentError) -> Result<Value, AgentError>
    ) throws(AgentError) -> Value {
        let tries = Sheet(Ways([.passcode]), sensor: .none).tries(for: .passcode)
        var attempt = 1
        var gaps = 0
        // The note about the last answer alone: an earlier one would contradict it.
        var notes: [String] = []
        while true {
            let typed = try ask(kind, because: reason, attempt: attempt, of: tries, notes: notes)
            if let gap = gap(typed), gaps < tries {
                gaps += 1
                notes = [gap]
                continue
            }
            notes = []
            switch try check(typed) {
            case .success(let value): return value
            case .failure(let fault): if attempt >= tries { throw fault }
            }
            attempt += 1
        }
    }
}
