import LinuxSystem
import SodiumKit
import TestSupport
import UserPresence

extension PAMStack {
    /// Returns an authenticator for this stack.
    func authenticator(patience: Int = PAMAuthenticator.patience, among supervisor: Supervisor? = nil)
        -> PAMAuthenticator
    {
        PAMAuthenticator(service: service, folder: folder, user: user, patience: patience, among: supervisor)
    }

    /// Returns the result of a new authenticator for this stack.
    func authenticate(_ passcode: String) throws -> PasscodeResult {
        authenticator().authenticate(try SecureBytes(passcode))
    }

    /// Returns the verdict alone.
    func verdict(_ passcode: String = "correct horse") throws -> PasscodeResult.Verdict {
        try authenticate(passcode).verdict
    }
}

extension PasscodeResult.Verdict {
    /// The reason why the passcode was not checked; nil if it was.
    var trouble: AuthenticatorError? {
        if case .unavailable(let trouble) = self { trouble } else { nil }
    }

    /// The message about what cannot be trusted; nil for any other verdict.
    var untrusted: String? {
        if case .untrusted(let what) = trouble { what } else { nil }
    }
}

/// The codes of Linux-PAM, as its manual numbers them.
enum Code {
    static let success: Int32 = 0
    static let systemError: Int32 = 4
    static let permissionDenied: Int32 = 6
    static let authenticationError: Int32 = 7
    static let unavailable: Int32 = 9
    static let userUnknown: Int32 = 10
    static let maxTries: Int32 = 11
    static let mustChange: Int32 = 12
    static let expired: Int32 = 13
    static let conversationError: Int32 = 19
    static let authtokError: Int32 = 20
    static let abort: Int32 = 26
    static let moduleUnknown: Int32 = 28
}
