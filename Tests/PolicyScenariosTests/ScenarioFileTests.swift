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
}
