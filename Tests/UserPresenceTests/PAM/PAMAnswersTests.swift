import Testing
import UserPresence

/// The verdict for every combination of PAM's codes.
@Suite struct PAMAnswersTests {
    private static let codes: [Int32] = Array(-2...40) + [127, 4711, .max, .min]

    /// Returns the verdict by the rules of docs/pam.md, one after the other.
    private func expected(_ answers: PAMAnswers) -> PasscodeResult.Verdict {
        let refuses = [Code.authenticationError, Code.permissionDenied, Code.maxTries].contains(answers.authentication)
        if answers.wasUnexpected { return .unavailable(.unexpectedPrompt) }
        if answers.authentication == 0, answers.account == 0, answers.wasAnswered { return .accepted }
        if answers.authentication == 0, !answers.wasAnswered { return .unavailable(.neverAsked) }
        if refuses, answers.wasAnswered { return .wrong }
        if refuses { return .unavailable(.refusedUnasked) }
        if answers.authentication == Code.userUnknown { return .unavailable(.unknownUser("somebody")) }
        if answers.authentication == 0, let account = answers.account {
            if account == Code.mustChange { return .unavailable(.mustChange) }
            if account == Code.expired { return .unavailable(.expired) }
            return .unavailable(.accountRefused(account))
        }
        let code = answers.authentication == 0 ? Code.systemError : answers.authentication
        return .unavailable(.broken(code: code, text: "text \(code)"))
    }

    @Test func everyCodeOfEveryStageHasItsVerdict() {
        var accepted: [PAMAnswers] = []
        var wrong: Set<Int32> = []
        for authentication in Self.codes {
            for account in Self.codes.map(Optional.some) + [nil] {
                for flags in 0..<4 {
                    let answers = PAMAnswers(
                        authentication: authentication, account: account, wasAnswered: flags & 1 != 0,
                        wasUnexpected: flags & 2 != 0)
                    let verdict = answers.verdict(of: "somebody") { "text \($0)" }
                    #expect(verdict == expected(answers), "\(answers)")
                    if verdict == .accepted { accepted.append(answers) }
                    if verdict == .wrong { wrong.insert(authentication) }
                }
            }
        }
        // Only one combination is accepted.
        #expect(
            accepted == [PAMAnswers(authentication: 0, account: 0, wasAnswered: true, wasUnexpected: false)])
        #expect(wrong == [6, 7, 11])
    }
}
