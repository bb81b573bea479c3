package import DeviceModel
package import SecretVault
package import SodiumKit
internal import UserPresence

// Passwords that the login system has passed on. Each counts as an attempt like one that was typed, and authenticates in no
// context.

extension Keychain {
    /// True if the passcode is the login password, because another authenticator such as PAM checks it.
    package var followsLoginPassword: Bool { hasAuthenticator }

    /// The milliseconds for which the former login password still opens the vault; nil if only the present one does.
    package var formerPasscodeRemains: Int64? {
        get throws(KeychainError) { try onVault(vault.formerPasscodeRemains) }
    }

    /// Returns a ticket for a password that is to unlock the device. It does not count after a lock.
    package func ticketToUnlock() throws(KeychainError) -> PromptTicket {
        try onVault(vault.openPromptToUnlock())
    }

    /// Unlocks the device if the password of a login is its passcode. The user is not asked for a former one.
    @discardableResult
    package func unlockAtLogin(
        _ password: borrowing SecureBytes, at ticket: PromptTicket
    ) throws(KeychainError) -> Effects {
        var isJudged = false
        return try carry(
            vault.enter(passcode: password, in: nil, at: ticket, isJudged: isJudged) {
                isJudged = judge != nil
                return verdict(on: $0)
            })
    }

    /// Replaces the passcode after the login password was changed. The former one opens the vault until the new one has
    /// done so once, and for seven days at most, because the login system may still go back to it.
    ///
    /// The change unlocks the device. So if a lock came after the ticket, nothing is changed, and the next prompt asks for
    /// the former passcode.
    @discardableResult
    package func followLogin(
        from old: borrowing SecureBytes, to new: borrowing SecureBytes, at ticket: PromptTicket
    ) throws(KeychainError) -> Effects {
        try carry(vault.changePasscode(from: old, to: new, at: ticket, keepingFormer: true) { verdict(on: $0) })
    }

    private func verdict(on passcode: borrowing SecureBytes) -> OtherVerdict {
        judge.map { OtherVerdict($0.authenticate(passcode).verdict) } ?? .accepted
    }
}
