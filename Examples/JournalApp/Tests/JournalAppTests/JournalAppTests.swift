import Foundation
import LatchkeyTesting
import Testing

@testable import JournalApp

extension SimulatedDevice {
    /// Locks the device, and lets the ten seconds pass after which files of class *complete* close.
    func lockAndClose() {
        lock()
        advance(by: .seconds(11))
    }
}

@Suite(.device(.iPhoneWithFaceID())) struct JournalTests {
    let device: SimulatedDevice

    init() throws { device = try #require(SimulatedDevice.current) }

    @Test func entriesAreClosedWhileTheDeviceIsLocked() throws {
        let journal = Journal()
        try journal.add("Met him.")
        #expect(journal.protection == .complete)
        device.lockAndClose()
        #expect(throws: Journal.Failure.locked) { try journal.entries() }
        #expect(throws: Journal.Failure.locked) { try journal.add("Missed him.") }
        device.unlock(passcode: "1234")
        #expect(try journal.entries().map(\.text) == ["Met him."])
    }

    /// The app's calls go through LatchkeyFiles, although the app imports Foundation alone: its functions of these names
    /// come before Foundation's. This test calls Foundation's own.
    @Test func theBytesOnTheDiskAreNotTheText() throws {
        let journal = Journal()
        try journal.add("Met him.")
        let bytes = try Data(contentsOf: journal.url)
        #expect(bytes.range(of: Data("Met him".utf8)) == nil)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Journal.Entry].self, from: bytes) }
        #expect(try journal.entries().count == 1)
    }

    @Test func everyDeviceHasFilesOfItsOwn() throws {
        let other = SimulatedDevice.iPhoneWithFaceID()
        try Journal().add("Met him.")
        try other.run {
            #expect(try Journal().entries().isEmpty)
            let journal = Journal()
            // A stolen file is of no use on another device.
            try FileManager.default.copyItem(
                at: device.files.appending(path: "Documents/journal.json"), to: journal.url)
            #expect(throws: CocoaError.self) { try journal.entries() }
        }
    }
}

// Observers of the app hear of every device, so no other device takes part.
@Suite(.device(.iPhoneWithFaceID(), reach: .alone)) @MainActor struct JournalScreenTests {
    @Test func theScreenHidesItsEntriesUntilTheUnlock() throws {
        let device = try #require(SimulatedDevice.current)
        try Journal().add("Met him.")
        let screen = JournalScreen()
        defer { screen.close() }
        #expect(screen.titles == ["Met him."])
        device.lockAndClose()
        #expect(screen.isHidden && screen.titles.isEmpty)
        device.unlock(passcode: "1234")
        #expect(screen.titles == ["Met him."])
    }
}

@Suite(.device(.iPhoneWithFaceID())) struct UploadQueueTests {
    let device: SimulatedDevice
    let photo = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    init() throws { device = try #require(SimulatedDevice.current) }

    private func send(_ upload: Upload) throws -> Data {
        while try upload.sendNext() {}
        return upload.sent
    }

    @Test func underCompleteAnUploadFailsOnceTheDeviceIsLocked() throws {
        let queue = try UploadQueue(protection: .complete)
        try queue.add(photo, named: "1")
        let begun = try queue.begin("1")
        #expect(try begun.sendNext())
        device.lockAndClose()
        #expect(queue.names == ["1"])
        #expect(code { try queue.begin("1") } == .fileReadNoPermission)
        #expect(code { try begun.sendNext() } == .fileReadNoPermission)
        #expect(code { try queue.add(photo, named: "2") } == .fileWriteNoPermission)
        device.unlock(passcode: "1234")
        #expect(try send(begun) == photo)
    }

    @Test func underCompleteUnlessOpenAnUploadThatHasBegunEnds() throws {
        let queue = try UploadQueue()
        try queue.add(photo, named: "1")
        try queue.add(photo, named: "2")
        let begun = try queue.begin("1")
        device.lockAndClose()
        #expect(try send(begun) == photo)
        try begun.finish()
        // The other one was not open, and has to wait.
        #expect(queue.names == ["2"])
        #expect(code { try queue.begin("2") } == .fileReadNoPermission)
    }

    @Test func underCompleteUnlessOpenALockedDeviceTakesNewPhotos() throws {
        let queue = try UploadQueue()
        device.lockAndClose()
        try queue.add(photo, named: "1")
        #expect(code { try queue.begin("1") } == .fileReadNoPermission)
        device.unlock(passcode: "1234")
        #expect(try send(queue.begin("1")) == photo)
    }

    private func code(_ body: () throws -> some Any) -> CocoaError.Code? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? CocoaError)?.code }
    }
}

@Suite(.device(.iPhoneWithFaceID())) struct ThumbnailCacheTests {
    @Test func anAtomicSaveDropsTheExclusionFromBackups() throws {
        let cache = try ThumbnailCache()
        try cache.saveAndForget(Data("1".utf8))
        #expect(try cache.isExcludedFromBackup)
        try cache.saveAndForget(Data("2".utf8))
        #expect(try !cache.isExcludedFromBackup)
        try cache.save(Data("3".utf8))
        try cache.save(Data("4".utf8))
        #expect(try cache.isExcludedFromBackup)
    }
}
