import AccessPolicy
import DeviceModel
import Latchkey
import LatchkeyFiles
import SodiumKit
import TestSupport
import Testing

/// The examples of the reference of `ProtectedFolder` and `ProtectedFile`, word for word.
@Suite struct ProtectedFolderExamples {
    private let keychain: Keychain
    private let path: String
    private let temporary: TemporaryFolder

    init() throws {
        keychain = try Keychain.simulated(
            DeviceSettings(lockGrace: .zero), passcode: "1234", enrolled: [])
        temporary = try TemporaryFolder()
        path = temporary.path("files")
    }

    @Test func theJournalIsClosedUntilTheUnlock() throws {
        let folder = try ProtectedFolder(keychain, at: path)
        let today = folder.path + "/today"
        try folder.write(Array("met the auditor".utf8), to: today, .complete)
        try keychain.lock()
        let entry = try? folder.read(today)
        #expect(entry == nil)
        try keychain.unlock(passcode: SecureBytes("1234"))
        #expect(try folder.read(today) == Array("met the auditor".utf8))
    }

    @Test func theUploadGoesOnAfterTheLock() throws {
        let folder = try ProtectedFolder(keychain, at: path)
        let file = try folder.create(folder.path + "/upload", .completeUnlessOpen)
        try keychain.lock()
        try file.append(Array("still written".utf8))
        file.close()
        #expect(throws: FileError.self) { try folder.read(file.path) }
    }
}
