internal import AgentProtocol
internal import Latchkey
internal import SecretTools
internal import SecretVault
internal import SodiumKit
internal import UserPresence

// Prompts for the passcode and the recovery key, which several requests show.

extension Visit {
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

    /// Returns a warning about a passcode that was set, if it is easy to guess.
    func warning(about passcode: borrowing SecureBytes) -> String? {
        guard let cost = try? service.keychain.cost else { return nil }
        return PasscodeStrength(passcode).warning(cost)
    }

    /// Asks for the passcode before anything else is asked for.
    func askForPasscode(in context: KeychainContext, because reason: String) throws(AgentError) {
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.requirePasscode(in: context, by: requester, because: reason)
        }
    }
}
