import AccessPolicy
import PolicyScenarios
import ScenarioFormat
import Testing

/// Steps during a prompt are as much part of a scenario as others.
@Suite struct MeanwhileTests {
    private func result(_ text: String) throws -> ScenarioResult {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "example.yaml")
        #expect(file.mistakes.map(\.description) == [])
        return try #require(file.scenarios.first).run()
    }

    /// A step that was never played did not come out as expected.
    @Test(arguments: [
        ("read: token", false), ("read: token, by: absent, expect: denied", false), ("read: plain", true),
        ("read: token, interaction: fail, expect: denied", true), ("canEvaluate: deviceOwnerAuthentication", true),
    ]) func whatNeverHappenedFails(_ step: String, _ fails: Bool) throws {
        let result = try result(
            """
            name: x
            items: { token: { require: userPresence }, plain: }
            steps:
              - { \(step), meanwhile: { wait: 1s } }
            """)
        #expect(result.passed != fails, "\(result.complaints)")
        if fails { #expect(result.complaints.contains("\"wait 1s\" during a prompt")) }
    }

    @Test(arguments: [(2, true), (3, false)]) func aStepHappensAsOftenAsItSays(_ times: Int, _ passes: Bool) throws {
        let result = try result(
            """
            name: x
            items: { token: { require: userPresence } }
            steps:
              - read: token
                meanwhile:
                  - { unlock: { finger: nobody's }, times: \(times), expect: refused }
                  - { unlock: { finger: nobody's }, expect: refused }
                  - { unlock: { finger: nobody's }, expect: refused }
                  - expect: { device: { lockedOut: false } }
                expect: anything
            """)
        #expect(result.passed == passes, "\(result.complaints)")
    }

    /// A prompt during a prompt is one too.
    @Test(arguments: [(1, false), (2, true)]) func promptsMeanwhileCount(_ budget: Int, _ passes: Bool) throws {
        let result = try result(
            """
            name: x
            items: { token: { require: biometryAny }, other: { require: devicePasscode } }
            prompt budget: \(budget)
            steps:
              - { read: token, meanwhile: { read: other } }
            """)
        #expect(result.passed == passes, "\(result.complaints)")
    }

    /// A person who is named for a prompt answers it to the end, whatever happens during it. The user is the person who
    /// holds the device then.
    @Test(arguments: [
        ("by: owner, meanwhile: { read: other, by: stranger, expect: denied }", "absent", "granted"),
        ("by: owner, meanwhile: { hold: absent }", "stranger", "granted"),
        ("meanwhile: { hold: absent }", "owner", "sheet.cancelled"),
        ("meanwhile: { hold: owner }", "absent", "granted"),
    ]) func whoeverIsThereAnswers(_ asking: String, _ user: String, _ outcome: String) throws {
        let result = try result(
            """
            name: x
            items: { token: { require: biometryAny and devicePasscode }, other: { require: devicePasscode } }
            steps:
              - hold: \(user)
              - { read: token, \(asking), expect: \(outcome) }
            """)
        #expect(result.complaints == "")
    }

    @Test func whatIsDecidedMeanwhileIsExercised() throws {
        let result = try result(
            """
            name: x
            items: { token: { require: userPresence }, other: { require: biometryAny } }
            steps:
              - { read: token, meanwhile: { read: other, interaction: fail, expect: denied } }
            """)
        #expect(result.passed, "\(result.complaints)")
        #expect(result.coverage.hasFired(.item(.interactionNotAllowed)))
    }

    @Test func whoeverIsAskedIsAskedOnOneDevice() {
        let text = """
            name: x
            items: { token: { require: userPresence } }
            steps:
              - backup: unencrypted
              - { read: token, expect: denied, meanwhile: { restore: anotherDevice } }
            """
        #expect(
            ScenarioFile(bytes: Array(text.utf8), of: "x.yaml").mistakes.map(\.description) == [
                "x.yaml:5:47: a prompt is shown on this device: restore to another device only after it"
            ])
    }

    @Test func aStepUnderAPromptNamesNoDevice() {
        let text = """
            name: x
            devices: { phone: iPhoneWithFaceID, pad: { passcode: "9999" } }
            items: { token: { require: userPresence } }
            steps:
              - { read: token, on: phone, expect: denied, meanwhile: { lock: , on: pad } }
            """
        #expect(
            ScenarioFile(bytes: Array(text.utf8), of: "x.yaml").mistakes.map(\.description) == [
                "x.yaml:5:72: a step under a prompt happens on the device of the prompt: remove \"on\""
            ])
    }

    /// During a prompt, a remedy is stated and not tried.
    @Test func nothingIsTriedMeanwhile() {
        func mistakes(_ flip: String) -> [String] {
            ScenarioFile(
                bytes: Array(
                    """
                    name: x
                    items: { token: { require: userPresence }, other: { require: biometryAny } }
                    steps:
                      - read: token
                        meanwhile:
                          read: other
                          interaction: fail
                          expect: { denied, flips-with: \(flip) }
                    """.utf8), of: "x.yaml"
            ).mistakes.map(\.description)
        }
        #expect(mistakes("biometry") == [])
        #expect(
            mistakes("{ unlock }") == [
                "x.yaml:8:37: no step can be tried under a prompt: name a remedy or a factor"
            ])
    }
}
