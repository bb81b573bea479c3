import LinuxSystem
import SodiumKit
import TestSupport
import UserPresence

extension PAMStack {
    /// What a judge of this stack is.
    func judge(patience: Int = PAMJudge.patience, among supervisor: Supervisor? = nil) -> PAMJudge {
        PAMJudge(service: service, folder: folder, user: user, patience: patience, among: supervisor)
    }

    /// What a judge of this stack says.
    func judge(_ passcode: String) throws -> PasscodeJudgement { judge().judge(try SecureBytes(passcode)) }

    /// Its verdict alone.
    func verdict(_ passcode: String = "correct horse") throws -> PasscodeJudgement.Verdict {
        try judge(passcode).verdict
    }
}

extension PasscodeJudgement.Verdict {
    /// Why it was not judged; nil where it was.
    var trouble: JudgeTrouble? {
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
