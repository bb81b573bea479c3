import PolicyScenarios
import Testing

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

    /// Whoever waits for a change waits for a file that is included and not there yet, too.
    @Test func whatIsIncludedIsKnownAlsoWhereItIsMissing() {
        let file = ScenarioFile(
            bytes: Array("include: later.yaml\nname: x\nsteps: [lock]".utf8), of: "nowhere/x.yaml")
        #expect(file.includes == ["nowhere/later.yaml"])
        #expect(file.mistakes.map(\.description) == ["nowhere/x.yaml:1:10: there is no file nowhere/later.yaml"])
    }

    /// Invalidating what no call has would change nothing, and show nothing.
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
        #expect(mistakes("sesion") == ["x.yaml:4:19: no context \"sesion\": did you mean session?"])
    }
}
