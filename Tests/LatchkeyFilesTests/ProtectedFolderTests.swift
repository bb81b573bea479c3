import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import LatchkeyFiles
import LatchkeyTesting
import TestSupport
import Testing

/// Files of each class on a device in each state: what can be done is what `decide` grants, and no more.
@Suite struct ProtectedFolderTests {
    enum State: String, CaseIterable {
        case unlocked, grace, locked, restarted, noPasscode
    }

    private let device = SimulatedDevice()
    private var folder: ProtectedFolder { device.protectedFolder }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func bring(_ device: SimulatedDevice, to state: State) {
        switch state {
        case .unlocked: break
        case .grace: device.lock()
        case .locked:
            device.lock()
            device.advance(by: .seconds(11))
        case .restarted: device.reboot()
        case .noPasscode:
            device.removePasscode()
            #expect(!device.lock())
        }
    }

    private func write(_ text: String, to path: String, _ protection: FileProtection?, atomically: Bool = false) throws
    {
        try device.protectedFolder.write(Array(text.utf8), to: path, protection, atomically: atomically)
    }

    private func text(of path: String) throws -> String { String(decoding: try folder.read(path), as: UTF8.self) }

    /// Expects that `body` succeeds, or fails with the rule by which the access is denied now.
    private func expect(
        _ access: FileAccess, isWrite: Bool, _ path: String, _ comment: Comment, _ body: () throws -> Void
    ) throws {
        let decision = decide(access, under: try device.keychain.device.conditions())
        if decision.isGranted {
            #expect(throws: Never.self, comment) { try body() }
        } else {
            #expect(throws: FileError.denied(path, decision.rule, isWrite: isWrite), comment) { try body() }
        }
    }

    @Test(arguments: FileProtection.allCases, State.allCases)
    func whatIsGrantedWorksAndNothingElse(_ protection: FileProtection, _ state: State) throws {
        let (old, held) = (path("old"), path("held"))
        try write("old", to: old, protection)
        let file = try folder.create(held, protection)
        try file.append(Array("held".utf8))
        bring(device, to: state)
        let comment = Comment("\(protection) \(state)")

        try expect(.open(protection), isWrite: false, old, comment) {
            let content = try text(of: old)
            #expect(content == "old")
        }
        try expect(.create(protection), isWrite: true, path("new"), comment) {
            try write("new", to: path("new"), protection)
        }
        try expect(.create(protection), isWrite: true, old, comment) {
            try write("replaced", to: old, protection, atomically: true)
        }
        if state == .restarted {
            #expect(throws: FileError.closed(held), comment) { try file.read(9) }
        } else {
            try expect(.use(protection), isWrite: false, held, comment) {
                let content = try file.read(9)
                #expect(content == Array("held".utf8))
            }
            try expect(.use(protection), isWrite: true, held, comment) { try file.append([1]) }
        }
        // Names, sizes and exclusion are no secret.
        #expect(try folder.size(of: held) >= 4, comment)
        #expect(try folder.protection(of: held) == protection, comment)
        try folder.excludeFromBackup(held)
        #expect(try folder.isExcludedFromBackup(held), comment)
    }

    @Test(arguments: FileProtection.allCases, State.allCases)
    func aFileMovesToAnotherClassIfBothAllowIt(_ protection: FileProtection, _ state: State) throws {
        let others = FileProtection.allCases.filter { $0 != protection }
        for next in others {
            try write("old", to: path("to \(next)"), protection)
            try write("old", to: path("written as \(next)"), protection)
        }
        bring(device, to: state)
        for next in others {
            let (moved, written) = (path("to \(next)"), path("written as \(next)"))
            let access = FileAccess.protect(protection, as: next)
            let comment = Comment("\(access) \(state)")
            try expect(access, isWrite: true, moved, comment) { try folder.protect(moved, as: next) }
            try expect(access, isWrite: true, written, comment) { try write("new", to: written, next) }
            let isGranted = decide(access, under: try conditions()).isGranted
            #expect(try folder.protection(of: moved) == (isGranted ? next : protection), comment)
            #expect(try folder.protection(of: written) == (isGranted ? next : protection), comment)
        }
        if device.passcode != nil { device.unlock(passcode: "1234") }
        for next in others {
            #expect(try text(of: path("to \(next)")) == "old")
            #expect(try ["old", "new"].contains(text(of: path("written as \(next)"))))
        }
    }

