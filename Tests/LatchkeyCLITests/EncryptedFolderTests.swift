import AgentProtocol
import Foundation
import TestSupport
import Testing

/// `latchkey folder` on a real ext4 file system: the kernel encrypts, and the agent keeps the keys.
@Suite(.serialized, .waitsInOrder, .needsEncryptedDisk) struct EncryptedFolderTests {
    let vault: UnlockedVault
    let disk: EncryptedDisk

    init() throws {
        vault = try UnlockedVault()
        disk = try EncryptedDisk()
    }

    /// Runs `latchkey folder`, and expects this exit status.
    @discardableResult
    func folder(
        _ line: String, _ status: Int32 = 0, _ place: SourceLocation = #_sourceLocation
    ) throws -> Command.Run {
        let run = try vault.sh("latchkey folder \(line)")
        #expect(run.status == status, "\(line): \(run)", sourceLocation: place)
        return run
    }

    /// Kills the agent, and waits until its socket is closed. Until then, another command could still reach it.
    func killAgent() throws {
        let client = try vault.connect()
        kill(client.process, SIGKILL)
        while (try? client.ask(StatusCall(), of: nil)) != nil {}
    }

    func content(_ path: String) -> String? { ClosedOnExec.text(of: path) }

    func names(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func write(_ text: String, _ path: String) throws {
        try ClosedOnExec.write(text, to: path)
    }

    func report(
        _ path: String, _ place: SourceLocation = #_sourceLocation
    ) throws -> EncryptedFolderReport {
        let lines = try folder("status --json").output.split(separator: "\n")
        let reports = try lines.map { line in
            var head = try WireObject(Array(line.utf8))
            return try EncryptedFolderReport(reading: &head)
        }
        return try #require(reports.first { $0.folder.path == path }, "\(reports)", sourceLocation: place)
    }

    /// Unlocks the vault, and waits until the folders are open: on a busy machine, that may take longer than the request does.
    func unlock() throws {
        try vault.unlock()
        try waitUntilOpen()
    }

    func waitUntilOpen() throws {
        #expect(
            try Patience.wait { try !vault.sh("latchkey folder status --json").output.contains("\"state\":\"locked\"") }
        )
    }

    /// Makes a folder with two files and a folder in it.
    func journal(_ name: String = "journal") throws -> String {
        let path = try disk.makeFolder(name)
        try write("met the auditor", "\(path)/today")
        try FileManager.default.createDirectory(atPath: "\(path)/old", withIntermediateDirectories: false)
        try write("moved", "\(path)/old/march")
        return path
    }

    // MARK: - Opening and locking

    @Test func aFolderIsReadableWhileTheVaultIsUnlocked() throws {
        let path = try journal()
        let said = try folder("protect \(path)").errors
        #expect(said.contains("Protected \(path)") && said.contains("open while the vault is unlocked"), "\(said)")
        #expect(names(path) == ["old", "today"])
        #expect(content("\(path)/today") == "met the auditor" && content("\(path)/old/march") == "moved")
        #expect(try report(path).state == .open)
        try vault.lock()
        #expect(try report(path).state == .locked)
        #expect(content("\(path)/today") == nil)
        #expect(names(path).count == 2 && !names(path).contains("today"), "names are encrypted too")
        #expect(throws: (any Error).self) { try write("x", "\(path)/new") }
        try unlock()
        #expect(content("\(path)/today") == "met the auditor")
        try write("x", "\(path)/new")
        let log = try vault.sh("latchkey log").output
        #expect(log.contains("readData \(path) "), "the log names the folder, \(log)")
        #expect(try vault.names().isEmpty, "its key is no secret of yours")
    }

