import AccessPolicy
import DeviceModel
import TestSupport
import Testing

/// Checks that the words and numbers of a device that are stored, sent or written in scenarios never change.
@Suite struct StoredDeviceTests {
    @Test func theDeviceKeepsItsWordsAndNumbers() throws {
        let lines =
            Golden.lines("sensor", of: SensorKind.self) { $0.name }
            + Golden.lines("attempt end", of: AttemptEnd.self) { $0.name }
            + Golden.lines("permission", of: App.Permission.self) { $0.name }
            + CompanionState.allCases.map { "companion \($0.name)" }
            + Refusal.allCases.map { "refusal \($0.name): \($0.rawValue)" }
        try Golden.expect("device", lines)
    }
}
