import Glibc
import LinuxSystem
import PlainText
import TestSupport
import Testing

/// Calls of the system with paths that are not UTF-8.
@Suite struct PathCallTests {
    private let folder: String

    init() throws { folder = try #require(TemporaryPlace.make()) }

    private func text(of file: String) -> String? {
        SystemFile.bytes(file, atMost: 100).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the names in a folder, byte by byte.
    private func names(in folder: String) throws -> [[UInt8]] {
        let directory = try #require(opendir(folder))
        defer { closedir(directory) }
        var names: [[UInt8]] = []
        while let entry = readdir(directory) {
            names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
        }
        return names.filter { $0 != Array(".".utf8) && $0 != Array("..".utf8) }.sorted {
            $0.lexicographicallyPrecedes($1)
        }
    }

    /// A pipe without a writer would otherwise hold up who reads it.
    @Test func onlyARegularFileIsRead() throws {
        let (file, pipe) = (folder + "/file", folder + "/pipe")
        let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(write(descriptor, "text", 4) == 4)
        close(descriptor)
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(SystemFile.regularBytes(file, atMost: 100) == Array("text".utf8))
        #expect(SystemFile.regularBytes(file, atMost: 2) == Array("te".utf8))
        #expect(SystemFile.regularBytes(file, atMost: 0) == [])
        for other in [pipe, folder, "/dev/zero", folder + "/nothing"] {
            #expect(SystemFile.regularBytes(other, atMost: 100) == nil, "\(other)")
        }
    }

    @Test func eachCallMeansTheFileWithTheseBytes() throws {
        defer { TemporaryPlace.remove(folder) }
        let below = PathText.text(Array("\(folder)/d".utf8) + [0xFF, 0xFE])
        let file = below + "/f" + PathText.text([0xE9])
        #expect(mkdir(below, 0o700) == 0 && mkdir(below, 0o700) == -1 && errno == EEXIST)
        try OutputFile.create(file, with: "one")
        #expect(throws: SystemError(EEXIST)) { try OutputFile.create(file, with: "two") }
        try OutputFile.replace(file, with: "three")
        #expect(text(of: file) == "three")
        #expect(try names(in: folder) == [[0x64, 0xFF, 0xFE]])
        #expect(try names(in: below) == [[0x66, 0xE9]])
        var status = stat()
        #expect(chmod(file, 0o640) == 0 && lstat(file, &status) == 0 && status.st_mode & 0o7777 == 0o640)
        #expect(access(file, R_OK) == 0)
        #expect(rename(file, file + "2") == 0 && access(file, F_OK) == -1 && errno == ENOENT)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        #expect(descriptor >= 0 && realpath("/proc/self/fd/\(descriptor)") == file)
        close(descriptor)
        #expect(SystemFile.target(of: "/proc/self/fd/\(descriptor)") == nil)
        #expect(NewFile.place(file + "2", at: file) == EEXIST && unlink(file) == 0)
        #expect(NewFile.place(file + "2", at: file) == 0 && text(of: file) == "three")
        let links = NewFile.Calls(renameToNew: { _, _ in ENOSYS })
        #expect(NewFile.place(file, at: file + "3", links) == 0)
        #expect(try names(in: below) == [[0x66, 0xE9, 0x33]])
        #expect(rmdir(below) == -1 && errno == ENOTEMPTY)
        #expect(realpath(below + "/../d") == nil && realpath(below + "/.") == below)
        let made = try #require(mkdtemp(below + "/XXXXXX"))
        #expect(made.hasPrefix(below + "/") && rmdir(made) == 0)
        try PathTrust.require(below, .folder)
        #expect(try PathTrust.openParent(ofNew: below + "/new/newer") == nil)
        #expect(chmod(below, 0o777) == 0)
        #expect(try PathTrust.openParent(of: file) == below)
    }

    /// A file of a user is not root's alone, and neither is one of root in a folder where a user can mount a file system.
    @Test func whatRootAloneCanChangeIsStricter() throws {
        defer { TemporaryPlace.remove(folder) }
        let file = folder + "/f"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        try PathTrust.require(file, .file)
        let error = #expect(throws: PathTrust.TrustError.self) {
            try PathTrust.require(file, .file, trusting: nil)
        }
        guard case .notOfRoot(let path) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(file.hasPrefix(path))
    }

    @Test(
        arguments: [
            ("/a/b", "/a", "b"), ("/a", "", "a"), ("a/", "a", ""), ("/a/\u{301}b", "/a", "\u{301}b"),
            ("/e\u{301}/\u{10F7FF}", "/e\u{301}", "\u{10F7FF}"),
        ]) func aPathIsSplitAtItsLastSlash(path: String, above: String, name: String) throws
    {
        let parts = try #require(SystemPath.split(path))
        #expect(parts.above.utf8.elementsEqual(above.utf8) && parts.name.utf8.elementsEqual(name.utf8))
        #expect(SystemPath.split(name) == nil)
    }

    @Test func aProgramGetsTheBytes() throws {
        defer { TemporaryPlace.remove(folder) }
        let file = PathText.text(Array("\(folder)/p".utf8) + [0xFF])
        let child = Child()
        let process = try child.start(
            "/bin/sh", ["sh", "-c", "printf x >\"$1\"", "sh", file], environment: [] as [String])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        #expect(status == 0 && text(of: file) == "x")
    }

    /// A failed call leaves its reason, also where the path had to be copied.
    @Test(arguments: ["", "\u{10F7FF}"]) func aFailureKeepsItsReason(_ ending: String) {
        defer { TemporaryPlace.remove(folder) }
        let long = String(repeating: "x", count: 5000) + ending
        #expect(open("\(folder)/none\(ending)", O_RDONLY) == -1 && errno == ENOENT)
        #expect(open("\(folder)/\(long)", O_RDONLY) == -1 && errno == ENAMETOOLONG)
        #expect(opendir("\(folder)/none\(ending)") == nil && errno == ENOENT)
        #expect(realpath("\(folder)/none\(ending)") == nil && errno == ENOENT)
        #expect(mkdtemp("\(folder)/none\(ending)/XXXXXX") == nil && errno == ENOENT)
    }
}
