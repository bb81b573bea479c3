import FolderKit
import Glibc
import LinuxSystem
import TestSupport
import Testing

/// The move of a folder's content into an encrypted folder, and out of one.
@Suite(.needsEncryptedDisk) struct FolderMoveTests {
    @Test func everythingMovesInAndOut() throws {
        let folder = try FolderOfTest()
        try fill(folder.path)
        let before = try Picture(of: folder.path)
        let survey = try FolderMove(folder: folder.path, to: .encrypted(folder.identifier)).survey()
        #expect(survey.files == before.files.keys.filter { !$0.hasSuffix("/") }.count && survey.folders == 4)
        let report = try folder.move()
        #expect(report.files == survey.files && report.bytes == survey.bytes && report.kept.isEmpty)
        #expect(try folder.encryption == .encrypted(folder.identifier))
        #expect(try folder.besides == [])
        try folder.lockAndUnlock()
        #expect(try Picture(of: folder.path) == before)
        var status = stat()
        try #require(lstat(folder.path + "/holes", &status) == 0)
        #expect(status.st_blocks * 512 < status.st_size / 2)
        #expect(try FolderMove.unfinished(at: folder.path) == nil)

        try folder.move(.plain)
        #expect(try folder.encryption == .plain)
        #expect(try Picture(of: folder.path) == before)
        #expect(try folder.besides == [])
    }

    @Test func manyFilesAndDeepFoldersMove() throws {
        let folder = try FolderOfTest(megabytes: 64)
        for number in 0..<1000 { try write("file \(number)", to: "\(folder.path)/\(number)") }
        // The path of the deepest folder is longer than any path that the system takes.
        var deep = try opened(folder.path)
        for _ in 0..<250 {
            let entry = FolderEntry("a folder with a rather long name", in: deep.descriptor)
            try entry.makeFolder(0o755)
            deep = try OpenFile(entry, O_RDONLY | O_DIRECTORY)
        }
        close(try FolderEntry("last", in: deep.descriptor).open(O_WRONLY | O_CREAT, 0o644))
        deep = try opened(folder.path)
        let before = try Picture(of: folder.path)
        let report = try folder.move()
        #expect(report.files == 1001 && report.folders == 251)
        try folder.lockAndUnlock()
        #expect(try Picture(of: folder.path) == before)
    }

    @Test func anEmptyFolderMoves() throws {
        let folder = try FolderOfTest()
        try folder.move()
        #expect(try folder.encryption == .encrypted(folder.identifier))
        try folder.move(.plain)
        #expect(try folder.encryption == .plain && folder.besides == [])
    }

    @Test func aLargeFileMoves() throws {
        let folder = try FolderOfTest(megabytes: 300)
        let file = open(folder.path + "/large", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let bytes = [UInt64](repeating: random.next(), count: 1 << 17)
            try #require(Glibc.write(file, bytes, 1 << 20) == 1 << 20)
        }
        close(file)
        let before = try Picture(of: folder.path)
        var done: Int64 = 0
        try folder.move(nil) {
            if $0.step == .copying { done = $0.done }
            return true
        }
        #expect(done == 100 << 20)
        try folder.lockAndUnlock()
        #expect(try Picture(of: folder.path) == before)
    }

    @Test func aStoppedMoveLeavesNothing() throws {
        let folder = try FolderOfTest()
        try fill(folder.path)
        let before = try Picture(of: folder.path)
        for step in [FolderMoveProgress.Step.copying, .comparing, .exchanging] {
            let error = #expect(throws: FolderError.self) { try folder.move(nil) { $0.step != step } }
            guard case .cancelled = error else {
                Issue.record("\(step): \(String(describing: error))")
                continue
            }
            #expect(try folder.besides == [] && folder.encryption == .plain)
            #expect(try Picture(of: folder.path) == before)
        }
        // Too late: the names are exchanged.
        try folder.move(nil) { $0.step != .removing }
        #expect(try folder.besides == [])
    }

