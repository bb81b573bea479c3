import AccessPolicy
import Foundation
import LatchkeyFiles
import LatchkeyTesting
import TestSupport
import Testing

/// Data and text through Foundation's functions.
@Suite struct FaceContentTests {
    private let device = SimulatedDevice(lockGrace: .zero)
    private let text = Data("Met him.".utf8)
    private var url: URL { device.files.appending(path: "entry") }

    private static let options: [(Data.WritingOptions, FileProtectionType)] = [
        ([], .completeUntilFirstUserAuthentication), (.noFileProtection, .none), (.completeFileProtection, .complete),
        (.completeFileProtectionUnlessOpen, .completeUnlessOpen),
        (.completeFileProtectionUntilFirstUserAuthentication, .completeUntilFirstUserAuthentication),
    ]

    private func protection(of url: URL) throws -> FileProtectionType? {
        try ProtectedData.attributesOfItem(atPath: url.path)[.protectionKey] as? FileProtectionType
    }

    @Test(arguments: 0..<options.count, [false, true])
    func eachOptionNamesAClass(_ number: Int, _ isAtomic: Bool) throws {
        let (option, expected) = Self.options[number]
        try ProtectedData.write(text, to: url, options: isAtomic ? option.union(.atomic) : option)
        #expect(try protection(of: url) == expected)
        #expect(try ProtectedData.read(contentsOf: url) == text)
        #expect(try ProtectedData.read(contentsOf: url, options: .mappedIfSafe) == text)
        #expect(ProtectedData.contents(atPath: url.path) == text)
        #expect(try Data(contentsOf: url).range(of: text) == nil)
        // A later write without an option keeps the class.
        try ProtectedData.write(Data(), to: url, options: isAtomic ? .atomic : [])
        #expect(try protection(of: url) == expected)
        #expect(try ProtectedData.read(contentsOf: url).isEmpty)
    }

    @Test func aClassThatIsNotSimulatedIsRefused() throws {
        let whenInactive = Data.WritingOptions(rawValue: 0x5000_0000)
        let error = cocoaError { try ProtectedData.write(text, to: url, options: whenInactive) }
        #expect(error?.code == .featureUnsupported)
        #expect(
            (error as NSError?)?.localizedFailureReason?.hasPrefix("This protection class is not simulated") == true)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    // MARK: - Denials