    /// The file system itself is searched, without the kernel that decrypts it.
    @Test func theDiskHasNeitherNamesNorContents() throws {
        let path = disk.path("journal")
        try folder("protect \(path)")
        var needles = Needles()
        for kind in ["name", "content", "plain name", "plain content"] {
            let text = kind + UUID().uuidString
            needles.add(kind, Array(text.utf8))
            switch kind {
            case "name": try write("x", "\(path)/\(text)")
            case "content": try write(text, "\(path)/today")
            case "plain name": try write("x", disk.path(text))
            default: try write(text, disk.path("today"))
            }
        }
        try killAgent()
        try disk.remount()
        // Its image is beside the folder at which it is mounted.
        let image = URL(filePath: disk.path).deletingLastPathComponent().appending(path: "image")
        let found = try Data(contentsOf: image, options: .alwaysMapped).withUnsafeBytes { needles.found(in: $0) }
        #expect(found == ["plain name", "plain content"])
    }

    private func expectRefused(_ request: some AgentCall, _ client: AgentClient) {
        do throws(AgentError) {
            _ = try client.ask(request, of: nil)
            Issue.record("\(request) is answered")
        } catch {
            #expect(error.kind == .notFound || error.kind == .request, "\(request): \(error)")
        }
    }

    /// The key of a folder is an item that only the agent reads, whatever name a program tries.
    @Test func noRequestReturnsTheKeyOfAFolder() throws {
        let path = try journal()
        try folder("protect \(path)")
        let identifier = try report(path).folder.identifier
        try vault.set("known", "s3cret")
        let client = try vault.connect()
        for name in [identifier, path, "latchkey.folder-key/\(identifier)"] {
            let requests: [any AgentCall] = [
                ReadCall(name), ReadPartCall(name, ReadPartCall.Selection()), HistoryCall(name), ShowCall(name),
                KeyCall(name),
                MoveCall(name, to: "mine", isFolder: false, copies: true),
            ]
            for request in requests { expectRefused(request, client) }
        }
        let exported = try vault.sh("latchkey export json --yes | cat").output
        #expect(exported.contains("known") && !exported.contains(identifier), "\(exported)")
    }

    @Test func eachClassLocksAtItsTime() throws {
        let words = ["complete", "unless-open", "until-first-unlock"]
        for word in words { try folder("protect --class \(word) \(disk.path(word))") }
        for word in words { try write(word, "\(disk.path(word))/file") }
        try vault.lock()
        _ = try folder("status")
        #expect(words.map { content("\(disk.path($0))/file") } == [nil, nil, "until-first-unlock"])
        _ = try vault.sh("latchkey agent stop")
        #expect(words.map { content("\(disk.path($0))/file") } == [nil, nil, nil])
    }

    /// A power cut, then a start of the machine: the kernel has no key until the first unlock.
    @Test func everyFolderIsLockedAfterAPowerCut() throws {
        let words = ["complete", "unless-open", "until-first-unlock"]
        for word in words { try folder("protect --class \(word) \(disk.path(word))") }
        for word in words { try write(word, "\(disk.path(word))/file") }
        try killAgent()
        try disk.remount()
        #expect(words.map { content("\(disk.path($0))/file") } == [nil, nil, nil])
        #expect(try report(disk.path("until-first-unlock")).state == .locked)
        try vault.unlockAnew()
        try waitUntilOpen()
        #expect(words.map { content("\(disk.path($0))/file") } == words)
    }

    /// The agent is killed, and the kernel keeps the keys. The next agent begins locked, and so do the folders.
    @Test func theNextAgentLocksWhatAKilledOneLeftOpen() throws {
        let path = try journal()
        try folder("protect --class until-first-unlock \(path)")
        try killAgent()
        #expect(content("\(path)/today") == "met the auditor")
        #expect(try report(path).state == .locked)
        #expect(content("\(path)/today") == nil)
    }

