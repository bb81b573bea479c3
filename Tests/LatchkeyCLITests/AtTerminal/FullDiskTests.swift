import Foundation
import TestSupport
import Testing

/// The command on a full disk.
@Suite(.needsMounting, .waitsForProcesses) struct FullDiskTests {
    @Test(arguments: SmallDisk.kinds) func aFullDiskUnlocksReadsAndLocks(_ kind: SmallDisk.Kind) throws {
        let disk = try SmallDisk(kibibytes: 2048, kind)
        let path = disk.path + "/vault"
        let vault = try VaultAtTerminal(none: ())
        let made = try vault.at(
            "init", "--own-passcode", "--default-policy", "every-time", "--vault", path,
            asked: [("New passcode: ", "correct horse\n"), ("Type it again: ", "correct horse\n")])
        #expect(made.status == 0, "\(made)")
        try vault.run("set", "a", "--preset", "open", "--vault", path, input: Data("kept".utf8))
        try vault.run("set", "b", "--preset", "open", "--vault", path, input: Data("small".utf8))
        try vault.run("lock", "--vault", path)
        try disk.fill()
        let full = try vault.run("doctor", "--vault", path).output
        #expect(full.contains("free: nothing can be saved or deleted; 192 KiB set aside for unlocking"), "\(full)")
        for number in 0..<3 {
            // Also an agent that starts on the full disk.
            if number == 1 {
                try vault.run("agent", "stop", "--vault", path)
                try disk.fill()
            }
            let unlocked = try vault.at("unlock", "--vault", path, asked: vault.typingPasscode)
            #expect(unlocked.status == 0, "\(unlocked)")
            #expect(try vault.run("get", "a", "--vault", path).output == "kept")
            let saved = try vault.run("set", "large", "--vault", path, input: Data(count: 300_000))
            #expect(saved.status == 12 && saved.errors.contains("no space is left"), "\(saved)")
            // No secret is asked for that cannot be saved.
            for (command, name) in [("set", "c"), ("edit", "a")] {
                let asked = try vault.at(command, name, "--vault", path)
                #expect(asked.status == 12 && asked.shown.contains("no space is left on the disk of "), "\(asked)")
                #expect(!asked.shown.contains("Secret: "), "\(asked)")
            }
            // A file of the database may still have room for a deletion.
            let deleted = try vault.run("rm", "--force", "b", "--vault", path)
            #expect(
                deleted.status == 0 || deleted.status == 12 && deleted.errors.contains("free some space"), "\(deleted)")
            #expect(try vault.run("lock", "--vault", path).status == 0)
        }
        let report = try vault.run("status", "--vault", path).output
        #expect(report.contains(" of 192 KiB for unlocking are left: free 1 MiB"), "\(report)")
        #expect(try vault.run("doctor", "--vault", path).output.contains("→ free 1 MiB on the disk of "))

        try disk.free()
        #expect(try vault.at("unlock", "--vault", path, asked: vault.typingPasscode).status == 0)
        #expect(!(try vault.run("status", "--vault", path).output.contains("for unlocking are left")))
        #expect(try vault.run("agent", "stop", "--vault", path).status == 0)
    }
}
