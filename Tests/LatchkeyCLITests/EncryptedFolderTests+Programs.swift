import AgentProtocol
import Foundation
import TestSupport
import Testing

// Programs that have files of a protected folder open, and programs that work in one.

extension EncryptedFolderTests {
    // MARK: - Open files

    /// A program with the file open on its standard input.
    func holder(of path: String) throws -> Process {
        let process = Process()
        Command.set(process, toRun: URL(filePath: "/usr/bin/sleep"), ["1000"])
        let file = try ClosedOnExec.open(path, O_RDONLY)
        process.standardInput = file
        try process.run()
        try file.close()
        return process
    }

    @Test func aProgramThatKeepsAFileOpenIsNamed() throws {
        let path = try journal()
        try folder("protect \(path)")
        let holder = try holder(of: "\(path)/today")
        defer {
            holder.terminate()
            holder.waitUntilExit()
        }
        let said = try vault.sh("latchkey lock").errors
        #expect(said.hasPrefix("Locked the vault.\n"), "\(said)")
        #expect(said.contains("sleep (\(holder.processIdentifier)) has \(path)/today open"), "\(said)")
        #expect(try report(path).state == .held)
        #expect(content("\(path)/old/march") == nil, "only what is open can be read")
        holder.terminate()
        holder.waitUntilExit()
        #expect(try Patience.wait { try report(path).state == .locked }, "the kernel is asked again")
    }

    @Test func aLockEndsProgramsIfTheFolderSaysSo() throws {
        let path = try journal()
        try folder("protect --open-files end \(path)")
        let holder = try holder(of: "\(path)/today")
        defer {
            holder.terminate()
            holder.waitUntilExit()
        }
        let said = try vault.sh("latchkey lock").errors
        #expect(said == "Locked the vault.\n")
        try #require(Patience.wait { !holder.isRunning })
        #expect(holder.terminationReason == .uncaughtSignal)
        #expect(try Patience.wait { try report(path).state == .locked })
    }

    /// A folder that was renamed while a program held a file, and a plain one that has taken its place.
    @Test func aLockEndsNoProgramOfAnotherFolderAtThePath() throws {
        let path = try journal()
        try folder("protect --open-files end \(path)")
        let holder = try holder(of: "\(path)/today")
        try FileManager.default.moveItem(atPath: path, toPath: disk.path("elsewhere"))
        _ = try disk.makeFolder("journal")
        try write("unrelated", "\(path)/today")
        let other = try self.holder(of: "\(path)/today")
        defer {
            for process in [holder, other] {
                process.terminate()
                process.waitUntilExit()
            }
        }
        let said = try vault.sh("latchkey lock").errors
        #expect(said.contains("cannot be looked up") && !said.contains("\(other.processIdentifier)"), "\(said)")
        let report = try report(path)
        #expect(report.state == .held && report.processes.count == 1 && report.trouble != nil, "\(report)")
        // Several looks at the folders end neither of them.
        for _ in 0..<3 { _ = try folder("status") }
        #expect(other.isRunning && holder.isRunning)
    }

    @Test func aFileThatIsOpenStaysReadableUnlessItsClassForbids() throws {
        let path = try journal()
        try folder("protect --class unless-open \(path)")
        let file = try ClosedOnExec.open("\(path)/today", O_RDWR)
        defer { try? file.close() }
        let lock = try vault.sh("latchkey lock")
        #expect(lock.errors == "Locked the vault.\n", "this is what the class promises")
        #expect(try report(path).state == .held)
        #expect(try file.readToEnd() == Data("met the auditor".utf8))
        try file.write(contentsOf: Data(", twice".utf8))
        try file.synchronize()
        try file.close()
        #expect(try Patience.wait { try report(path).state == .locked })
        try unlock()
        #expect(content("\(path)/today") == "met the auditor, twice")
    }

    /// Whatever a writer has finished before the lock is there after it, whole.
    @Test func aLockWhileFilesAreWrittenLosesNone() throws {
        let path = disk.path("many")
        try folder("protect \(path)")
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        let script = """
            i=0; while [ $i -lt 100 ]; do i=$((i+1)); printf 'line %s\\n' $i > $0/$i || exit 1; echo $i; done
            """
        writer.arguments = ["-c", script, path]
        let output = Pipe()
        writer.standardOutput = output
        writer.standardError = FileHandle.nullDevice
        try writer.run()
        _ = try output.fileHandleForReading.read(upToCount: 20)
        try vault.lock()
        _ = try folder("status")
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        writer.waitUntilExit()
        _ = rest
        try unlock()
        let found = names(path)
        #expect(found.count >= 5, "\(found)")
        for name in found {
            let text = content("\(path)/\(name)")
            // The lock may have come between the creation of the last file and its content.
            #expect(text == "line \(name)\n" || (text == "" && Int(name) == found.count), "\(name): \(text ?? "-")")
        }
    }

    // MARK: - Other programs

    static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    @Test(.enabled(if: has("git"), "skipped: needs git")) func gitWorksInAFolder() throws {
        try work(
            writing: """
                git init -q work && cd work && git config user.name a && git config user.email a@example.invalid || exit 1
                for i in 1 2 3; do echo $i > file && git add file && git commit -qm $i || exit 1; done
                git gc -q && git clone -q . ../twin
                """,
            reading: "git -C twin fsck --strict 2>/dev/null && git -C work log --format=%s", "3\n2\n1\n")
    }

    @Test(.enabled(if: has("sqlite3"), "skipped: needs sqlite3")) func sqliteWorksInAFolder() throws {
        try work(
            writing: """
                sqlite3 db 'pragma journal_mode=wal; create table t(n); insert into t values(1),(2);' &&
                sqlite3 db 'update t set n=n*2; create index i on t(n);'
                """,
            reading: "sqlite3 db 'pragma integrity_check; select sum(n) from t;'", "ok\n6\n")
    }

    @Test(.enabled(if: has("vim"), "skipped: needs vim")) func anEditorWorksInAFolder() throws {
        try work(
            writing: "echo one > note; vim -u NONE -es -c 'set backup' -c 'normal otwo' -c wq note < /dev/null",
            reading: "cat note note~", "one\ntwo\none\n")
    }

    /// Lets programs write in a protected folder, and read it while it is locked and when it is open again.
    private func work(writing: String, reading: String, _ expected: String) throws {
        let path = disk.path("work")
        try folder("protect \(path)")
        func run(_ script: String) throws -> Command.Run {
            try vault.sh("cd \(path) && export HOME=\(path) && { \(script)\n}")
        }
        let written = try run(writing)
        #expect(written.status == 0, "\(written)")
        #expect(try run(reading).output == expected)
        try vault.lock()
        #expect(try Patience.wait { try report(path).state == .locked })
        #expect(try run(reading).output == "")
        try unlock()
        #expect(try run(reading).output == expected)
    }
}