    private func conditions() throws -> Conditions { try device.keychain.device.conditions() }

    /// The states end: whatever was written reads again after the unlock.
    @Test(arguments: FileProtection.allCases, [State.locked, .restarted])
    func anUnlockOpensEverythingAgain(_ protection: FileProtection, _ state: State) throws {
        try write("old", to: path("old"), protection)
        bring(device, to: state)
        if decide(.create(protection), under: try conditions()).isGranted {
            try write("new", to: path("new"), protection)
        }
        #expect(device.unlock(passcode: "1234"))
        #expect(try text(of: path("old")) == "old")
        if FileManager.default.fileExists(atPath: path("new")) { #expect(try text(of: path("new")) == "new") }
    }

    // MARK: - Class B

    /// The background download: created and written while locked, then closed for the locked device.
    @Test func aFileCreatedWhileLockedIsClosedByClosingIt() throws {
        bring(device, to: .locked)
        let file = try folder.create(path("download"), .completeUnlessOpen)
        try file.append(Array("first ".utf8))
        try file.append(Array("second".utf8))
        #expect(try file.read(100) == Array("first second".utf8))
        file.close()
        #expect(throws: FileError.denied(path("download"), .closedUntilUnlock, isWrite: false)) {
            try folder.open(path("download"))
        }
        device.unlock(passcode: "1234")
        #expect(try text(of: path("download")) == "first second")
    }

    /// The folder of a device may be used first when the device is locked, however it was locked.
    @Test(arguments: 0..<4) func aLockedDeviceUsesItsFolderForTheFirstTime(_ way: Int) throws {
        let device = SimulatedDevice(lockGrace: .zero)
        let isErased = way == 3
        if isErased {
            device.erase()
            device.setPasscode("1234")
        }
        switch way {
        case 0: device.lock()
        case 1: device.lockRemotely()
        case 2: device.holdButtons()
        default: device.reboot()
        }
        let path = device.protectedFolder.path + "/new"
        try device.protectedFolder.create(path, .completeUnlessOpen).append([1])
        device.unlock(passcode: "1234")
        #expect(try device.protectedFolder.read(path) == [1])
    }

    /// The half of the key for a locked device is kept beside the folder, so that another process has it.
    @Test func anotherProcessCreatesFilesWhileLockedToo() throws {
        let inner = path("inner")
        _ = try ProtectedFolder(device.keychain, at: inner)
        bring(device, to: .restarted)
        let again = try ProtectedFolder(device.keychain, at: inner)
        let file = try again.create(inner + "/new", .completeUnlessOpen)
        try file.append([7])
        device.unlock(passcode: "1234")
        #expect(try again.read(inner + "/new") == [7])
    }

