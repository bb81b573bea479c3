import AccessPolicy
import Testing

/// The example of `decide` for files, word for word.
@Suite struct FileAccessExample {
    @Test func aLockedDeviceCreatesAndDoesNotOpen() {
        var device = Conditions()
        device.isLocked = true
        device.openClasses = [.always, .afterFirstUnlock]

        let reading = decide(.open(.complete), under: device)
        let recording = decide(.create(.completeUnlessOpen), under: device)
        #expect(reading.rule == .locked)
        #expect(recording.rule == .createdWhileLocked)
    }
}
