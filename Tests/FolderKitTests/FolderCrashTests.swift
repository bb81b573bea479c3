import FolderKit
import Glibc
import LinuxSystem
import TestSupport
import Testing

/// A process that is killed while it moves a folder.
@Suite(.needsEncryptedDisk) struct FolderCrashTests {
    @Test(arguments: [0, Privileges.ordinaryUser], ["encrypted", "plain"])
    func aKillAtAnyStepLosesNothing(_ user: uid_t, _ goal: String) throws {
        let disk = try EncryptedDisk()
        try #require(chmod(disk.path, 0o777) == 0)
        let path = try disk.makeFolder("journal", for: user)
        try write("a day", to: path + "/day")
        try #require(mkdir(path + "/sub", 0o755) == 0)
        try write(String(repeating: "night ", count: 200_000), to: path + "/sub/night")
        try #require(link(path + "/day", path + "/sub/twin") == 0 && symlink("day", path + "/link") == 0)
        try write("read only", to: path + "/sub/fixed", mode: 0o444)
        try #require(chmod(path + "/sub", 0o555) == 0)
        for name in ["", "/day", "/link", "/sub", "/sub/night", "/sub/twin", "/sub/fixed"] {
            try #require(lchown(path + name, user, user) == 0)
        }
        let before = try Picture(of: path)
        func run(_ goal: String, killedAt last: Int = 0) throws -> (lines: [String], status: Int32) {
            var program = try SpawnedProgram("folder-exerciser", ["\(user)", "move", "7", path, goal, "\(last)"])
            let lines = program.lines()
            return (lines, program.end())
        }
        let back = goal == "plain" ? "encrypted" : "plain"
        if goal == "plain" { try #require(try run(back).status == 0) }
        var (place, states) = (1, Set<FolderMove.Unfinished?>())
        while true {
            let (lines, status) = try run(goal, killedAt: place)
            if status == 0 {
                #expect(lines.last?.hasPrefix("moved") == true)
                break
            }
            try #require(status == -SIGKILL, "\(place): \(lines)")
            // The folder is whole, whether it was moved or not. Only a child that is just starting may hold a lock on it.
            FolderOfTest.unlock(disk.path)
            #expect(try Picture(of: path) == before, "\(place)")
            states.insert(try FolderCrashTests.unfinished(path, as: user))
            let (again, code) = try run(goal)
            try #require(code == 0, "\(place): \(again)")
            #expect(try Picture(of: path) == before, "\(place)")
            #expect(try besides(disk) == [], "\(place)")
            try #require(try run(back).status == 0)
            place += 1
        }
        #expect(place > 15)
        #expect(states == [.copying, .removing])
    }

    /// Returns a folder with these files whose move was killed when it was about to remove the originals.
    private func killed(_ names: String...) throws -> FolderOfTest {
        let folder = try FolderOfTest()
        for name in names { try write("a \(name)", to: "\(folder.path)/\(name)") }
        var program = try SpawnedProgram("folder-exerciser", ["0", "move", "7", folder.path, "encrypted", "removing"])
        _ = program.lines()
        try #require(program.end() == -SIGKILL)
        #expect(try folder.besides == [".journal.latchkey-new"])
        return folder
    }

    /// After a kill, it is not known what is old. So nothing goes of which the copy has no twin, however old it is.
    @Test func whatCameAfterTheCopyStays() throws {
        let folder = try killed("day", "night")
        let originals = folder.disk.path(".journal.latchkey-new")
        try #require(mkdir(originals + "/photos", 0o755) == 0)
        for path in [originals + "/photos/sea", originals + "/night"] { try write("a ship!", to: path) }
        let report = try folder.move()
        #expect(
            report.kept == ["night", "photos/sea"] && report.keptFolder == folder.disk.path("journal.latchkey-kept"))
        #expect(try folder.besides == ["journal.latchkey-kept"])
    }

