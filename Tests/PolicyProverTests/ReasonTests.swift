import AccessPolicy
import PolicyProver
import Testing

/// The reasons of steps, in words and as identifiers of rules.
@Suite struct ReasonTests {
    /// A reason has the meaning of each rule behind it, in order, and names each rule.
    @Test func everyRuleHasItsSentence() {
        for rule in Rule.allCases {
            let reason = Attack.Reason.decided(granted: false, rules: [.classOpen, rule])
            #expect(reason.sentence == "\(Rule.classOpen.summary); \(rule.summary)")
            #expect(reason.rules == [Rule.classOpen.identifier, rule.identifier])
            #expect(!reason.sentence.contains(rule.identifier), "\(rule.identifier)")
        }
        for rule in FileRule.allCases {
            let reason = Attack.Reason.decidedFile(.open(.complete), rule)
            #expect(reason.sentence == rule.summary && reason.rules == [rule.identifier])
        }
    }

    @Test func aReasonWithoutARuleIsTheSameInBoth() {
        let reasons: [Attack.Reason] = [
            .nothingNeeded, .deviceUnlocked, .settings(hasPasscode: true), .protectedSettings(afterDelay: true),
            .knowsPasscode, .guesses, .knownFinger, .unknownFinger, .wearsCompanion, .opensBackup, .fileMissing,
            .otherAppsFile,
        ]
        for reason in reasons { #expect(reason.sentence == reason.words && reason.rules.isEmpty) }
    }
}
