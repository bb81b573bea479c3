import Foundation
import SecretVault
import TestSupport
import Testing

/// A vault in a process that runs out of locked memory at the worst moments.
@Suite struct ShortMemoryTests {
    /// If memory runs out before a commit, nothing has happened and the vault continues. After a commit, nothing fails
    /// any more and the vault stays open.
    @Test(arguments: [512, 1024]) func whatIsCommittedIsCarriedOutWithoutMemory(_ kibibytes: Int) throws {
        let folder = try TemporaryFolder()
        // The process becomes an ordinary user before it creates the vault, because root may lock any amount of memory.
        if Privileges.isRoot { #expect(chown(folder.url.path, 65534, 65534) == 0) }
        var exerciser = try SpawnedProgram(
            "vault-exerciser", ["canary", "commit", folder.path("vault"), "\(kibibytes * 1024)"])
        let lines = exerciser.lines()
        #expect(exerciser.end() == 0)
        #expect(
            lines == [
                // Memory runs out as the transaction begins.
                "add: no memory", "enroll: no memory",
                // Memory runs out once the transaction is committed.
                "add: done", "enroll: done", "enter the passcode: done",
                "change the passcode: no memory", "change the passcode: no memory", "change the passcode: no memory",
                "change the passcode: done",
                "open", "opens: true", "findings: 0 of 1", "true",
            ])
    }
}
