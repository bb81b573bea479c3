import Foundation
import TestSupport
import Testing

/// Files and vaults that belong to another user of the machine.
@Suite(.waitsForProcesses) struct OtherUserTests {
    /// Root would otherwise leave files in the vault that its owner cannot open.
    @Test(.needsRoot) func rootOpensNoVaultOfAUser() throws {
        let vault = try VaultAtTerminal()
        #expect(try vault.run("agent", "stop").status == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: vault.folder).sorted()
        #expect(chown(vault.folder, 12_345, 12_345) == 0)
        defer { chown(vault.folder, 0, 0) }
        let run = try vault.run("status")
        #expect(run.status == 13, "\(run)")
        #expect(
            run.errors.contains("\(vault.folder) belongs to user 12345, and only an agent of that user opens it"),
            "\(run)")
        #expect(run.errors.contains("`sudo -u '#12345' latchkey status`"), "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: vault.folder).sorted() == before)
    }

    /// The system hides from a user which program a process of root runs.
    @Test(.needsRoot) func theLogHasTheNameOfAProgramOfRoot() throws {
        let vault = try VaultAtTerminal(prefix: ["/usr/bin/env"] + Privileges.words(), none: ())
        try Privileges.give(vault.place.url)
        let making = [("New passcode: ", "correct horse\n"), ("Type it again: ", "correct horse\n")]
        #expect(try vault.at("init", "--own-passcode", "--default-policy", "open", asked: making).status == 0)
        #expect(try vault.run("get", "nosuch").status == 4)
        let log = try vault.run("log").output
        #expect(log.contains("/latchkey < pid ") && log.contains(" ? (calls itself \"setsid\")"), "\(log)")
        #expect(try vault.run("log", "--json").output.contains("\"parent-name\":\"setsid\""))
    }

    /// On a disk, the file of another machine belongs to a number that is somebody else here.
    @Test(.needsOrdinaryUser) func aBackupOfAnotherUserNamesTheRepair() throws {
        let vault = try VaultAtTerminal()
        for command in ["restore", "receive"] {
            let words = command == "receive" ? ["--vault", vault.place.path("new")] : []
            let terminal = try vault.start([command, "/etc/shadow"] + words)
            #expect(terminal.end() == 12, "\(terminal.shown)")
            #expect(terminal.shown.contains("only user number 0 may read it"), "\(terminal.shown)")
            #expect(terminal.shown.contains("run `sudo chown \(geteuid()) /etc/shadow`"), "\(terminal.shown)")
        }
    }
}