    /// An error says nothing about an original, so it is neither removed nor kept for good: the next run goes on.
    @Test func anErrorLeavesTheRestToTheNextRun() throws {
        let folder = try killed("day", "night")
        // The other one was removed just before the process was killed.
        let original = folder.disk.path(".journal.latchkey-new/night")
        try mark(original, "+i")
        let error = #expect(throws: FolderError.self) { try folder.move() }
        guard case .left(original, SystemError(EPERM)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try FolderMove.unfinished(at: folder.path) == .removing)
        #expect(try folder.besides == [".journal.latchkey-new"])
        try mark(original, "-i")
        let report = try folder.move()
        #expect(report.hasFinishedEarlier && report.kept.isEmpty)
        #expect(try folder.besides == [] && FolderMove.unfinished(at: folder.path) == nil)
    }

    /// Without their key, originals have other names and no content that could be compared.
    @Test func lockedOriginalsAreLeftToTheNextRun() throws {
        let folder = try FolderOfTest()
        try write("a day", to: folder.path + "/day")
        try #require(symlink("day", folder.path + "/link") == 0)
        try folder.move()
        var program = try SpawnedProgram("folder-exerciser", ["0", "move", "7", folder.path, "plain", "removing"])
        _ = program.lines()
        try #require(program.end() == -SIGKILL)
        let (identifier, path) = (folder.identifier, folder.disk.path)
        try #require(Patience.wait { try FolderKeys.remove(identifier, from: path) == .removed })
        let error = #expect(throws: FolderError.self) { try folder.move(.plain) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("latchkey unlock"))
        #expect(try folder.besides == [".journal.latchkey-new"])
        try FolderOfTest.addKey(to: path)
        #expect(try folder.move(.plain).kept.isEmpty)
        #expect(try folder.besides == [])
    }

    private func mark(_ path: String, _ mark: String) throws {
        var program = try SpawnedProgram(path: "/usr/bin/chattr", [mark, path])
        _ = program.lines()
        try #require(program.end() == 0)
    }

    /// The copy goes, also if the next run has nothing else to do.
    @Test func anIncompleteCopyGoesIfTheFolderIsToStay() throws {
        let folder = try FolderOfTest()
        try write("a day", to: folder.path + "/day")
        try folder.move()
        var program = try SpawnedProgram("folder-exerciser", ["0", "move", "7", folder.path, "plain", "copying"])
        _ = program.lines()
        try #require(program.end() == -SIGKILL)
        #expect(try folder.besides == [".journal.latchkey-new"])
        try folder.move()
        #expect(try folder.besides == [] && FolderMove.unfinished(at: folder.path) == nil)
        #expect(try folder.encryption == .encrypted(folder.identifier))
    }

    @Test func theOriginalsOfARenamedFolderAreFound() throws {
        let folder = try killed("day")
        let diary = folder.disk.path("diary")
        try #require(rename(folder.path, diary) == 0)
        let report = try FolderMove(folder: diary, to: .encrypted(folder.identifier)).run { _ in true }
        #expect(report.hasFinishedEarlier && report.kept.isEmpty)
        #expect(try folder.besides == ["diary"])
    }

    @Test func aFolderThatWasMovedAwaySaysWhereItsOriginalsAre() throws {
        let folder = try killed("day")
        let other = try folder.disk.makeFolder("other") + "/journal"
        try #require(rename(folder.path, other) == 0)
        let move = FolderMove(folder: other, to: .encrypted(folder.identifier))
        let error = try #require(throws: FolderError.self) { try move.run { _ in true } }
        #expect(error.description.contains("still where it was, named .journal.latchkey-new"), "\(error)")
        #expect(try folder.besides == [".journal.latchkey-new", "other"])
        try #require(rename(other, folder.path) == 0)
        #expect(try folder.move().hasFinishedEarlier)
        #expect(try folder.besides == ["other"])
    }

    /// Reads the state as root, who may read any folder.
    private static func unfinished(_ path: String, as user: uid_t) throws -> FolderMove.Unfinished? {
        guard user != 0 else { return try FolderMove.unfinished(at: path) }
        let folder = try opened(path)
        let mark = try ExtendedAttributes(of: folder.descriptor).values["user.latchkey.moving"]
        return mark == nil ? .copying : .removing
    }

    private func besides(_ disk: EncryptedDisk) throws -> [String] {
        let top = try opened(disk.path)
        return try FolderEntry.names(in: top.descriptor).filter { $0 != "journal" && $0 != "lost+found" }
    }
}

extension FolderOfTest {
    /// Gives root the key, so that it can read what another user has encrypted.
    static func unlock(_ path: String) { _ = try? addKey(to: path) }
}