    @Test(arguments: [FolderMoveProgress.Step.copying, .comparing, .exchanging])
    func aFileThatChangesMeanwhileIsNeverLost(_ step: FolderMoveProgress.Step) throws {
        let folder = try FolderOfTest()
        try fill(folder.path)
        var isChanged = false
        func change(_ progress: FolderMoveProgress) -> Bool {
            if progress.step == step && !isChanged {
                isChanged = true
                #expect(throws: Never.self) { try write("another day", to: folder.path + "/sub/deep") }
                #expect(throws: Never.self) { try write("new", to: folder.path + "/sub/none/new") }
            }
            return true
        }
        if step != .exchanging {
            let error = #expect(throws: FolderError.self) { try folder.move(nil, change) }
            guard case .changed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try folder.besides == [] && folder.encryption == .plain)
            #expect(SystemFile.bytes(folder.path + "/sub/deep") == Array("another day".utf8))
            return
        }
        let report = try folder.move(nil, change)
        #expect(report.kept == ["sub/deep", "sub/none/new"])
        #expect(report.keptFolder == folder.path + ".latchkey-kept")
        #expect(try folder.besides == ["journal.latchkey-kept"])
        #expect(SystemFile.bytes(folder.path + "/sub/deep") == Array("deep".utf8))
        #expect(SystemFile.bytes(folder.path + ".latchkey-kept/sub/deep") == Array("another day".utf8))
        #expect(try FolderMove.unfinished(at: folder.path) == nil)
    }

    /// What was removed after it was compared is in the copy, and so comes back.
    @Test func whatComesBackIsNamed() throws {
        let folder = try FolderOfTest()
        try fill(folder.path)
        let report = try folder.move(nil) { progress in
            if progress.step == .exchanging {
                unlink(folder.path + "/empty")
                rmdir(folder.path + "/sub/none")
                _ = rename(folder.path + "/sub/deep", folder.path + "/sub/deeper")
            }
            return true
        }
        #expect(report.returned == ["empty", "sub/deep", "sub/none"])
        #expect(report.kept == ["sub/deeper"])
        #expect(SystemFile.bytes(folder.path + "/empty") == [])
        #expect(try folder.move(.plain).returned.isEmpty)
    }

    @Test func aFileThatIsBeingWrittenIsKept() throws {
        let folder = try FolderOfTest()
        try fill(folder.path)
        var writer: Int32 = -1
        let report = try folder.move(nil) { progress in
            if progress.step == .exchanging && writer < 0 {
                writer = open(folder.path + "/sub/deep", O_WRONLY | O_CLOEXEC)
            }
            return true
        }
        defer { close(writer) }
        #expect(report.kept == ["sub/deep"])
        #expect(Glibc.write(writer, "late", 4) == 4)
        #expect(SystemFile.bytes(folder.path + ".latchkey-kept/sub/deep") == Array("late".utf8))
    }

    @Test func aDiskThatFillsUpMeanwhileLeavesTheFolder() throws {
        let folder = try FolderOfTest()
        try write(String(repeating: "content ", count: 1 << 18), to: folder.path + "/two")
        let before = try Picture(of: folder.path)
        let filler = folder.disk.path("filler")
        var isFull = false
        let error = #expect(throws: FolderError.self) {
            try folder.move(nil) { _ in
                if !isFull {
                    isFull = true
                    let file = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                    let bytes = [UInt8](repeating: 1, count: 1 << 16)
                    while Glibc.write(file, bytes, bytes.count) > 0 {}
                    close(file)
                }
                return true
            }
        }
        guard case .system(_, SystemError(ENOSPC)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try folder.besides == ["filler"] && folder.encryption == .plain)
        #expect(try Picture(of: folder.path) == before)
        unlink(filler)
        try folder.move()
        #expect(try Picture(of: folder.path) == before)
    }
}