    @Test func theClassOfAFolderIsChangedWithoutRewriting() throws {
        let path = try journal()
        try folder("protect \(path)")
        let inode = try FileManager.default.attributesOfItem(atPath: "\(path)/today")[.systemFileNumber] as? Int
        let said = try folder("protect --class until-first-unlock \(path)").errors
        #expect(said.contains("open from the first unlock until the agent ends"), "\(said)")
        try vault.lock()
        _ = try folder("status")
        #expect(content("\(path)/today") == "met the auditor")
        try unlock()
        try folder("protect --class complete \(path)")
        #expect(try folder("protect \(path)").errors.contains("is protected already"))
        try vault.lock()
        _ = try folder("status")
        #expect(content("\(path)/today") == nil)
        try unlock()
        #expect(
            try FileManager.default.attributesOfItem(atPath: "\(path)/today")[.systemFileNumber] as? Int == inode)
    }

    // MARK: - Where a folder and its key are

    @Test func aFolderOutlivesTheVaultThatMadeIt() throws {
        let path = try journal()
        try folder("protect \(path)")
        let passphrase = "right phrase"
        let backup = vault.path("backup")
        try vault.backUp(to: backup, passphrase)
        try vault.lock()
        _ = try folder("status")
        let other = try UnlockedVault()
        #expect(try other.sh("latchkey folder protect \(path)").status == 4, "it has no key of this folder")
        try other.restore(backup, passphrase)
        let opened = try other.sh("latchkey folder protect \(path)")
        #expect(opened.status == 0, "\(opened)")
        #expect(content("\(path)/today") == "met the auditor")
        try other.lock()
        _ = try other.sh("latchkey folder status")
        #expect(content("\(path)/today") == nil)
    }

    @Test func aMovedFolderIsFoundAgain() throws {
        let path = try journal()
        try folder("protect \(path)")
        let place = disk.path("elsewhere")
        try FileManager.default.moveItem(atPath: path, toPath: place)
        #expect(try report(path).state == .missing)
        try folder("protect \(place)")
        #expect(try report(place).state == .open)
        try vault.lock()
        _ = try folder("status")
        #expect(content("\(place)/today") == nil)
        try unlock()
        #expect(content("\(place)/today") == "met the auditor")
    }

    @Test func aFolderIsDecryptedForGood() throws {
        let path = try journal()
        try folder("protect \(path)")
        #expect(try folder("unprotect \(path)").errors.contains("\(path) is no longer protected"))
        try vault.lock()
        #expect(try folder("status").output.isEmpty)
        #expect(content("\(path)/today") == "met the auditor" && content("\(path)/old/march") == "moved")
        try unlock()
        #expect(try folder("unprotect \(path)", 4).errors.contains("is not protected by this vault"))
    }

    @Test func aLockedVaultDeletesNoKeyThatIsNeeded() throws {
        let path = try journal()
        try folder("protect \(path)")
        let identifier = try report(path).folder.identifier
        #expect(throws: AgentError.self) {
            _ = try vault.connect().ask(RemoveEncryptedFolderCall(identifier, isSure: false), of: nil)
        }
        #expect(content("\(path)/today") == "met the auditor")
    }

    /// A plain folder that takes the place of a protected one has nothing to do with its key.
    @Test func anotherFolderAtThePathNeitherTakesNorDeletesTheKey() throws {
        let path = try journal()
        try folder("protect \(path)")
        try FileManager.default.moveItem(atPath: path, toPath: disk.path("old"))
        _ = try disk.makeFolder("journal")
        #expect(try folder("unprotect \(path)", 4).errors.contains("is not protected by this vault"))
        try folder("protect \(path)")
        try folder("unprotect \(path)")
        try folder("protect \(disk.path("old"))")
        try vault.lock()
        _ = try folder("status")
        #expect(content(disk.path("old/today")) == nil)
        try unlock()
        #expect(content(disk.path("old/today")) == "met the auditor")
    }

    /// Originals that a program changed during the move stay encrypted beside the folder, and so their key stays.
    @Test func theKeyOfWhatWasKeptIsNotDeleted() throws {
        let path = try journal()
        try folder("protect \(path)")
        let kept = disk.path("journal.latchkey-kept")
        try FileManager.default.moveItem(atPath: "\(path)/old", toPath: kept)
        #expect(try folder("unprotect \(path)").errors.contains("\(kept) is still protected"))
        #expect(content("\(path)/today") == "met the auditor")
        #expect(try report(kept).state == .open)
        try vault.lock()
        _ = try folder("status")
        #expect(content("\(kept)/march") == nil && content("\(path)/today") == "met the auditor")
        try unlock()
        try folder("unprotect \(kept)")
        #expect(content("\(kept)/march") == "moved")
        #expect(try folder("status").output.isEmpty)
    }

    /// A command that was refused leaves the folder as it was, also in the vault.
    @Test func aRefusedMoveChangesNothing() throws {
        let path = try journal()
        try folder("protect --open-files end \(path)")
        let holder = try holder(of: "\(path)/today")
        defer {
            holder.terminate()
            holder.waitUntilExit()
        }
        #expect(try folder("unprotect \(path)", 2).errors.contains("sleep (\(holder.processIdentifier))"))
        let report = try report(path)
        #expect(!report.folder.isMoving && report.state == .open && report.folder.holders == .end)
    }

    /// The kernel is asked through the file system, and not through the path that the folder had.
    @Test func aFolderBelowARenamedOneIsLocked() throws {
        let work = try disk.makeFolder("work")
        let path = try journal("work/journal")
        try folder("protect \(path)")
        try FileManager.default.moveItem(atPath: work, toPath: disk.path("projects"))
        #expect(content(disk.path("projects/journal/today")) == "met the auditor")
        try vault.lock()
        #expect(try report(path).state == .missing)
        #expect(content(disk.path("projects/journal/today")) == nil)
    }

    @Test func aKeyIsDeletedOnlyIfThePersonIsSure() throws {
        let path = try journal()
        try folder("protect \(path)")
        #expect(try folder("forget \(path)", 8).errors.contains("add --force"))
        #expect(try folder("forget --force \(disk.path("x"))", 4).errors.contains("no folder at"))
        try folder("forget --force \(path)")
        #expect(try folder("status").output.isEmpty)
        #expect(Patience.wait { content("\(path)/today") == nil })
    }

    @Test func aLockedVaultLoosensNoClass() throws {
        let path = try journal()
        try folder("protect \(path)")
        var known = try report(path).folder
        try vault.lock()
        known.protection = .untilFirstUnlock
        #expect(throws: AgentError.self) { _ = try vault.connect().ask(ChangeEncryptedFolderCall(known), of: nil) }
        known.protection = .complete
        known.path = disk.path("elsewhere")
        #expect(throws: AgentError.self) { _ = try vault.connect().ask(ChangeEncryptedFolderCall(known), of: nil) }
        #expect(try report(path).folder.protection == .complete)
        try unlock()
        try vault.lock()
        _ = try folder("status")
        #expect(content("\(path)/today") == nil)
    }

    /// One folder waits for a program that takes its time to end. The other does not wait for it.
    @Test func oneFolderLocksWhileAnotherIsHeld() throws {
        let (slow, quick) = (try journal("a-slow"), try journal("b-quick"))
        try folder("protect --open-files end \(slow)")
        try folder("protect \(quick)")
        let holder = Process()
        Command.set(
            holder, toRun: URL(filePath: "/bin/sh"), ["-c", "trap '' TERM; exec 3<\(slow)/today; echo; sleep 1000"])
        let output = Pipe()
        holder.standardOutput = output
        try holder.run()
        defer {
            holder.terminate()
            holder.waitUntilExit()
        }
        _ = try output.fileHandleForReading.read(upToCount: 1)
        try vault.lock()
        #expect(Patience.wait { content("\(quick)/today") == nil })
        #expect(holder.isRunning, "it gets two seconds")
        #expect(try Patience.wait { try report(slow).state == .locked })
    }

    @Test func aFileThatIsBeingWrittenIsNotDeleted() throws {
        let path = disk.path("recordings")
        try folder("protect \(path)")
        let file = vault.path("a.ogg")
        try write("first", file)
        let writer = try ClosedOnExec.open(file, O_WRONLY)
        let refused = try folder("drop --move \(path) \(file)", 12).errors
        #expect(refused.contains("still writing to \(file)"), "\(refused)")
        try writer.close()
        try folder("drop --move \(path) \(file)")
        #expect(!FileManager.default.fileExists(atPath: file) && names(path) == ["a.ogg"])
        #expect(try folder("drop \(path) /proc/self/maps", 2).errors.contains("is a file of the system"))
    }

    // MARK: - Ends at a bad time, and users without rights

    /// The command is killed again and again, each time a little later. At any time, the folder has its whole content.
    @Test func aKilledCommandLosesNothing() throws {
        let path = try disk.makeFolder("journal")
        let contents = (0..<60).map { ("\(path)/\($0)", String(repeating: "page \($0)\n", count: 1 + $0 * 40)) }
        for (file, text) in contents { try write(text, file) }
        for (verb, isEncrypted) in [("protect", true), ("unprotect", false)] {
            var wait = 0.01
            var kills = 0
            while true {
                let command = Process()
                Command.set(command, toRun: Command.binary, ["folder", verb, path])
                command.environment = Command.environment(vault.environment)
                command.standardInput = FileHandle.nullDevice
                command.standardError = FileHandle.nullDevice
                try command.run()
                usleep(useconds_t(wait * 1e6))
                kill(command.processIdentifier, SIGKILL)
                command.waitUntilExit()
                for (file, text) in contents { #expect(content(file) == text, "\(verb), killed after \(wait) s") }
                if command.terminationReason == .exit {
                    // The one before may have been killed when it had just deleted the key.
                    let status = command.terminationStatus
                    #expect(status == 0 || (!isEncrypted && status == 4), "\(verb): \(status)")
                    break
                }
                kills += 1
                wait *= 1.2
            }
            #expect(kills > 3)
            #expect(names(path).count == contents.count && names(disk.path).contains { $0.hasPrefix(".") } == false)
            try vault.lock()
            _ = try folder("status")
            #expect((content(contents[0].0) == nil) == isEncrypted)
            try unlock()
        }
        #expect(try folder("status").output.isEmpty)
    }

    /// The kernel asks for no right that an ordinary user lacks.
    @Test func anOrdinaryUserNeedsNoRoot() throws {
        let home = try disk.makeFolder("home", for: Privileges.ordinaryUser)
        let path = try journal("home/journal")
        try Privileges.give(URL(filePath: home))
        let vault = try VaultAtTerminal(prefix: ["/usr/bin/env"] + Privileges.words(), none: ())
        try Privileges.give(vault.place.url)
        let new = [("New passcode: ", vault.passcode + "\n"), ("Type it again: ", vault.passcode + "\n")]
        try #require(try vault.at("init", "--own-passcode", "--default-policy", "every-time", asked: new).status == 0)
        let protected = try vault.at("folder", "protect", path)
        #expect(protected.status == 0 && protected.shown.contains("Protected \(path)"), "\(protected)")
        #expect(content("\(path)/today") == "met the auditor")
        #expect(try vault.at("lock").shown == "Locked the vault.\n")
        #expect(try vault.at("folder", "status").shown.contains("locked"))
        #expect(content("\(path)/today") == nil)
        #expect(try vault.at("unlock", asked: vault.typingPasscode).status == 0)
        #expect(Patience.wait { content("\(path)/today") == "met the auditor" })
        #expect(content("\(path)/old/march") == "moved")
        // A folder of another user is refused with a reason, before anything is changed.
        let other = try disk.makeFolder("others")
        let refused = try vault.at("folder", "protect", other)
        #expect(refused.status != 0 && refused.shown.contains(other), "\(refused)")
        let plain = try vault.at("folder", "unprotect", path)
        #expect(plain.status == 0, "\(plain)")
        #expect(try vault.at("lock").status == 0 && content("\(path)/old/march") == "moved")
    }

    // MARK: - What cannot be protected

    @Test func aFileSystemWithoutEncryptionSaysHowToTurnItOn() throws {
        let plain = try EncryptedDisk(canEncrypt: false)
        let path = try plain.makeFolder("journal")
        let said = try folder("protect \(path)", 2).errors
        #expect(said.contains("tune2fs -O encrypt /dev/loop"), "\(said)")
        let memory = try TemporaryFolder(inMemory: true)
        #expect(try folder("protect \(memory.url.path)", 2).errors.contains("Choose a folder on ext4 or f2fs"))
        #expect(try folder("status").output.isEmpty, "no key is left behind")
    }
}
