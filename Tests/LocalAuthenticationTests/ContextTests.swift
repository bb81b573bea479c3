import LatchkeyTesting
import LocalAuthentication
import Testing

@Suite struct ContextTests {
    @Test func theOwnerMeetsAPolicy() async throws {
        let device = SimulatedDevice()
        try await device.run {
            let isMet = try await LAContext().evaluatePolicy(
                .deviceOwnerAuthenticationWithBiometrics, localizedReason: "to see it work")
            #expect(isMet)
            #expect(device.prompts.map(\.reason) == ["to see it work"])
        }
    }
}
