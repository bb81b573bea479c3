public import SodiumKit

/// Somebody besides the keys who is asked about the device passcode, such as PAM. It can only refuse: it has no key.
public protocol PasscodeAuthenticator: Sendable {
    /// What it says of `passcode`, in bounded time, whatever happens.
    func authenticate(_ passcode: borrowing SecureBytes) -> PasscodeResult
}

/// The verdict of an authenticator, and its messages for the user.
public struct PasscodeResult: Sendable {
    /// The verdict of an authenticator.
    public enum Verdict: Hashable, Sendable {
        /// The passcode is right.
        case accepted
        /// It is wrong; the attempt counts.
        case wrong
        /// It was not checked, or checked for nothing; the attempt does not count.
        case unavailable(AuthenticatorError)
    }

    /// What it said.
    public var verdict: Verdict
    /// Its messages for the user, line by line, without a secret.
    public var notes: [String]

    /// This verdict.
    public init(_ verdict: Verdict, notes: [String] = []) {
        self.verdict = verdict
        self.notes = notes
    }
}

/// Why a passcode was not checked.
public enum AuthenticatorError: Error, Hashable, Sendable {
    /// A passcode that no authenticator takes, by how many bytes it has.
    case length(Int)
    /// Another user could change what the authenticator relies on.
    case untrusted(String)
    /// There is no such service.
    case noService(String)
    /// The authenticator accepted without asking for the passcode, which proves nothing.
    case neverAsked
    /// The authenticator asked for something that is no passcode, or for more than one.
    case unexpectedPrompt
    /// The authenticator refused without looking at the passcode.
    case refusedUnasked
    /// The authenticator knows no user of this name.
    case unknownUser(String)
    /// The passcode is right, but has to be changed before it is good for anything.
    case mustChange
    /// The passcode is right, but the account is over.
    case expired
    /// The passcode is right, but the account may not be used now.
    case accountRefused(Int32)
    /// The authenticator did not answer in time.
    case hung(seconds: Int)
    /// Too many have not answered in time, and are still at it.
    case tooManyHung(Int)
    /// Something of the authenticator is missing or broken.
    case broken(code: Int32, text: String)
}
