import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Well-formed scenarios that are meant to trip the run.
@Suite struct HostileRunTests {
    private static let head = """
        name: x
        device: {passcode: "1", enrolled: [f]}
        people: {p: {fingers: [f], passcode: "1"}}
        items: {a: {require: userPresence}, b: {require: userPresence}}
        steps:

        """

    private func run(_ text: String) throws -> ScenarioResult {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "f")
        #expect(file.mistakes.map(\.description) == [])
        return try #require(file.scenarios.first).run()
    }

    /// Every event during a prompt, then everything once more.
    @Test(arguments: [
        "lock", "erase", "reboot", "{restore: thisDevice}", "{removePasscode: }",
        "{setPasscode: \"2\"}", "{invalidate: c}", "{uninstall: com.example.app}", "{delete: a}", "{resetBiometry: }",
        "{wait: 9223372036854775807ms, times: 3, expect: anything}", "{read: a, context: c, expect: anything}",
        "{hold: stranger}",
        "{read: b, context: c, expect: anything, meanwhile: [{restore: thisDevice}, {erase: , expect: anything}]}",
        "{evaluate: deviceOwnerAuthentication, context: c, expect: anything, meanwhile: [{invalidate: c}]}",
    ]) func nothingUnderAPromptBreaksAnything(event: String) throws {
        for act in ["read: a", "read: {limit: all}", "update: a, secret: q", "evaluate: deviceOwnerAuthentication"] {
            let result = try run(
                Self.head + """
                    - backup: encrypted
                    - {\(act), context: c, meanwhile: [\(event)], expect: anything}
                    - {\(act), context: c, expect: anything}
                    - {erase: , expect: anything}
                    """)
            #expect(result.passed, "\(act) with \(event): \(result.complaint)")
        }
    }

    /// A prompt stays with the person who saw it first, even if others see prompts during it.
    @Test func whoeverIsAskedUnderAPromptLeavesTheRestOfItAlone() throws {
        let result = try run(
            Self.head + """
                - hold: absent
                - read: a
                  by: p
                  meanwhile: [{lock: }, {unlock: {passcode: "1"}}, {read: b, by: stranger, expect: denied}]
                  expect: anything
                - read: a
                  by: p
                  meanwhile: [{read: b, by: stranger, expect: denied, times: 2}]
                  expect: {granted: passcode, prompts: [biometry, passcode]}
                """)
        #expect(result.failure?.number != 2, "\(result.complaint)")
        #expect(result.passed, "\(result.complaint)")
    }

    /// A scenario that cannot start says so, and an event that cannot happen is refused.
    @Test(arguments: [
        ("device: {passcode: \"\"}", "1 to 511 bytes"), ("device: {passcode: \"§\"}", "1 to 511 bytes"),
        ("device: {enrolled: [\"\"]}", "1 to 128 bytes"), ("items: {a: {group: com.apple.token}}", "group of tokens"),
        ("items: {a: {account: q}, b: {account: q}}", "an item with the same primary key already exists"),
    ]) func whatCannotBeCannotBegin(declared: String, why: String) throws {
        let long = String(repeating: "p", count: 512)
        let text = declared.split(separator: "§", omittingEmptySubsequences: false).joined(separator: long)
        let result = try run("name: x\n\(text)\nsteps: [lock]")
        #expect(result.trouble?.actual.contains(why) == true, "\(result.complaint)")
    }

    @Test func withoutABackupNothingIsRestored() throws {
        #expect(
            try run(
                "name: x\nsteps: [{restore: thisDevice, expect: {refused: }}, {restore: anotherDevice, expect: {refused: }}]"
            )
            .passed)
    }

    @Test func oneThatFailsIsNotDoneOnAndOn() throws {
        let result = try run(Self.head + "- {read: a, by: stranger, times: 1000000}")
        #expect(result.stepCount == 1 && !result.passed)
    }

    @Test func whatIsTriedAgainUnderAPromptIsAMistake() {
        let text =
            Self.head + "- {read: a, meanwhile: [{read: b, by: stranger, expect: {denied: , flips-with: [lock]}}]}"
        let file = ScenarioFile(bytes: Array(text.utf8), of: "f")
        #expect(
            file.mistakes.map(\.message) == [
                "no step can be tried under a prompt: name a remedy or a factor"
            ])
    }
}
