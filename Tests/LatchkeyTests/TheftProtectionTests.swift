import AccessPolicy
import DeviceModel
import Latchkey
import SodiumKit
import TestSupport
import Testing

/// Stolen Device Protection of a simulated device that several programs use, one after another.
@Suite struct TheftProtectionTests {
    private func device(_ settings: DeviceSettings, after events: [Event]) throws -> Device {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let first = try Keychain.createSimulated(at: path, settings, passcode: "1234")
        for event in events { #expect(try first.simulate(event).refusal == nil) }
        first.close()
        let again = try Keychain.openSimulated(at: path)
        defer { again.close() }
        return try again.device
    }

    @Test func itIsKeptWithItsDelay() throws {
        let settings = DeviceSettings(stolenDeviceProtection: true)
        #expect(try device(settings, after: []).isTheftProtected)
        #expect(try device(settings, after: []).securityDelayEnds == nil)
        let waiting = try device(
            settings, after: [.timePassed(.minutes(1)), .securityDelayStarted, .timePassed(.minutes(20))])
        #expect(waiting.securityDelayEnds == .start + .minutes(61))
        #expect(!waiting.isSecurityDelayOver)
    }

    @Test func withoutItNothingIsKept() throws {
        let device = try device(DeviceSettings(), after: [.timePassed(.minutes(1))])
        #expect(!device.settings.stolenDeviceProtection && device.securityDelayEnds == nil)
    }
}
