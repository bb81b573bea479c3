import PolicyScenarios
import ScenarioFormat
import Testing

/// The expected state of an item is about the item itself, by whatever attributes a query finds it then.
@Suite struct ItemStateTests {
    @Test(arguments: [
        "{ update: token, set: { account: another }, expect: { granted, items: { token: present } } }",
        "{ update: token, set: { account: another }, expect: { granted, items: { token: absent } } }",
        "{ add: spare, app: second, expect: { granted, items: { spare: present } } }",
        "{ add: spare, app: second, expect: { granted, items: { spare: absent } } }",
    ])
    func anItemIsItself(_ step: String) throws {
        let text = """
            name: it is itself
            apps: { first: , second: }
            items: { token: , spare: { stored: false } }
            steps: [ \(step) ]
            """
        let file = ScenarioFile(bytes: Array(text.utf8), of: "i.yaml")
        #expect(file.mistakes.map(\.description) == [])
        #expect(try #require(file.scenarios.first).run().passed == step.contains("present"))
    }
}

/// The position and the details that a failure reports.
@Suite struct FailurePlaceTests {
    private func complaint(_ text: String) throws -> [String] {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "p.yaml")
        #expect(file.mistakes.map(\.description) == [])
        return try #require(file.scenarios.first).run().complaint.map { "\($0.heading): \($0.text)" }
    }

    @Test func theTimeOfSeveralIsSaid() throws {
        let said = try complaint(
            """
            name: the second time it is gone
            items: { token: { require: biometryCurrentSet } }
            steps:
              - enroll: left thumb
              - { read: token, times: 3, expect: biometry.current-set.changed }
            """)
        #expect(said.first == "step 2: read token, time 2 of 3")
        #expect(said.contains("actual: denied by item.not-found"))
    }

    @Test func theStepThatSpendsTheBudgetIsSaid() throws {
        let said = try complaint(
            """
            name: two prompts are one too many
            prompt budget: 1
            items: { token: { require: biometryAny } }
            steps: [ { read: token }, lock, unlock, { read: token } ]
            """)
        #expect(said.first == "step 4: read token")
        #expect(said.contains("at: p.yaml:4:41"))
        #expect(said.contains("expected: at most 1 prompt up to here (the prompt budget)"))
    }

    @Test func theWordOfARemedyIsTheOneThatAFileTakes() throws {
        let said = try complaint(
            """
            name: after a restart
            items: { token: }
            steps:
              - reboot
              - { read: token, expect: { denied, flips-with: unlock } }
            """)
        #expect(said.contains("expected: a denial that flips with: unlock"))
        #expect(said.contains("to turn it: enter the device passcode (enterPasscode)"))
    }

    @Test func applesLongNamesAreKnown() {
        let text = "name: x\nitems: { a: { accessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly } }\nsteps: [lock]"
        let said = ScenarioFile(bytes: Array(text.utf8), of: "p.yaml").mistakes.map(\.message)
        #expect(said.count == 1 && said[0].hasSuffix("did you mean whenUnlockedThisDeviceOnly?"))
    }
}
