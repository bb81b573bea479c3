import PolicyScenarios
import ScenarioFormat
import Testing
import UserPresence

@Suite struct ScenarioFileTests {
    @Test func theDesignsExamplePasses() throws {
        let file = ScenarioFile(
            bytes: Array(
                """
                name: a new finger invalidates the token
                device: { biometry: touchID, passcode: "1234", enrolled: [right index] }
                items:
                  token: { accessible: whenPasscodeSetThisDeviceOnly, require: [biometryCurrentSet] }
                steps:
                  - read: token                       # the owner holds the device unless said otherwise
                    expect: granted
                  - enroll: left thumb
                  - read: token
                    expect: { denied: biometry.current-set.changed, status: errSecItemNotFound }
                """.utf8), of: "x.yaml")
        #expect(file.mistakes.map(\.description) == [])
        let result = try #require(file.scenarios.first).run()
        #expect(result.passed, "\(result)")
    }

    /// If the action of a step is unknown, only that is reported, and its expectation is not checked.
    @Test(arguments: ["expect: denied", "expect: granted", "expect: { granted: , prompts: none }", "expect: happens"])
    func anUnknownStepIsOneMistake(_ expect: String) {
        let text = "name: x\nitems: { token: {} }\nsteps:\n  - raed: token\n    \(expect)"
        let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
        #expect(file.mistakes.map(\.description) == ["x.yaml:4:5: a step has no key \"raed\": did you mean read?"])
        let looking = "name: x\nsteps:\n  - expect: denied"
        #expect(ScenarioFile(bytes: Array(looking.utf8), of: "x.yaml").mistakes.count == 1, "a look denies nothing")
    }

    /// A sensor does not distinguish a person's `faces` from their `fingers`.
    @Test func aPersonHasFaces() throws {
        let text = """
            name: x
            device: { biometry: faceID, enrolled: [mine] }
            people: { me: { faces: [mine] }, both: { fingers: [thumb], faces: mine } }
            items: { token: { require: biometryAny } }
            steps:
              - { read: token, by: me }
              - { read: token, by: both }
              - { unlock: { face: mine }, by: me }
            """
        let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
        #expect(file.mistakes.map(\.description) == [])
        #expect(file.scenarios.first?.people["both"]?.person.fingers == ["thumb", "mine"])
        #expect(try #require(file.scenarios.first).run().passed)
    }

    /// A missing file is among the includes too, so that `--watch` notices when it appears.
    @Test func whatIsIncludedIsKnownAlsoWhereItIsMissing() {
        let file = ScenarioFile(
            bytes: Array("include: later.yaml\nname: x\nsteps: [lock]".utf8), of: "nowhere/x.yaml")
        #expect(file.includes == ["nowhere/later.yaml"])
        #expect(file.mistakes.map(\.description) == ["nowhere/x.yaml:1:10: no such file: nowhere/later.yaml"])
    }

    /// Invalidating a context that no call uses would have no effect, so it is a mistake.
    @Test func onlyAContextThatACallHasIsInvalidated() {
        func mistakes(_ name: String) -> [String] {
            ScenarioFile(
                bytes: Array(
                    """
                    name: x
                    items: { token: }
                    steps:
                      - { invalidate: \(name) }
                      - { read: token, context: session, expect: context.invalidated }
                    """.utf8), of: "x.yaml"
            ).mistakes.map(\.description)
        }
        #expect(mistakes("session") == [])
        #expect(mistakes("sesion") == ["x.yaml:4:19: unknown context \"sesion\": did you mean session?"])
    }
}
