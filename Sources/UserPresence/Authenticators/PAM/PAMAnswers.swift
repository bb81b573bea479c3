internal import CPAM

/// The outcome of a transaction with PAM, from which the verdict follows.
package struct PAMAnswers: Hashable, Sendable {
    /// The code of the authentication modules.
    package var authentication: Int32
    /// The code of the account modules; nil if they were not asked.
    package var account: Int32?
    /// True if a module asked for the passcode and got it.
    package var wasAnswered: Bool
    /// True if a module asked for something other than a passcode, or for a second one.
    package var wasUnexpected: Bool

    package init(authentication: Int32, account: Int32?, wasAnswered: Bool, wasUnexpected: Bool) {
        self.authentication = authentication
        self.account = account
        self.wasAnswered = wasAnswered
        self.wasUnexpected = wasUnexpected
    }

    /// The codes that mean a wrong passcode, provided that the module has seen it.
    package static let refusals: Set<Int32> = [PAM_AUTH_ERR, PAM_PERM_DENIED, PAM_MAXTRIES]

    /// Returns the verdict on the passcode of `user`. `text` returns the description of a code.
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
