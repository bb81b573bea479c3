import AccessPolicy
import Foundation
import LatchkeyFiles
import LatchkeyTesting
import TestSupport
import Testing

/// Handles of sealed files.
@Suite struct FaceHandleTests {
    private let device = SimulatedDevice(lockGrace: .zero)
    private let text = Data("0123456789".utf8)
    private var url: URL { device.files.appending(path: "entry") }

    private func handle(_ use: ProtectedData.HandleUse, of url: URL? = nil) throws -> FileHandle {
        FileHandle(
            fileDescriptor: try ProtectedData.descriptor(of: url ?? self.url, for: use), closeOnDealloc: true)
    }

    private func write(_ protection: Data.WritingOptions = []) throws {
        try ProtectedData.write(text, to: url, options: protection)
    }

    /// A handle of a sealed file does what one of a plain file does.
    @Test func aHandleWorksAsFoundations() throws {
        let outside = try TemporaryFolder()
        let plain = outside.url.appending(path: "entry")
        try text.write(to: plain)
        try write()
        var results: [[String]] = []
        for each in [url, plain] {
            var result: [String] = []
            func note(_ value: Any?) { result.append("\(value.map { "\($0)" } ?? "nil")") }
            func text(_ data: Data?) -> String? { data.map { String(decoding: $0, as: UTF8.self) } }
            let reader = try handle(.reading, of: each)
            note(text(try ProtectedData.read(from: reader, upToCount: 3)))
            note(try ProtectedData.offset(of: reader))
            note(text(try ProtectedData.readToEnd(from: reader)))
            note(text(try ProtectedData.readToEnd(from: reader)))
            note(text(try ProtectedData.read(from: reader, upToCount: 1)))
            try ProtectedData.seek(reader, to: 8)
            note(text(ProtectedData.availableData(of: reader)))
            try ProtectedData.seek(reader, to: 50)
            note(text(try ProtectedData.read(from: reader, upToCount: 5)))
            note(cocoaError { try ProtectedData.write(contentsOf: Data([1]), to: reader) } != nil)

            let writer = try handle(.writing, of: each)
            try ProtectedData.write(contentsOf: Data("ab".utf8), to: writer)
            note(try ProtectedData.seekToEnd(of: writer))
            try ProtectedData.write(contentsOf: Array("cd".utf8), to: writer)
            note(cocoaError { try ProtectedData.read(from: writer, upToCount: 1) } != nil)
            try ProtectedData.synchronize(writer)
            try ProtectedData.seek(reader, to: 0)
            note(text(try ProtectedData.readToEnd(from: reader)))

            let both = try handle(.updating, of: each)
            try ProtectedData.truncate(both, at: 4)
            note(try ProtectedData.offset(of: both))
            try ProtectedData.seek(both, to: 6)
            try ProtectedData.write(contentsOf: Data("e".utf8), to: both)
            try ProtectedData.seek(both, to: 0)
            note(text(try ProtectedData.readToEnd(from: both)))
            try ProtectedData.close(both)
            note(cocoaError { try ProtectedData.readToEnd(from: both) } != nil)
            results.append(result)
        }
        #expect(results[0] == results[1])
        #expect(try ProtectedData.read(contentsOf: url) == Data("ab23\0\0e".utf8))
        #expect(try Data(contentsOf: url).range(of: Data("ab23".utf8)) == nil)
    }

    @Test func aHandleOfClassAFailsWhileTheDeviceIsLocked() throws {
        try write(.completeFileProtection)
        let handle = try handle(.updating)
        #expect(try ProtectedData.read(from: handle, upToCount: 2) == Data("01".utf8))
        device.lock()
        #expect(cocoaError { try ProtectedData.readToEnd(from: handle) }?.code == .fileReadNoPermission)
        #expect(cocoaError { try ProtectedData.write(contentsOf: text, to: handle) }?.code == .fileWriteNoPermission)
        #expect(cocoaError { try self.handle(.reading) }?.code == .fileReadNoPermission)
        #expect(cocoaError { try self.handle(.writing) }?.code == .fileWriteNoPermission)
        device.unlock(passcode: "1234")
        #expect(try ProtectedData.readToEnd(from: handle) == Data("23456789".utf8))
    }

    @Test func aHandleOfClassBStaysUsableUntilARestart() throws {
        try write(.completeFileProtectionUnlessOpen)
        let handle = try handle(.updating)
        device.lock()
        #expect(try ProtectedData.readToEnd(from: handle) == text)
        try ProtectedData.write(contentsOf: Data("a".utf8), to: handle)
        #expect(cocoaError { try self.handle(.reading) }?.code == .fileReadNoPermission)
        device.reboot()
        #expect(cocoaError { try ProtectedData.seekToEnd(of: handle) } != nil)
        device.unlock(passcode: "1234")
        #expect(try ProtectedData.read(contentsOf: url) == text + Data("a".utf8))
    }

    /// A handle that goes away leaves its descriptor's number to others.
    @Test func anotherHandleWithTheSameNumberIsNotOfTheSealedFile() throws {
        try write()
        let outside = try TemporaryFolder()
        let plain = outside.url.appending(path: "plain")
        try Data("plain".utf8).write(to: plain)
        for _ in 0..<20 {
            var former: FileHandle? = try handle(.reading)
            let number = try #require(former).fileDescriptor
            #expect(try ProtectedData.readToEnd(from: #require(former)) == text)
            former = nil
            // Other tests may have taken the number meanwhile.
            let next = try handle(.reading, of: plain)
            #expect(try ProtectedData.readToEnd(from: next) == Data("plain".utf8), "\(number) \(next.fileDescriptor)")
            try next.close()
        }
    }

    @Test func aHandleKeepsTheFileThatAnAtomicWriteReplaces() throws {
        try write()
        let handle = try handle(.reading)
        try ProtectedData.write(Data("new".utf8), to: url, options: .atomic)
        #expect(try ProtectedData.readToEnd(from: handle) == text)
        #expect(try ProtectedData.read(contentsOf: url) == Data("new".utf8))
    }

    @Test func anErrorOfAMethodThatCannotThrowEndsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            ProtectedData.endingOnError { throw CocoaError(.fileReadUnknown) }
        }
    }
}
