import LinuxSystem
import SodiumKit
import TestSupport
import UserPresence

extension PAMStack {
    /// What an authenticator of this stack is.
    func authenticator(patience: Int = PAMAuthenticator.patience, among supervisor: Supervisor? = nil)
        -> PAMAuthenticator
    {
        PAMAuthenticator(service: service, folder: folder, user: user, patience: patience, among: supervisor)
    }

    /// What an authenticator of this stack says.
    func authenticate(_ passcode: String) throws -> PasscodeResult {
        authenticator().authenticate(try SecureBytes(passcode))
    }

    /// Its verdict alone.
    func verdict(_ passcode: String = "correct horse") throws -> PasscodeResult.Verdict {
        try authenticate(passcode).verdict
    }
}

extension PasscodeResult.Verdict {
    /// Why it was not checked; nil where it was.
    var trouble: AuthenticatorError? {
        if case .unavailable(let trouble) = self { trouble } else { nil }
    }

    /// What cannot be trusted; nil where something else is the matter.
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
