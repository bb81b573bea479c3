extension AuthenticatorError: CustomStringConvertible {
    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .length(let count): "a passcode has 1 to 511 bytes and no zero byte; this one has \(count)"
        case .untrusted(let what): what
        case .noService(let path): "there is no PAM service \(path): create it, or name another one"
        case .neverAsked:
            "the PAM service accepts without asking for a passcode, which proves nothing: put a module into it that asks"
        case .unexpectedPrompt:
            "the PAM service asked for something else than one passcode: name a service that asks for the passcode alone"
        case .refusedUnasked:
            "the PAM service refused without looking at the passcode: see what it says, and wait if it counts failures"
        case .unknownUser(let name): "the PAM service knows no user \(name): name one that it knows"
        case .mustChange: "the login password has to be changed first: change it with passwd, then try again"
        case .expired: "the account has expired: ask the administrator"
        case .accountRefused(let code):
            "the PAM service does not let this account in now (code \(code)): ask the administrator"
        case .hung(let seconds):
            "the PAM service did not answer within \(seconds) seconds: see what its modules wait for, and try again"
        case .tooManyHung(let count):
            "\(count) calls into the PAM service have not come back: see what its modules wait for, and start the program anew"
        case .broken(let code, let text):
            "the PAM service is broken (\(text), code \(code)): see its file and its modules"
        }
    }
}