    /// A half that another device has made is not used, and another program's file in its place stays there.
    @Test func aHalfOfAnotherDeviceIsNotUsed() throws {
        let (one, other) = (SimulatedDevice(), SimulatedDevice())
        let theirs = try ProtectedFolder(other.keychain, at: path("theirs"))
        let ours = try ProtectedFolder(one.keychain, at: path("ours"))
        let (mine, foreign) = (
            URL(filePath: ours.path + "/.latchkey-files"), URL(filePath: theirs.path + "/.latchkey-files")
        )
        try Data(contentsOf: foreign).write(to: mine)
        _ = try ProtectedFolder(one.keychain, at: ours.path)
        // The unlocked device has made its own anew.
        #expect(try Data(contentsOf: mine) != Data(contentsOf: foreign))
        try Data(contentsOf: foreign).write(to: mine)
        bring(one, to: .locked)
        let third = try ProtectedFolder(one.keychain, at: ours.path)
        #expect(throws: FileError.noKeyYet(ours.path + "/new")) {
            try third.create(ours.path + "/new", .completeUnlessOpen)
        }
        #expect(!FileManager.default.fileExists(atPath: ours.path + "/new"))
        _ = try ours.create(ours.path + "/new", .completeUnlessOpen)
        one.unlock(passcode: "1234")
        try Data("a diary".utf8).write(to: mine)
        _ = try ProtectedFolder(one.keychain, at: ours.path)
        #expect(try Data(contentsOf: mine) == Data("a diary".utf8))
    }

    @Test(arguments: FileProtection.allCases)
    func filesOfAnotherDeviceDoNotOpen(_ protection: FileProtection) throws {
        let other = SimulatedDevice()
        try other.protectedFolder.write(Array("theirs".utf8), to: other.protectedFolder.path + "/file", protection)
        try FileManager.default.copyItem(atPath: other.protectedFolder.path + "/file", toPath: path("file"))
        #expect(throws: FileError.foreign(path("file"))) { try folder.read(path("file")) }
    }

    /// A restart closes an open file of class B, through whatever folder it was opened, and also one of a folder that no
    /// simulated device knows.
    @Test func aRestartClosesFilesOfEveryFolder() throws {
        let other = try ProtectedFolder(device.keychain, at: path("other"))
        let (one, two) = (
            try other.create(other.path + "/one", .completeUnlessOpen),
            try folder.create(path("two"), .completeUnlessOpen)
        )
        try device.keychain.simulate(.reboot)
        #expect(throws: FileError.closed(one.path)) { try one.read(1) }
        #expect(throws: FileError.closed(two.path)) { try two.append([1]) }
        device.unlock(passcode: "1234")
        #expect(throws: FileError.closed(one.path)) { try one.read(1) }
        #expect(try other.read(one.path) == [])
    }

    /// A file that comes to class B while it is open is used on after a lock only if it was used in that class before.
    @Test func aFileThatComesToAnotherClassWhileItIsOpen() throws {
        let used = try folder.create(path("used"), .complete)
        let unused = try folder.create(path("unused"), .complete)
        let left = try folder.create(path("left"), .completeUnlessOpen)
        for file in [used, unused] { try folder.protect(file.path, as: .completeUnlessOpen) }
        try folder.protect(left.path, as: .complete)
        try used.append([1])
        bring(device, to: .locked)
        try used.append([2])
        #expect(try used.read(9) == [1, 2])
        #expect(throws: FileError.denied(unused.path, .closedUntilUnlock, isWrite: false)) { try unused.read(9) }
        #expect(throws: FileError.denied(left.path, .heldWhenLocked, isWrite: true)) { try left.append([2]) }
    }

    /// A file that moves to a stricter class gets another key when it is written, so that an earlier copy of its head opens
    /// nothing of it.
    @Test func anEarlierHeadDoesNotOpenWhatIsWrittenInAStricterClass() throws {
        try write("open to all", to: path("file"), FileProtection.none)
        let former = try Data(contentsOf: URL(filePath: path("file"))).prefix(FileHeader.count)
        try write("for the user only", to: path("file"), .complete)
        let now = try Data(contentsOf: URL(filePath: path("file")))
        try (former + now.dropFirst(FileHeader.count)).write(to: URL(filePath: path("file")))
        #expect(throws: FileError.damaged(path("file"))) { try folder.read(path("file")) }
    }

    // MARK: - Folders

    @Test func aFolderCanBeReachedThroughLinks() throws {
        let real = path("real")
        try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: real)
        #expect(ProtectedFolder.containing(path("link") + "/../real/x/y") === folder)
        #expect(ProtectedFolder.containing(folder.path + "/../elsewhere") == nil)
        try write("x", to: path("link") + "/file", nil)
        #expect(try text(of: real + "/file") == "x")
        // A class above counts through a link that is shorter than the path of the folder.
        try folder.protect(real, as: .complete)
        let short = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: short.path("s"), withDestinationPath: folder.path)
        try write("y", to: short.path("s") + "/real/strict", nil)
        #expect(try folder.protection(of: real + "/strict") == .complete)
        let linked = try ProtectedFolder(device.keychain, at: path("link"))
        #expect(ProtectedFolder.containing(real + "/file") === linked)
        try linked.write([7], to: linked.path + "/other")
        #expect(try linked.read(linked.path + "/other") == [7])
    }

    /// Two writers of a new file: one of them makes it, and no piece of the other is in it.
    @Test func writersOfANewFileDoNotMix() async throws {
        let (folder, path) = (folder, path("file"))
        for _ in 0..<10 {
            let made = await withTaskGroup(of: UInt8?.self) { group in
                for number in UInt8(1)...4 {
                    group.addTask {
                        let bytes = [UInt8](repeating: number, count: 200_000)
                        return (try? folder.write(bytes, to: path, .complete, overwrites: false)).map { number }
                    }
                }
                return await group.reduce(into: [UInt8]()) { if let number = $1 { $0.append(number) } }
            }
            #expect(made.count == 1)
            #expect(try folder.read(path) == [UInt8](repeating: made.first ?? 0, count: 200_000))
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// Pipes, folders and devices are no files, and nothing waits for them.
    @Test func whatIsNoFileIsRefused() throws {
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        #expect(throws: FileError.system(path("pipe"), EINVAL)) { try folder.read(path("pipe")) }
        #expect(throws: FileError.system(folder.path, EISDIR)) { try folder.read(folder.path) }
        try Data().write(to: URL(filePath: path("plain")))
        #expect(throws: FileError.system(path("plain"), ENOTDIR)) {
            _ = try ProtectedFolder(device.keychain, at: path("plain"))
        }
    }

    @Test func aNewFileHasTheClassOfItsFolder() throws {
        try FileManager.default.createDirectory(atPath: path("a/b"), withIntermediateDirectories: true)
        try write("x", to: path("a/b/usual"), nil)
        #expect(try folder.protection(of: path("a/b/usual")) == .usual)
        try folder.protect(path("a"), as: .complete)
        try write("x", to: path("a/b/strict"), nil)
        #expect(try folder.protection(of: path("a/b/strict")) == .complete)
        try folder.protect(path("a/b"), as: FileProtection.none)
        try write("x", to: path("a/b/open"), nil)
        #expect(try folder.protection(of: path("a/b/open")) == FileProtection.none)
        #expect(try folder.protection(of: path("a/b/strict")) == .complete)
        // A file keeps its class when it is written over, in place or atomically.
        try write("y", to: path("a/b/strict"), nil)
        try write("z", to: path("a/b/strict"), nil, atomically: true)
        #expect(try folder.protection(of: path("a/b/strict")) == .complete)
    }

    @Test func anAtomicWriteDropsTheExclusionFromBackups() throws {
        try write("1", to: path("cache"), nil)
        try folder.excludeFromBackup(path("cache"))
        try write("2", to: path("cache"), nil)
        #expect(try folder.isExcludedFromBackup(path("cache")))
        try write("3", to: path("cache"), nil, atomically: true)
        #expect(try !folder.isExcludedFromBackup(path("cache")))
        try folder.excludeFromBackup(folder.path)
        #expect(try folder.isExcludedFromBackup(folder.path))
        try folder.excludeFromBackup(folder.path, false)
        #expect(try !folder.isExcludedFromBackup(folder.path))
    }

    @Test func aPlainFileIsReadAsItIsAndSealedWhenItIsWritten() throws {
        try Data("plain".utf8).write(to: URL(filePath: path("file")))
        #expect(try text(of: path("file")) == "plain")
        #expect(try folder.protection(of: path("file")) == nil)
        #expect(throws: FileError.notSealed(path("file"))) { try folder.open(path("file")) }
        try write("sealed", to: path("file"), .complete)
        #expect(try text(of: path("file")) == "sealed")
        #expect(try !Data(contentsOf: URL(filePath: path("file"))).contains(Data("sealed".utf8)))
    }

    @Test func eachPathBelongsToTheInnermostFolder() throws {
        #expect(ProtectedFolder.containing(path("a/b")) === folder)
        #expect(ProtectedFolder.containing(folder.path) === folder)
        #expect(ProtectedFolder.containing(folder.path + "elsewhere") == nil)
        let inner = try ProtectedFolder(device.keychain, at: path("inner"))
        #expect(ProtectedFolder.containing(path("inner/x")) === inner)
        #expect(ProtectedFolder.containing(path("innermost")) === folder)
    }

    @Test func anErasureRemovesTheFiles() throws {
        try write("x", to: path("file"), nil)
        let file = try folder.open(path("file"))
        device.erase()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(throws: FileError.closed(path("file"))) { try file.read(1) }
        try write("y", to: path("file"), .complete)
        #expect(try text(of: path("file")) == "y")
        device.setPasscode("1234")
        bring(device, to: .locked)
        try folder.create(path("upload"), .completeUnlessOpen).append([1])
        device.unlock(passcode: "1234")
        #expect(try folder.read(path("upload")) == [1])
    }

    @Test func theFolderGoesWithTheDevice() throws {
        var other: SimulatedDevice? = SimulatedDevice()
        let path = try #require(other?.files.path)
        #expect(FileManager.default.fileExists(atPath: path))
        other = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