    @Test func aDeniedReadIsApples() throws {
        try ProtectedData.write(text, to: url, options: .completeFileProtection)
        device.lock()
        let error = try #require(cocoaError { try ProtectedData.read(contentsOf: url) }) as NSError
        #expect(error.domain == NSCocoaErrorDomain && error.code == 257)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
        #expect(error.userInfo[NSURLErrorKey] as? URL == url)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .EPERM)
        let below = try #require(error.userInfo[NSUnderlyingErrorKey] as? any Error) as NSError
        #expect(below.domain == NSPOSIXErrorDomain && below.code == 1)
        #expect(
            error.localizedFailureReason
                == "A file of this class cannot be opened or created while the device is locked.")
        #expect(error.localizedRecoverySuggestion == "Unlock the device.")
        #expect(
            error.userInfo[NSDebugDescriptionErrorKey] as? String
                == "\(url.path): a file of this class cannot be opened or created while the device is locked "
                + "(file.locked); unlock the device")
        #expect(ProtectedData.contents(atPath: url.path) == nil)
        device.unlock(passcode: "1234")
        #expect(try ProtectedData.read(contentsOf: url) == text)
    }

    @Test(arguments: [[], .atomic] as [Data.WritingOptions]) func aDeniedWriteIsApples(_ option: Data.WritingOptions)
        throws
    {
        try ProtectedData.write(text, to: url, options: .completeFileProtection)
        device.lock()
        let error = try #require(cocoaError { try ProtectedData.write(Data(), to: url, options: option) })
        #expect((error as NSError).code == 513)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .EPERM)
        device.unlock(passcode: "1234")
        #expect(try ProtectedData.read(contentsOf: url) == text)
    }

    @Test func beforeTheFirstUnlockTheUsualClassIsClosed() throws {
        try ProtectedData.write(text, to: url)
        device.reboot()
        let error = try #require(cocoaError { try ProtectedData.read(contentsOf: url) })
        #expect(error.code == .fileReadNoPermission)
        #expect((error as NSError).localizedRecoverySuggestion == "Enter the device passcode.")
        device.unlock(passcode: "1234")
        device.lock()
        #expect(try ProtectedData.read(contentsOf: url) == text)
    }

    @Test func aDamagedAndAForeignFileAreCorrupt() throws {
        let other = SimulatedDevice()
        let foreign = other.files.appending(path: "entry")
        try ProtectedData.write(text, to: foreign)
        try FileManager.default.copyItem(at: foreign, to: url)
        #expect(cocoaError { try ProtectedData.read(contentsOf: url) }?.code == .fileReadCorruptFile)

        let damaged = device.files.appending(path: "damaged")
        try ProtectedData.write(text, to: damaged)
        var bytes = try Data(contentsOf: damaged)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: damaged)
        let error = cocoaError { try ProtectedData.read(contentsOf: damaged) }
        #expect(error?.code == .fileReadCorruptFile)
        #expect((error as NSError?)?.localizedFailureReason?.hasPrefix("The file is truncated or was changed") == true)
    }

    // MARK: - As Foundation does

    /// What can happen to any file has Foundation's errors, below the folder of a device as elsewhere.
    @Test func otherErrorsAreFoundations() throws {
        let outside = try TemporaryFolder()
        for folder in [device.files, outside.url] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: "folder"), withIntermediateDirectories: true)
            try ProtectedData.write(text, to: folder.appending(path: "file"))
        }
        let long = String(repeating: "n", count: 300)
        let calls: [@Sendable (URL) throws -> Void] = [
            { _ = try ProtectedData.read(contentsOf: $0.appending(path: "none")) },
            { _ = try ProtectedData.read(contentsOf: $0.appending(path: "file/none")) },
            { _ = try ProtectedData.read(contentsOf: $0.appending(path: "folder")) },
            { _ = try ProtectedData.read(contentsOf: $0.appending(path: long)) },
            { try ProtectedData.write(Data(), to: $0.appending(path: "none/file")) },
            { try ProtectedData.write(Data(), to: $0.appending(path: "none/file"), options: .atomic) },
            { try ProtectedData.write(Data(), to: $0.appending(path: "folder")) },
            { try ProtectedData.write(Data(), to: $0.appending(path: long)) },
            { try ProtectedData.write(Data(), to: $0.appending(path: "file"), options: .withoutOverwriting) },
            { _ = try ProtectedData.attributesOfItem(atPath: $0.appending(path: "none").path) },
            { try ProtectedData.createDirectory(at: $0.appending(path: "a/b"), withIntermediateDirectories: false) },
            { try ProtectedData.createDirectory(at: $0.appending(path: "file"), withIntermediateDirectories: false) },
            { _ = try ProtectedData.text(contentsOf: $0.appending(path: "none"), encoding: .utf8) },
            { try ProtectedData.write("é", to: $0.appending(path: "t"), atomically: true, encoding: .ascii) },
            { _ = try ProtectedData.descriptor(of: $0.appending(path: "none"), for: .reading) },
        ]
        for (number, call) in calls.enumerated() {
            let inside = cocoaError { try call(device.files) }
            let elsewhere = cocoaError { try call(outside.url) }
            #expect(inside?.code == elsewhere?.code, "call \(number)")
            #expect(inside != nil, "call \(number)")
            let (one, other) = (inside?.underlying as NSError?, elsewhere?.underlying as NSError?)
            #expect(one?.code == other?.code && one?.domain == other?.domain, "call \(number)")
        }
        #expect(try ProtectedData.read(contentsOf: device.files.appending(path: "file")) == text)
        #expect(
            cocoaError { try ProtectedData.write(text, to: #require(URL(string: "https://example.com/a"))) }?.code
                == .fileWriteUnsupportedScheme)
    }

    @Test func withoutOverwritingCannotBeAtomic() async {
        await #expect(processExitsWith: .failure) {
            let url = FileManager.default.temporaryDirectory.appending(path: "none/none")
            try ProtectedData.write(Data(), to: url, options: [.atomic, .withoutOverwriting])
        }
    }

    @Test(arguments: 0..<options.count) func filesElsewhereArePlain(_ number: Int) throws {
        let outside = try TemporaryFolder()
        let url = outside.url.appending(path: "file")
        try ProtectedData.write(text, to: url, options: Self.options[number].0.union(.atomic))
        #expect(try Data(contentsOf: url) == text)
        #expect(try ProtectedData.read(contentsOf: url) == text)
        #expect(try protection(of: url) == nil)
        device.run { device.lock() }
        #expect(try ProtectedData.read(contentsOf: url) == text)
    }

    @Test func aPathWithDotsOrThroughALinkLeadsToTheSealedFile() throws {
        let outside = try TemporaryFolder()
        let link = outside.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: device.files)
        for url in [
            device.files.appending(path: "a/../entry"), link.appending(path: "entry"),
            URL(fileURLWithPath: "../\(device.files.lastPathComponent)/./entry", relativeTo: device.files),
        ] {
            try? FileManager.default.removeItem(at: self.url)
            try ProtectedData.write(text, to: url)
            #expect(try Data(contentsOf: self.url).range(of: text) == nil, "\(url.path)")
            #expect(try ProtectedData.read(contentsOf: self.url) == text, "\(url.path)")
            #expect(try ProtectedData.read(contentsOf: url) == text, "\(url.path)")
        }
    }

    @Test func aSealedFileCanBeCopiedMovedAndRemovedWhileTheDeviceIsLocked() throws {
        try ProtectedData.write(text, to: url, options: .completeFileProtection)
        device.lock()
        let (copy, moved) = (device.files.appending(path: "copy"), device.files.appending(path: "moved"))
        try FileManager.default.copyItem(at: url, to: copy)
        try FileManager.default.moveItem(at: url, to: moved)
        device.unlock(passcode: "1234")
        #expect(try ProtectedData.read(contentsOf: copy) == text)
        #expect(try ProtectedData.read(contentsOf: moved) == text)
        #expect(try protection(of: copy) == .complete)
        #expect(ProtectedData.contentsEqual(atPath: copy.path, andPath: moved.path))
        try ProtectedData.write(Data(), to: copy)
        #expect(!ProtectedData.contentsEqual(atPath: copy.path, andPath: moved.path))
        #expect(!ProtectedData.contentsEqual(atPath: copy.path, andPath: url.path))
    }

    // MARK: - Text

    @Test(arguments: [String.Encoding.utf8, .utf16, .utf32, .isoLatin1])
    func textIsReadAsItWasWritten(_ encoding: String.Encoding) throws {
        let written = try #require("Grüße".data(using: encoding))
        for isAtomic in [false, true] {
            try ProtectedData.write("Grüße"[...], to: url, atomically: isAtomic, encoding: encoding)
            #expect(try Data(contentsOf: url).range(of: written) == nil)
            #expect(try ProtectedData.text(contentsOf: url, encoding: encoding) == "Grüße")
            guard encoding != .isoLatin1 else { continue }
            var used = String.Encoding.ascii
            #expect(try ProtectedData.text(contentsOf: url, usedEncoding: &used) == "Grüße")
            #expect(used == encoding)
        }
    }

    @Test func bytesThatAreNoTextAreRefused() throws {
        try ProtectedData.write(Data([0xC3]), to: url)
        #expect(
            cocoaError { try ProtectedData.text(contentsOf: url, encoding: .utf8) }?.code
                == .fileReadInapplicableStringEncoding)
    }
}

/// Returns the error of Foundation that `body` throws; nil if it throws none.
func cocoaError(_ body: () throws -> some Any) -> CocoaError? {
    do {
        _ = try body()
        return nil
    } catch {
        if !(error is CocoaError) { Issue.record("not an error of Foundation: \(error)") }
        return error as? CocoaError
    }
}
