import AccessPolicy
import PolicyScenarios
import ScenarioFormat
import Testing

/// Steps and expectations of which no fixture would show that they fail.
@Suite struct StepTests {
    private func result(_ text: String) throws -> ScenarioResult {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "example.yaml")
        #expect(file.mistakes.map(\.description) == [])
        return try #require(file.scenarios.first).run()
    }

    /// A prompt that ends in a denial flips with the factors that it asked for, and nothing else.
    @Test(arguments: [
        ("biometryAny", "biometry", true), ("biometryAny", "passcode", false), ("devicePasscode", "passcode", true),
        ("devicePasscode", "biometry", false), ("userPresence", "passcode", true), ("companion", "passcode", false),
        ("userPresence", "companion", false), ("biometryAny and devicePasscode", "passcode", true),
    ]) func aPromptThatFailsIsTurnedByWhatItAskedFor(_ flags: String, _ factor: String, _ turns: Bool) throws {
        let result = try result(
            """
            name: x
            device: { companion: ready }
            items: { token: { require: \(flags) } }
            steps:
              - read: token
                by: absent
                expect: { denied: sheet.cancelled, flips-with: \(factor) }
            """)
        #expect(result.passed == turns, "\(result.complaints)")
        if !turns { #expect(result.complaints.contains("a denial that flips with \(factor)")) }
    }

    /// A step of `flips-with` has to flip the denial.
    @Test(arguments: [
        ("{ unlock }", true), ("{ unlock: { finger: right index } }", true), ("{ wait: 1h }", false),
        ("{ unlock: { passcode: wrong } }", false), ("{ reboot }", false),
    ]) func whatIsTriedHasToTurnTheDenial(_ step: String, _ turns: Bool) throws {
        let result = try result(
            """
            name: x
            items: { token: }
            steps:
              - lock
              - wait: 10s
              - read: token
                expect: { denied: class.locked, flips-with: \(step) }
            """)
        #expect(result.passed == turns, "\(result.complaints)")
        #expect(turns || result.failure?.number == 3)
    }

    /// Setting or changing a passcode takes the current one, from every person.
    @Test(arguments: [
        ("\"1234\"", "owner", "happens"), ("\"1234\"", "stranger", "refused"),
        ("\"1234\"", "absent", "{ refused: personCannot }"), ("none", "owner", "happens"),
        ("none", "stranger", "happens"), ("\"5678\"", "owner", "{ refused: nothingToChange }"),
    ]) func whoeverSetsThePasscodeKnowsTheFormer(_ passcode: String, _ who: String, _ outcome: String) throws {
        let result = try result(
            """
            name: x
            device: { passcode: \(passcode) }
            steps:
              - setPasscode: "5678"
                by: \(who)
                expect: \(outcome)
            """)
        #expect(result.complaints == "")
    }

    /// A step puts a companion anywhere from anywhere. Only a step that changes nothing is refused.
    @Test(arguments: CompanionState.allCases, CompanionState.allCases)
    func aCompanionIsPutAnywhereFromAnywhere(_ former: CompanionState, _ next: CompanionState) throws {
        let expected =
            former != next
            ? "happens" : former == .notPaired ? "{ refused: companionNotPaired }" : "{ refused: nothingToChange }"
        let rule = next == .notPaired ? "companion.not-paired" : "companion.not-near"
        let result = try result(
            """
            name: x
            device: { companion: \(former) }
            steps:
              - companion: \(next)
                expect: \(expected)
              - canEvaluate: deviceOwnerAuthenticationWithCompanion
                expect: \(next == .ready ? "granted" : rule)
            """)
        #expect(result.complaints == "")
    }

    /// Pairing a companion takes what the settings take. Carrying it takes the companion.
    @Test(arguments: [
        ("notPaired", "ready", "owner", "happens"), ("notPaired", "ready", "stranger", "refused"),
        ("notPaired", "ready", "absent", "{ refused: personCannot }"), ("ready", "away", "owner", "happens"),
        ("ready", "away", "stranger", "{ refused: personCannot }"), ("ready", "notPaired", "owner", "happens"),
        ("ready", "notPaired", "stranger", "refused"),
    ]) func whoeverPairsACompanionKnowsThePasscode(
        _ former: String, _ next: String, _ who: String, _ outcome: String
    ) throws {
        let result = try result(
            """
            name: x
            device: { companion: \(former) }
            steps:
              - companion: \(next)
                by: \(who)
                expect: \(outcome)
            """)
        #expect(result.complaints == "")
    }

    /// An app that a person installs has no permission yet. An app that is just installed is as it was declared.
    @Test(arguments: [(", by: owner", 1), ("", 0)]) func anAppThatSomebodyInstallsAsksForLeave(
        _ who: String, _ alerts: Int
    ) throws {
        let result = try result(
            """
            name: x
            device: iPhoneWithFaceID
            items: { token: { require: biometryAny } }
            steps:
              - uninstall: com.example.app
              - { install: com.example.app\(who) }
              - { evaluate: deviceOwnerAuthentication, expect: { granted: biometry, permissionAlerts: \(alerts) } }
            """)
        #expect(result.complaints == "")
    }

    /// Changing a policy takes the factors of the former policy, even if storing under the new one takes none.
    @Test(arguments: [
        ("biometryAny", "devicePasscode", "biometry"), ("devicePasscode", "biometryAny", "passcode"),
        ("biometryAny and devicePasscode", "none", "[biometry, passcode]"),
    ]) func aChangeOfDemandIsGrantedByWhatTheFormerDemanded(_ former: String, _ new: String, _ way: String) throws {
        let result = try result(
            """
            name: x
            items: { token: { require: \(former) } }
            steps:
              - update: token
                require: \(new)
                expect: { granted: \(way) }
            """)
        #expect(result.complaints == "")
    }

    /// A rule that allows, prompts or discounts is no reason for a denial.
    @Test(arguments: ["class.open", "proof.needed", "evidence.expired", "way.proved"])
    func nothingIsDeniedByARuleThatDeniesNothing(_ rule: String) {
        for expectation in [rule, "{ denied: \(rule) }"] {
            let text = "name: x\nitems: { token: }\nsteps:\n  - { read: token, expect: \(expectation) }\n"
            let file = ScenarioFile(bytes: Array(text.utf8), of: "example.yaml")
            #expect(file.mistakes.count == 1, "\(expectation): \(file.mistakes)")
        }
    }

    @Test func aWordWithKeysUnderItIsToldToTakeAColon() {
        let file = ScenarioFile(
            bytes: Array("name: x\nsteps:\n  - unlock\n    by: stranger\n".utf8), of: "example.yaml")
        #expect(
            file.mistakes.map(\.description) == [
                "example.yaml:4:7: not YAML: unexpected colon: check whether this line is indented too deep, the line before lacks a colon at its end, or a text needs quotes"
            ])
    }
}
