import Foundation
import LatchkeyTesting
import Testing

@testable import FoundationCalls

/// Each function of Foundation that the plugin covers respects the class of a file. Foundation's own would not, so a
/// compiler that prefers one of those fails these tests.
@Suite(.device(.iPhoneWithTouchID())) @MainActor struct FoundationCallsTests {
    let device: SimulatedDevice

    init() throws { device = try #require(SimulatedDevice.current) }

    private var file: URL { device.files.appending(path: "a/file") }

    private func lock() {
        device.lock()
        device.advance(by: .seconds(11))
    }

    @Test func noWayToReadOrWriteIsLeftWhileTheDeviceIsLocked() throws {
        try prepare(device.files)
        for (name, call) in reads(of: file) + writes(to: file) {
            #expect(throws: Never.self, "\(name)") { try call() }
            try FileManager.default.removeItem(at: device.files.appending(path: "a"))
            try prepare(device.files)
        }
        lock()
        for (name, call) in reads(of: file) + writes(to: file) {
            #expect(throws: (any Error).self, "\(name)") { try call() }
        }
    }

    @Test func theUserDefaultsAreThoseOfTheDevice() {
        setNames()
        #expect(device.defaults.string(forKey: "name") == "own" && device.defaults.integer(forKey: "count") == 3)
        #expect(device.defaults(suite: "group.shared").string(forKey: "name") == "shared")
        #expect(device.defaults(suite: "settings").bool(forKey: "isOn"))
        #expect(UserDefaults.standard.string(forKey: "name") == nil, "the test itself uses Foundation's")
    }

    @Test func aHandleFailsWhileTheDeviceIsLocked() throws {
        try prepare(device.files)
        let handle = try open(file)
        for (name, call) in uses(of: handle) { #expect(throws: Never.self, "\(name)") { try call() } }
        lock()
        for (name, call) in uses(of: handle) {
            // The size of a file is no secret, so its end can be found.
            if name == "seekToEnd()" { try call() } else { #expect(throws: CocoaError.self, "\(name)") { try call() } }
        }
    }

    @Test func theOldFunctionsOfAHandleReadTheContent() throws {
        try prepare(device.files)
        #expect(oldUses(of: try open(file)) == ["Me", "2", "t him.", "et him.", "8", "Met him.!"])
        #expect(try Findings(file).size == 3)
    }

    @Test func classesSizesAndExclusionsAreThoseOfTheContent() throws {
        try prepare(device.files)
        for name in ["a", "b"] {
            let found = try Findings(device.files.appending(path: "\(name)/file"))
            #expect(found.type == .complete && found.folderType == .complete && found.protection == .complete)
            #expect(found.size == 8 && found.sizeOfResource == 8 && found.totalSizeOfResource == 8)
            #expect(found.isExcluded == true)
        }
        #expect(isEqual(file, device.files.appending(path: "b/file")))
    }

    @Test func theFoldersOfTheAppAreThoseOfTheDevice() throws {
        let all = try folders()
        for folder in all { #expect((folder.path + "/").hasPrefix(device.files.path + "/"), "\(folder)") }
    }
}
