import PolicyProver
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import Testing

/// OWASP's six tests of local authentication, for items with various policies.
@Suite struct MASTGTests {
    private func proofs(_ text: String) async throws -> [Proof] {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "example.yaml")
        #expect(file.mistakes.map(\.description) == [])
        let (propositions, mistakes) = Proposition.mastg(of: file.scenarios + file.declarations)
        #expect(mistakes.map(\.description) == [])
        var proofs: [Proof] = []
        for proposition in propositions { proofs.append(await proposition.prove()) }
        return proofs
    }

    private func answers(_ text: String) async throws -> String {
        try await proofs(text).map { proof in
            switch proof.verdict.answer {
            case .holds: "+"
            case .fails: "-"
            case .undecided: "?"
            }
        }.joined()
    }

    /// The tests of policies: event-bound, fallback, enrollment change.
    @Test(arguments: [
        ("", "---"), ("require: none", "---"), ("require: userPresence", "+--"), ("require: devicePasscode", "+--"),
        ("require: biometryAny", "++-"), ("require: biometryCurrentSet", "+++"), ("require: companion", "+--"),
        ("require: applicationPassword", "+--"), ("require: biometryCurrentSet or devicePasscode", "+--"),
        ("require: biometryCurrentSet and devicePasscode", "+++"),
        ("class: key, require: biometryCurrentSet privateKeyUsage", "+++"),
        ("class: key, require: userPresence privateKeyUsage", "+--"),
        ("stored: false, require: biometryAny", "++-"),
    ]) func whatItDemandsIsTested(_ item: String, _ expected: String) async throws {
        let all = try await answers("device: { companion: ready }\nitems: { token: { \(item) } }")
        #expect(String(all.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)) == expected)
        #expect(String(all.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)) == "???", "nothing is played")
    }

    /// The tests of steps.
    @Test(arguments: [
        ("none", "granted", "-?-"), ("userPresence", "granted", "++-"), ("devicePasscode", "granted", "+--"),
        ("biometryAny", "granted", "++-"), ("biometryCurrentSet", "denied", "+++"),
    ]) func whatTheStepsDoIsTested(_ flags: String, _ afterwards: String, _ expected: String) async throws {
        let all = try await answers(
            """
            name: x
            items: { token: { require: \(flags) } }
            steps:
              - read: token
              - enroll: left thumb
              - read: token
                expect: \(afterwards)
            """)
        #expect(String(all.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)) == expected)
    }

    /// An item that is stored again after a change is bound to the new set.
    @Test func whatIsStoredAfterAChangeHasSeenNone() async throws {
        let all = try await answers(
            """
            name: x
            items: { token: { require: biometryCurrentSet } }
            steps:
              - enroll: left thumb
              - add: token
              - read: token
            """)
        #expect(all == "++++" + "+?")
    }

    /// Steps that do not come out as expected show only that.
    @Test func whatEndsEarlyPassesNothing() async throws {
        let all = try await answers(
            """
            name: x
            items: { token: { require: biometryAny } }
            steps:
              - read: token
              - lock:
              - read: token
            """)
        #expect(all == "+?+?-?")
    }

    /// The test of a policy and the test of steps are two tests, and read like two.
    @Test func noTwoReadAlike() {
        #expect(Set(MASTGTest.allCases.map(\.about)).count == MASTGTest.allCases.count)
    }

    @Test func theStepThatFailsIsNamed() async throws {
        let proof = try #require(
            try await proofs(
                """
                name: x
                items: { token: {} }
                steps:
                  - read: token
                """
            ).first { $0.proposition.test == .eventBoundAtRuntime })
        var report = HumanProofReport(colored: false)
        #expect(
            report.add(proof) == """
                fails  MASTG-TEST-0267, no step reads the secret without authentication, of token  example.yaml:2
                       example.yaml:4:5: "read token" releases it without authentication; 1 step played on a vault


                """)
    }
}
