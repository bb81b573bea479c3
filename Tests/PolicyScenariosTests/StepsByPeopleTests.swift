import PolicyScenarios
import ScenarioFormat
import Testing

/// People in a scenario can do what the model's people can, and the effects on a device last.
@Suite struct StepsByPeopleTests {
    private func complaint(_ text: String) throws -> String {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "example.yaml")
        #expect(file.mistakes.map(\.description) == [])
        let scenario = try #require(file.scenarios.first)
        return scenario.run().complaint.map { "\($0.heading): \($0.text)" }.joined(separator: "\n")
    }

    /// An event that the device refuses anyway uses up no passcode attempt, even if the passcode would be wrong.
    @Test(arguments: [
        ("enroll: right index", "alreadyEnrolled"), ("remove: left thumb", "notEnrolled"),
        ("restore: thisDevice", "noBackup"), ("restore: anotherDevice", "noBackup"),
        ("enroll: [right index, left thumb]", "alreadyEnrolled"),
    ]) func whatCannotHappenTakesNoPasscode(_ event: String, _ refusal: String) throws {
        let complaint = try complaint(
            """
            name: x
            fidelity: { passcodeDelays: newer }
            people: { guesser: { passcode: "0000" } }
            steps:
              - unlock: { passcode: "0001" }
                expect: refused
              - unlock: { passcode: "0002" }
                expect: refused
              - unlock: { passcode: "0003" }
                expect: refused
              - \(event)
                by: guesser
                expect: { refused: \(refusal) }
              - unlock
            """)
        #expect(complaint == "")
    }

    /// A person who sets the current passcode again learns nothing: the step types the current one first, as for any
    /// other.
    @Test(arguments: ["1234", "9876"]) func nobodyLearnsThePasscodeBySettingIt(_ code: String) throws {
        let complaint = try complaint(
            """
            name: x
            people: { guesser: { passcode: "0000" }, clueless: {} }
            steps:
              - setPasscode: "\(code)"
                by: clueless
                expect: { refused: personCannot }
              - setPasscode: "\(code)"
                by: guesser
                expect: refused
              - setPasscode: "1234"
                by: owner
                expect: { refused: nothingToChange }
            """)
        #expect(complaint == "")
    }

    /// The settings of a locked device are out of reach for every person, and the device stays locked.
    @Test(arguments: ["setPasscode: \"5678\"", "removePasscode: "], ["", "by: owner", "by: stranger"])
    func theSettingsOfALockedDeviceAreOutOfReach(_ event: String, _ who: String) throws {
        let complaint = try complaint(
            """
            name: x
            steps:
              - lock
              - \(event)
                \(who)
                expect: { refused: deviceLocked, device: { locked: true, passcodeSet: true } }
            """)
        #expect(complaint == "")
    }

    /// An app that a person installs has to ask before it may use Face ID. An app that the scenario declares need not.
    @Test(arguments: [("by: owner", 1), ("by: stranger", 1), ("", 0)])
    func whoInstallsAnAppHasNotPermittedItAnything(_ who: String, _ alerts: Int) throws {
        let complaint = try complaint(
            """
            name: x
            device: iPhoneWithFaceID
            apps: { app: }
            items: { token: { require: biometryAny } }
            steps:
              - uninstall: app
              - install: app
                \(who)
              - read: token
                expect: { granted: biometry, permissionAlerts: \(alerts) }
            """)
        #expect(complaint == "")
    }

    /// Apps move to another device as they were on the former one.
    @Test(arguments: [
        ("denyBiometry: app", "biometry.not-permitted"), ("uninstall: app", "group.none"),
        ("permitBiometry: other", "item.not-found"),
    ]) func appsComeAlongAsTheyWere(_ event: String, _ rule: String) throws {
        let complaint = try complaint(
            """
            name: x
            device: iPhoneWithFaceID
            apps: { app: , other: { faceIDPermission: notAsked } }
            items: { token: { require: biometryAny } }
            steps:
              - \(event)
              - backup: encrypted
              - restore: anotherDevice
              - setPasscode: "1234"
              - enroll: face
              - add: token
                secret: another
                expect: anything
              - delete: token
                expect: anything
              - read: token
                expect: { denied: \(rule == "biometry.not-permitted" ? "item.not-found" : rule) }
              - canEvaluate: deviceOwnerAuthenticationWithBiometrics
                expect: \(rule == "item.not-found" ? "granted" : "denied")
            """)
        #expect(complaint == "")
    }

    /// A restore brings back the items at the time of the backup, also for a query.
    @Test(arguments: ["thisDevice", "anotherDevice"]) func whatComesBackIsWhatTheBackupHolds(_ device: String) throws {
        let complaint = try complaint(
            """
            name: x
            items: { note: { secret: first } }
            steps:
              - backup: encrypted
              - update: note
                secret: second
              - delete: note
              - add: note
                secret: third
              - restore: \(device)
              - read: note
                expect: { granted: , secret: first }
              - read: { account: note }
                expect: { granted: , found: note }
            """)
        #expect(complaint == "")
    }

    /// A device that erased itself has no passcode, and takes another one.
    @Test(arguments: [
        "unlock: { passcode: \"%\" }\n    expect: anything", "removePasscode:\n    by: %\n    expect: anything",
    ])
    func aDeviceThatErasedItselfTakesAnotherPasscode(_ attempt: String) throws {
        let codes = (0..<10).map { "900\($0)" }
        let people = codes.map { "  \"\($0)\": { passcode: \"\($0)\" }" }.joined(separator: "\n")
        let attempts = codes.map { "  - \(attempt.replacing("%", with: $0))\n  - wait: 1h" }.joined(separator: "\n")
        let complaint = try complaint(
            """
            name: x
            device: { attemptEnd: erases }
            people:
            \(people)
            steps:
            \(attempts)
              - expect: { device: { passcodeSet: false } }
              - setPasscode: "5678"
                by: stranger
              - lock
              - unlock: { passcode: "5678" }
              - unlock
            """)
        #expect(complaint == "")
    }

    /// Pairing a companion takes the passcode. Bringing it near takes the companion.
    @Test(arguments: [
        ("ready", "true", "happens"), ("ready", "false", "{ refused: personCannot }"),
        ("locked", "false", "{ refused: personCannot }"), ("away", "false", "happens"),
    ]) func whoHasNoCompanionBringsNoneNear(_ place: String, _ wears: String, _ outcome: String) throws {
        let complaint = try complaint(
            """
            name: x
            people: { thief: { passcode: "1234", wearsCompanion: \(wears) } }
            steps:
              - companion: \(place)
                by: thief
                expect: \(outcome)
              - canEvaluate: deviceOwnerAuthenticationWithCompanion
                expect: \(place == "ready" && wears == "true" ? "granted" : "companion.not-near")
            """)
        #expect(complaint == "")
    }

    /// A full sensor still recognizes its fingers.
    @Test func whoIsEnrolledIsKnownToAFullSensor() throws {
        let complaint = try complaint(
            """
            name: x
            device: { biometry: opticID }
            steps:
              - enroll: eyes
                expect: { refused: alreadyEnrolled }
              - enroll: other eyes
                expect: { refused: sensorFull }
            """)
        #expect(complaint == "")
    }

    /// Enrolling takes a passcode. So a device without one has no enrolled finger unless the file says otherwise.
    @Test(arguments: ["preset: simulator, biometry: touchID", "biometry: faceID, passcode: none"])
    func nobodyIsEnrolledWithoutAPasscode(_ device: String) throws {
        let complaint = try complaint(
            "name: x\ndevice: { \(device) }\nsteps:\n  - expect: { device: { passcodeSet: false, enrolled: [] } }\n")
        #expect(complaint == "")
    }

    /// Changing a policy takes the factors of the former policy, also if the new one needs a password.
    @Test(arguments: [
        ("biometryAny", "devicePasscode and applicationPassword", "biometry"), ("none", "applicationPassword", ""),
        (
            "[biometryAny, applicationPassword]", "[devicePasscode, applicationPassword]",
            "[biometry, applicationPassword]"
        ),
    ]) func aChangeToADemandWithAPasswordIsGrantedByWhatTheFormerDemanded(
        _ former: String, _ new: String, _ way: String
    ) throws {
        let complaint = try complaint(
            """
            name: x
            items:
              token: { require: \(former)\(former.contains("Password") ? ", applicationPassword: word" : "") }
            steps:
              - update: token
                require: \(new)
                applicationPassword: word
                expect: { granted: \(way), prompts: \(way.contains("biometry") ? "biometry" : "none") }
            """)
        #expect(complaint == "")
    }
}
