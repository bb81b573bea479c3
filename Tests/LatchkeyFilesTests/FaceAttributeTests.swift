import AccessPolicy
import Foundation
import LatchkeyFiles
import LatchkeyTesting
import TestSupport
import Testing

/// Attributes and resource values through Foundation's functions.
@Suite struct FaceAttributeTests {
    private let device = SimulatedDevice(lockGrace: .zero)
    private let text = Data("Met him.".utf8)
    private var url: URL { device.files.appending(path: "entry") }

    private func protection(of url: URL) throws -> FileProtectionType? {
        try ProtectedData.attributesOfItem(atPath: url.path)[.protectionKey] as? FileProtectionType
    }

    private func attributes(_ protection: FileProtection) -> [FileAttributeKey: Any] {
        [.protectionKey: protection.type]
    }

    @Test(arguments: FileProtection.allCases, FileProtection.allCases)
    func aFileMovesToAnotherClass(_ former: FileProtection, _ next: FileProtection) throws {
        #expect(ProtectedData.createFile(atPath: url.path, contents: text, attributes: attributes(former)))
        #expect(try protection(of: url) == former.type)
        try ProtectedData.setAttributes(attributes(next), ofItemAtPath: url.path)
        #expect(try protection(of: url) == next.type)
        // Old code gives the name as a text.
        try ProtectedData.setAttributes([.protectionKey: former.type.rawValue], ofItemAtPath: url.path)
        #expect(try protection(of: url) == former.type)
        #expect(try ProtectedData.read(contentsOf: url) == text)
    }

