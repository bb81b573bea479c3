public import SodiumKit

/// A service, such as PAM, that checks the device passcode besides the keys. It can only refuse: it has no key.
public protocol PasscodeAuthenticator: Sendable {
    /// Returns its verdict on `passcode`. It always returns, and in bounded time.
    func authenticate(_ passcode: borrowing SecureBytes) -> PasscodeResult
}

/// The verdict of an authenticator, with its messages for the user.
public struct PasscodeResult: Sendable {
    /// A verdict on a passcode.
    public enum Verdict: Hashable, Sendable {
        /// The passcode is right.
        case accepted
        /// The passcode is wrong. The attempt counts.
        case wrong
        /// The passcode was not checked, or the check means nothing. The attempt does not count.
        case unavailable(AuthenticatorError)
    }

    /// The verdict.
    public var verdict: Verdict
    /// The messages for the user, one per line. They contain no secret.
    public var notes: [String]

    /// Creates a result.
    public init(_ verdict: Verdict, notes: [String] = []) {
        self.verdict = verdict
        self.notes = notes
    }
}

/// The reason why a passcode was not checked.
public enum AuthenticatorError: Error, Hashable, Sendable {
    /// The passcode has a length that no authenticator accepts. Its length in bytes.
    case length(Int)
    /// Another user could change what the authenticator relies on.
    case untrusted(String)
    /// There is no service at this path.
    case noService(String)
    /// The authenticator accepted without asking for the passcode, so it has checked nothing.
    case neverAsked
    /// The authenticator asked for something other than a passcode, or for more than one.
    case unexpectedPrompt
    /// The authenticator refused before it had the passcode.
    case refusedUnasked
    /// The authenticator knows no user of this name.
    case unknownUser(String)
    /// The passcode is right, but has to be changed before it can be used.
    case mustChange
    /// The passcode is right, but the account has expired.
    case expired
    /// The passcode is right, but the account may not be used now.
    case accountRefused(Int32)
    /// The authenticator did not answer in time.
    case hung(seconds: Int)
    /// So many earlier calls have not returned yet that no further one is begun.
    case tooManyHung(Int)
    /// The authenticator failed, for example because one of its modules is missing.
    case broken(code: Int32, text: String)
}
