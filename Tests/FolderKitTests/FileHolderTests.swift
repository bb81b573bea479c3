import FolderKit
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

/// The processes that use files of a folder.
@Suite struct FileHolderTests {
    @Test(arguments: ["open", "map", "cwd", "deleted"])
    func aProcessIsFoundByWhatItUses(_ way: String) throws {
        let folder = try TemporaryFolder()
        try write("a", to: folder.path("day"))
        let used = way == "cwd" ? folder.url.path : folder.path("day")
        var program = try SpawnedProgram("folder-exerciser", ["0", "hold", way, used])
        #expect(program.line() == "holding")
        let holder = try HolderSearch(below: folder.url.path).holders.first { $0.process == program.process }
        #expect(holder?.program == "folder-exerciser" && holder?.count == 1)
        #expect(holder?.use == (way == "map" ? .mapped : way == "cwd" ? .workingFolder : .open))
        #expect(holder?.path.hasPrefix(used) == true)
        #expect(holder?.end() == .ended)
        #expect(holder?.end() == .gone)
        #expect(program.end() == -SIGTERM)
    }

    @Test func aStubbornProcessIsKilled() throws {
        let folder = try TemporaryFolder()
        try write("a", to: folder.path("day"))
        var program = try SpawnedProgram("folder-exerciser", ["0", "hold", "stubborn", folder.path("day")])
        #expect(program.line() == "holding")
        let holder = try HolderSearch(below: folder.url.path).holders.first { $0.process == program.process }
        #expect(holder?.end() == .ended)
        #expect(program.end() == -SIGKILL)
    }

    @Test func aProcessThatLetsGoGetsNoSignal() throws {
        let folder = try TemporaryFolder()
        try write("a", to: folder.path("day"))
        var program = try SpawnedProgram("folder-exerciser", ["0", "hold", "open", folder.path("day")])
        #expect(program.line() == "holding")
        let found = try HolderSearch(below: folder.url.path).holders.first { $0.process == program.process }
        let holder = try #require(found)
        #expect("\(holder)" == "folder-exerciser (\(program.process)) has \(folder.path("day")) open")
        program.go()
        #expect(program.end() == 0)
        #expect(holder.end() == .gone)
    }

    @Test(.needsEncryptedDisk) func aLockedFolderNamesItsHolders() throws {
        let folder = try FolderOfTest()
        try write("a", to: folder.path + "/day")
        try folder.move()
        var program = try SpawnedProgram("folder-exerciser", ["0", "hold", "open", folder.path + "/day"])
        #expect(program.line() == "holding")
        let holders = KeyHolders(openFiles: true, otherUsers: false)
        #expect(try FolderKeys.remove(folder.identifier, from: folder.path) == .remains(holders))
        let search = try HolderSearch(below: folder.path, encryptedBy: folder.identifier)
        let found = search.holders.first { $0.process == program.process }
        #expect(found?.path == folder.path + "/day")
        #expect(found?.end() == .ended)
        program.end()
        #expect(try Patience.wait { try FolderKeys.remove(folder.identifier, from: folder.path) == .removed })
    }

    /// The processes of a folder that has taken the place of another one.
    @Test(.needsEncryptedDisk) func anotherFolderAtThePathIsNotSearched() throws {
        let folder = try FolderOfTest()
        try folder.move()
        let away = folder.disk.path("away")
        try #require(rename(folder.path, away) == 0)
        _ = try folder.disk.makeFolder("journal")
        func code(_ path: String) -> Int32? {
            let error = #expect(throws: SystemError.self) {
                try HolderSearch(below: path, encryptedBy: folder.identifier)
            }
            return error?.code
        }
        #expect(code(folder.path) == ESTALE)
        // A link leads to the folder, and may lead elsewhere at any time.
        try #require(rmdir(folder.path) == 0 && symlink(away, folder.path) == 0)
        #expect([ELOOP, ENOTDIR].contains(code(folder.path)))
        #expect(try HolderSearch(below: away, encryptedBy: folder.identifier).holders.isEmpty)
    }
}