    @Test func aLockedDeviceMovesNoClosedFile() throws {
        ProtectedData.createFile(atPath: url.path, contents: text, attributes: attributes(.complete))
        device.lock()
        #expect(
            cocoaError { try ProtectedData.setAttributes(attributes(.none), ofItemAtPath: url.path) }?.code
                == .fileWriteNoPermission)
        #expect(try protection(of: url) == .complete)
    }

    @Test func aFileThatIsNotThereHasNoClass() {
        #expect(
            cocoaError { try ProtectedData.setAttributes(attributes(.none), ofItemAtPath: url.path) }?.code
                == .fileNoSuchFile)
        #expect(cocoaError { try ProtectedData.attributesOfItem(atPath: url.path) }?.code == .fileReadNoSuchFile)
    }

    @Test func otherAttributesAreFoundations() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let others: [FileAttributeKey: Any] = [.modificationDate: date, .posixPermissions: 0o640]
        ProtectedData.createFile(
            atPath: url.path, contents: text, attributes: others.merging(attributes(.complete)) { $1 })
        var found = try ProtectedData.attributesOfItem(atPath: url.path)
        #expect(found[.modificationDate] as? Date == date)
        #expect((found[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        try ProtectedData.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        found = try ProtectedData.attributesOfItem(atPath: url.path)
        #expect((found[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(found[.protectionKey] as? FileProtectionType == .complete)
    }

    @Test(arguments: [0, 1, 65_536, 200_001]) func theSizeIsThatOfTheContent(_ size: Int) throws {
        try ProtectedData.write(Data(count: size), to: url, options: .completeFileProtection)
        device.lock()
        #expect((try ProtectedData.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue == size)
        let values = try ProtectedData.resourceValues(of: url, forKeys: [.fileSizeKey, .totalFileSizeKey])
        #expect(ProtectedData.fileSize(in: values) == size)
        #expect(ProtectedData.totalFileSize(in: values) == size)
    }

    @Test func aFileIsCreatedWhereTheClassAllowsIt() throws {
        #expect(ProtectedData.createFile(atPath: url.path, contents: nil))
        #expect(try ProtectedData.read(contentsOf: url).isEmpty)
        #expect(!ProtectedData.createFile(atPath: url.path + "/none", contents: text))
        #expect(
            !ProtectedData.createFile(
                atPath: url.path, contents: text, attributes: [.protectionKey: FileProtectionType.inactive]))
        device.lock()
        let other = device.files.appending(path: "other").path
        #expect(!ProtectedData.createFile(atPath: other, contents: text, attributes: attributes(.complete)))
        #expect(!FileManager.default.fileExists(atPath: other))
        #expect(ProtectedData.createFile(atPath: other, contents: text, attributes: attributes(.completeUnlessOpen)))
    }

    @Test func aFileThatBecomesReadOnlyMovesToItsClassFirst() throws {
        ProtectedData.createFile(atPath: url.path, contents: text)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try ProtectedData.setAttributes(
            [.protectionKey: FileProtectionType.complete, .posixPermissions: 0o400, .modificationDate: date],
            ofItemAtPath: url.path)
        let found = try ProtectedData.attributesOfItem(atPath: url.path)
        #expect(found[.protectionKey] as? FileProtectionType == .complete)
        #expect(found[.modificationDate] as? Date == date)
        #expect(try ProtectedData.read(contentsOf: url) == text)
    }

    @Test func theAttributesOfALinkAreItsOwn() throws {
        try ProtectedData.write(text, to: url)
        let link = device.files.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let found = try ProtectedData.attributesOfItem(atPath: link.path)
        #expect(found[.type] as? FileAttributeType == .typeSymbolicLink && found[.protectionKey] == nil)
        #expect(try ProtectedData.read(contentsOf: link) == text)
    }

    // MARK: - Folders

    @Test func newFilesHaveTheClassOfTheirFolder() throws {
        let folder = device.files.appending(path: "a/b")
        try ProtectedData.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: attributes(.complete))
        #expect(try protection(of: folder) == .complete)
        #expect(try protection(of: folder.deletingLastPathComponent()) == .complete)
        #expect(try protection(of: device.files) == nil)
        try ProtectedData.write(text, to: folder.appending(path: "file"))
        #expect(try protection(of: folder.appending(path: "file")) == .complete)
        try ProtectedData.write(text, to: folder.appending(path: "named"), options: .noFileProtection)
        #expect(try protection(of: folder.appending(path: "named")) == FileProtectionType.none)

        // A new folder has the class of the one above it, and one that is there keeps its own.
        try ProtectedData.createDirectory(
            atPath: folder.appending(path: "c").path, withIntermediateDirectories: false)
        #expect(try protection(of: folder.appending(path: "c")) == .complete)
        try ProtectedData.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: attributes(.none))
        #expect(try protection(of: folder) == .complete)
        try ProtectedData.setAttributes(attributes(.none), ofItemAtPath: folder.path)
        #expect(try protection(of: folder) == FileProtectionType.none)
        #expect(try protection(of: folder.appending(path: "file")) == .complete)
    }

    @Test func foldersElsewhereAreFoundations() throws {
        let outside = try TemporaryFolder()
        let folder = outside.url.appending(path: "a/b")
        let attributes = attributes(.complete).merging([.posixPermissions: 0o700]) { $1 }
        try ProtectedData.createDirectory(at: folder, withIntermediateDirectories: true, attributes: attributes)
        try ProtectedData.setAttributes(attributes, ofItemAtPath: folder.path)
        #expect(try protection(of: folder) == nil)
        #expect(ProtectedData.createFile(atPath: folder.path + "/file", contents: text, attributes: attributes))
        #expect(try Data(contentsOf: folder.appending(path: "file")) == text)
        #expect(ProtectedData.contents(atPath: folder.path + "/file") == text)
    }

    // MARK: - Resource values

    @Test(arguments: FileProtection.allCases) func theClassIsAResourceValue(_ each: FileProtection) throws {
        ProtectedData.createFile(atPath: url.path, contents: text, attributes: attributes(each))
        let key = URLResourceKey(rawValue: "NSURLFileProtectionKey")
        let values = try ProtectedData.resourceValues(of: url, forKeys: [key, .isRegularFileKey])
        let name = try #require(ProtectedData.fileProtection(in: values))
        // Apple's names of both kinds have the same end.
        #expect(name.dropFirst("NSURLFileProtection".count) == each.type.rawValue.dropFirst("NSFileProtection".count))
        #expect(values.isRegularFile == true)
        let others = try ProtectedData.resourceValues(of: url, forKeys: [.isRegularFileKey])
        #expect(ProtectedData.fileProtection(in: others) == nil && ProtectedData.fileSize(in: others) == nil)
        // Values that were read can be set again.
        var url = url
        try ProtectedData.setResourceValues(values, of: &url)
    }

    @Test func theExclusionFromBackupsLastsUntilAnAtomicWrite() throws {
        try ProtectedData.write(text, to: url)
        #expect(try isExcluded(url) == false)
        try exclude(url, true)
        #expect(try isExcluded(url) == true)
        try ProtectedData.write(Data(), to: url)
        #expect(try isExcluded(url) == true)
        try ProtectedData.write(text, to: url, options: .atomic)
        #expect(try isExcluded(url) == false)
        try ProtectedData.setResourceValue(true, forKey: .isExcludedFromBackupKey, of: url as NSURL)
        #expect(try isExcluded(url) == true)
        try exclude(url, false)
        #expect(try isExcluded(url) == false)
        // Without the key, the value is not there.
        #expect(
            try ProtectedData.resourceValues(of: url, forKeys: [.isRegularFileKey]).isExcludedFromBackup == nil)
    }

    @Test func foldersAndPlainFilesAreExcludedToo() throws {
        let (folder, plain) = (device.files.appending(path: "folder"), device.files.appending(path: "plain"))
        try ProtectedData.createDirectory(at: folder, withIntermediateDirectories: false)
        try text.write(to: plain)
        for url in [folder, plain] {
            #expect(try isExcluded(url) == false)
            try exclude(url, true)
            #expect(try isExcluded(url) == true)
        }
        let values = try ProtectedData.resourceValues(of: plain, forKeys: [.fileSizeKey])
        #expect(ProtectedData.fileSize(in: values) == text.count)
        #expect(ProtectedData.fileProtection(in: values) == nil)
    }

    private func exclude(_ url: URL, _ isExcluded: Bool) throws {
        var (url, values) = (url, URLResourceValues())
        values.isExcludedFromBackup = isExcluded
        try ProtectedData.setResourceValues(values, of: &url)
    }

    private func isExcluded(_ url: URL) throws -> Bool? {
        try ProtectedData.resourceValues(of: url, forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup
    }
}

