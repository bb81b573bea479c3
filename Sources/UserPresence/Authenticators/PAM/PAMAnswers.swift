internal import CPAM

/// What a transaction with PAM came to, before anybody makes a verdict of it.
package struct PAMAnswers: Hashable, Sendable {
    /// What the authentication modules said.
    package var authentication: Int32
    /// What the account modules said; nil where nobody asked them.
    package var account: Int32?
    /// True if a module asked for the passcode, and got it.
    package var wasAnswered: Bool
    /// True if a module asked for anything else, or for a second passcode.
    package var wasUnexpected: Bool

    /// These.
    package init(authentication: Int32, account: Int32?, wasAnswered: Bool, wasUnexpected: Bool) {
        self.authentication = authentication
        self.account = account
        self.wasAnswered = wasAnswered
        self.wasUnexpected = wasUnexpected
    }

    /// The codes by which a module says that the passcode is wrong, provided that it has seen it.
    package static let refusals: Set<Int32> = [PAM_AUTH_ERR, PAM_PERM_DENIED, PAM_MAXTRIES]

    /// What follows about the passcode of `user`; `text` says what a code means.
    package func verdict(of user: String, text: (Int32) -> String) -> PasscodeResult.Verdict {
        if wasUnexpected { return .unavailable(.unexpectedPrompt) }
        if Self.refusals.contains(authentication) { return wasAnswered ? .wrong : .unavailable(.refusedUnasked) }
        switch authentication {
        case PAM_SUCCESS: break
        case PAM_USER_UNKNOWN: return .unavailable(.unknownUser(user))
        default: return .unavailable(.broken(code: authentication, text: text(authentication)))
        }
        guard wasAnswered else { return .unavailable(.neverAsked) }
        switch account {
        case PAM_SUCCESS: return .accepted
        case PAM_NEW_AUTHTOK_REQD: return .unavailable(.mustChange)
        case PAM_ACCT_EXPIRED: return .unavailable(.expired)
        case .some(let code): return .unavailable(.accountRefused(code))
        case .none: return .unavailable(.broken(code: PAM_SYSTEM_ERR, text: text(PAM_SYSTEM_ERR)))
        }
    }
}
