import PolicyScenarios
import ScenarioFormat
import Testing

/// Failures that a scenario lets happen: what comes of them, and what they leave as it was.
@Suite struct FailureTests {
    private func play(_ text: String) throws -> ScenarioResult {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "example.yaml")
        #expect(file.mistakes.map(\.description) == [])
        return try #require(file.scenarios.first).run()
    }

    /// Every kind of request, as a step that succeeds on the device of `head`.
    private static let requests: [(call: String, step: String)] = [
        ("add", "add: spare"), ("read", "read: token"), ("attributes", "attributes: token"),
        ("reference", "reference: token"), ("exists", "exists: token"), ("inventory", "inventory: token"),
        ("update", "{ update: token, secret: other }"), ("delete", "delete: token"), ("sign", "sign: signer"),
        ("agree", "agree: signer"), ("decrypt", "decrypt: signer"),
    ]
    private static let head = """
        items:
          token: { require: biometryAny }
          spare: { stored: false }
          signer: { class: key, require: [privateKeyUsage, biometryAny] }

        """

    @Test(arguments: requests) func aCallFailsOnceWithoutEffect(request: (call: String, step: String)) throws {
        let step = request.step.hasPrefix("{") ? String(request.step.dropFirst().dropLast()) : request.step
        for other in Self.requests where other.call != request.call {
            // A failure of another kind of call does not touch this one, so it is still to come at the end.
            let result = try play(
                "name: a\n\(Self.head)steps:\n  - fail: { call: \(other.call), status: errSecAuthFailed }\n  - {\(step)}\n"
            )
            #expect(result.failure?.number == 1, "\(request.call) beside \(other.call)")
            #expect(result.failure?.findings.first?.actual == "no such call and no prompt came after it")
        }
        let result = try play(
            """
            name: a
            \(Self.head)steps:
              - fail: { call: \(request.call), status: errSecNotAvailable }
              - {\(step), expect: { status: errSecNotAvailable, prompts: none, items: { token: present, spare: absent, signer: present } } }
              - {\(step)}
            """)
        #expect(result.passed, "\(request.call): \(result.complaints)")
    }

    @Test func aSilentSensorCountsAsNone() throws {
        let result = try play(
            """
            name: a
            items:
              any: { require: biometryAny }
              set: { require: biometryCurrentSet }
              spare: { require: biometryAny, stored: false }
            steps:
              - fail: { sensor: silent }
              - fail: { sensor: silent }
              - canEvaluate: deviceOwnerAuthenticationWithBiometrics
                expect: { denied, laError: biometryNotAvailable }
              - read: any
                expect: denied
              - add: spare
                expect: denied
              - lock
              - unlock: { passcode: "1234" }
              - fail: { sensor: answers }
              - fail: { sensor: answers }
              - read: any
                expect: { granted: biometry, items: { any: present, set: present } }
              - read: set
                expect: { granted: biometry }
            """)
        #expect(result.passed, "\(result.complaints)")
        // Without a sensor there is nothing to silence.
        #expect(try play("name: a\ndevice: { biometry: none }\nsteps:\n  - fail: { sensor: silent }\n").passed)
    }

    @Test func promptsFailInTheOrderOfTheirSteps() throws {
        let result = try play(
            """
            name: a
            items: { token: { require: userPresence } }
            steps:
              - fail: { prompt: systemCanceled }
                times: 2
              - fail: { prompt: dismissed }
              - evaluate: deviceOwnerAuthentication
                expect: { denied, laError: systemCancel }
              - read: token
                expect: { denied: sheet.system-cancelled }
              - read: token
                expect: { denied: sheet.cancelled }
              - read: token
            """)
        #expect(result.passed, "\(result.complaints)")
    }

    @Test func aCallThatFailsCanExpectOnlyItsStatus() throws {
        for (expectation, passes) in [
            ("errSecAuthFailed", true), ("{ denied, status: errSecAuthFailed }", true), ("denied", false),
            ("granted", false),
            ("errSecDecode", false), ("{ denied: class.locked, status: errSecAuthFailed }", false),
        ] {
            let result = try play(
                """
                name: a
                items: { token: {} }
                steps:
                  - fail: { call: read, status: errSecAuthFailed }
                  - { read: token, expect: \(expectation) }
                """)
            #expect(result.passed == passes, "\(expectation): \(result.complaints)")
        }
    }
}