/// The folders of an app.
@Suite(.setsTheProcess) struct FaceDirectoryTests {
    private let device = SimulatedDevice()

    @Test func anAppHasTheFoldersOfAnIPhone() throws {
        let home = device.files
        try device.run {
            let manager = FileManager.default
            #expect(ProtectedData.homeDirectory.path == home.path)
            let paths: [(FileManager.SearchPathDirectory, URL, String)] = [
                (.documentDirectory, ProtectedData.documentsDirectory, "Documents"),
                (.libraryDirectory, ProtectedData.libraryDirectory, "Library"),
                (.cachesDirectory, ProtectedData.cachesDirectory, "Library/Caches"),
            ]
            for (directory, url, path) in paths {
                #expect(url == home.appending(path: path, directoryHint: .isDirectory))
                #expect(ProtectedData.urls(for: directory, in: .userDomainMask) == [url])
                #expect(
                    try ProtectedData.url(for: directory, in: .userDomainMask, appropriateFor: nil, create: false)
                        == url)
                #expect(manager.fileExists(atPath: url.path))
            }
            #expect(ProtectedData.temporaryDirectory.path == home.path + "/tmp")
            #expect(manager.fileExists(atPath: ProtectedData.temporaryDirectory.path))

            // An app has to create this one.
            let support = ProtectedData.applicationSupportDirectory
            #expect(support.path == home.path + "/Library/Application Support")
            #expect(!manager.fileExists(atPath: support.path))
            _ = try ProtectedData.url(
                for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
            #expect(manager.fileExists(atPath: support.path))

            let drafts = try (0..<2).map { _ in
                try ProtectedData.url(
                    for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: home, create: true)
            }
            #expect(Set(drafts).count == 2)
            #expect(drafts.allSatisfy { manager.fileExists(atPath: $0.path) && $0.path.hasPrefix(home.path) })
            #expect(ProtectedData.urls(for: .documentDirectory, in: .systemDomainMask).isEmpty)
            #expect(throws: CocoaError.self) {
                try ProtectedData.url(for: .userDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
            }
        }
    }

    @Test func eachDeviceHasItsOwn() {
        let other = SimulatedDevice()
        let (one, two) = (
            device.run { ProtectedData.documentsDirectory }, other.run { ProtectedData.documentsDirectory }
        )
        #expect(one != two)
        device.run { other.run { #expect(ProtectedData.documentsDirectory == two) } }
    }

    @Test func withoutADeviceTheyAreFoundations() {
        let manager = FileManager.default
        for directory in [.documentDirectory, .cachesDirectory, .userDirectory] as [FileManager.SearchPathDirectory] {
            #expect(
                ProtectedData.urls(for: directory, in: .userDomainMask)
                    == manager.urls(for: directory, in: .userDomainMask))
        }
        #expect(ProtectedData.temporaryDirectory == manager.temporaryDirectory)
        #expect(ProtectedData.homeDirectory == URL.homeDirectory)
        #expect(ProtectedData.libraryDirectory.path == URL.homeDirectory.path + "/Library")
    }

    @Test func theAppAsksWhetherProtectedDataIsAvailable() {
        device.run {
            #expect(ProtectedData.isAvailable)
            device.lock()
            #expect(ProtectedData.isAvailable)
            device.advance(by: .seconds(11))
            #expect(!ProtectedData.isAvailable)
        }
    }
}
