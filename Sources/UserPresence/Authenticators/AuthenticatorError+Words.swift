extension AuthenticatorError: CustomStringConvertible {
    /// A message that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .length(let count): "a passcode has 1 to 511 bytes and no zero byte; this one has \(count)"
        case .untrusted(let what): what
        case .noService(let path): "there is no PAM service \(path): create it, or name another one"
        case .neverAsked:
            "the PAM service accepts without asking for a passcode, so it checks none: add a module that asks"
        case .unexpectedPrompt:
            "the PAM service asked for something other than one passcode: name one that asks for the passcode alone"
        case .refusedUnasked:
            "the PAM service refused without asking for the passcode: read its messages. If it counts failures, wait"
        case .unknownUser(let name): "the PAM service does not know the user \(name): name one that it knows"
        case .mustChange: "the login password has to be changed first: run `passwd`, then try again"
        case .expired: "the account has expired: ask the administrator"
        case .accountRefused(let code):
            "the PAM service does not admit this account now (code \(code)): ask the administrator"
        case .hung(let seconds):
            "the PAM service did not answer within \(seconds) seconds: check what its modules wait for, and try again"
        case .tooManyHung(let count):
            "\(count) calls into the PAM service have not returned: check its modules, and restart the program"
        case .broken(let code, let text):
            "the PAM service is broken (\(text), code \(code)): check its file and its modules"
        }
    }
}
