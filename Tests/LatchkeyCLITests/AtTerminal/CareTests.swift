import Foundation
import TestSupport
import Testing

/// Care of a vault at a terminal: three tries, and backups that say what stays behind.
@Suite(.waitsForProcesses) struct CareTests {
    private typealias Dialogue = [(question: String, answer: String)]

    private static func new(_ passcode: String) -> Dialogue {
        [("New passcode: ", passcode + "\n"), ("Type it again: ", passcode + "\n")]
    }

    private static func sealing(_ passphrase: String) -> Dialogue {
        [("New passphrase: ", passphrase + "\n"), ("Type it again: ", passphrase + "\n")]
    }

    // MARK: - Three tries

    @Test func thePresentPasscodeHasThreeTries() throws {
        let vault = try VaultAtTerminal()
        let wrong: Dialogue = [
            ("Passcode: ", "a wrong one\n"), ("Wrong passcode. This is attempt 2 of 5.", ""),
            ("Passcode: ", "another\n"),
        ]
        let changed = try vault.at("passwd", asked: wrong + vault.typingPasscode + Self.new("battery staple"))
        #expect(changed.status == 0 && changed.shown.hasSuffix("\nChanged the passcode.\n"), "\(changed)")
        let failed = try vault.at("passwd", asked: wrong + [("Passcode: ", "a third\n")])
        #expect(failed.status == 7 && !failed.shown.contains("New passcode"), "\(failed)")
        #expect(try vault.at("unlock", asked: [("Passcode: ", "battery staple\n")]).status == 0)
    }

    @Test func theRecoveryKeyHasThreeTriesBeforeANewPasscode() throws {
        let vault = try VaultAtTerminal()
        let other = try VaultAtTerminal().recoveryKey
        let wrong: Dialogue = [
            ("Recovery key: ", "no key\n"), ("This is attempt 2 of 3.", ""), ("Recovery key: ", other + "\n"),
        ]
        let recovered = try vault.at(
            "recover", asked: wrong + [("Recovery key: ", vault.recoveryKey + "\n")] + Self.new("battery staple"))
        #expect(
            recovered.status == 0
                && recovered.shown.hasSuffix("\nSet a new passcode. The recovery key stays valid: keep it.\n"),
            "\(recovered)")
        #expect(!recovered.shown.contains(vault.recoveryKey) && !recovered.shown.contains(other))
        let failed = try vault.at("recover", asked: wrong + [("Recovery key: ", "neither\n")])
        #expect(failed.status == 7 && !failed.shown.contains("New passcode"), "\(failed)")
        #expect(failed.shown.hasSuffix("it has 56 letters and digits; check it letter by letter\n"))
        #expect(try vault.at("unlock", asked: [("Passcode: ", "battery staple\n")]).status == 0)
    }

    /// A part of a recovery key is no try.
    @Test func anIncompleteRecoveryKeyIsTypedAgain() throws {
        let vault = try VaultAtTerminal()
        let part = String(vault.recoveryKey.dropLast(5))
        let gap = "Note: The recovery key is incomplete: it has 56 letters and digits, and you typed 52."
        let dialogue = Array(repeating: ("Recovery key: ", part + "\n"), count: 3)
        let checked = try vault.at(
            "recovery-key", "check", asked: dialogue + [(gap, ""), ("Recovery key: ", vault.recoveryKey + "\n")])
        #expect(checked.status == 0 && !checked.shown.contains("This is attempt 2"), "\(checked)")
        #expect(!checked.shown.contains(part))
        let other = (1...6).map { _ in (question: "Recovery key: ", answer: part + "\n") }
        #expect(try vault.at("recovery-key", "check", asked: other).status == 7, "there is an end")
    }

    @Test func whatDiffersThriceIsNotNothing() throws {
        let vault = try VaultAtTerminal()
        func thrice(_ question: String) -> Dialogue {
            (1...3).flatMap { _ in [(question, "one\n"), ("again: ", "two\n")] }
        }
        let words = "latchkey: the two did not match three times, and "
        let saved = try vault.at("set", "b", asked: thrice("Secret: "))
        #expect(
            saved.status == 6 && saved.shown.hasSuffix(words + "nothing was saved: run the command again\n"), "\(saved)"
        )
        let changed = try vault.at("passwd", asked: vault.typingPasscode + thrice("New passcode: "))
        #expect(changed.status == 6 && changed.shown.contains(words + "nothing was changed"), "\(changed)")
        let made = try vault.at(
            "init", "--own-passcode", "--vault", vault.place.path("other"), asked: thrice("New passcode: "))
        #expect(made.status == 6 && made.shown.contains(words + "no vault was created"), "\(made)")
    }

    @Test func thePassphraseOfABackupHasThreeTries() throws {
        let vault = try VaultAtTerminal()
        try vault.run("set", "a", "--preset", "open", input: Data("kept".utf8))
        let backup = vault.place.path("backup")
        #expect(try vault.at("backup", backup, asked: vault.typingPasscode + Self.sealing("right phrase")).status == 0)
        #expect(try vault.run("rm", "a").status == 0)
        let wrong: Dialogue = [
            ("Passphrase: ", "wrong\n"), ("Wrong passphrase. This is attempt 2 of 3.", ""), ("Passphrase: ", "other\n"),
        ]
        let failed = try vault.at(
            "restore", backup, asked: vault.typingPasscode + wrong + [("Passphrase: ", "third\n")])
        #expect(failed.status == 7 && failed.shown.hasSuffix("check it, then try again\n"), "\(failed)")
        #expect(try vault.run("get", "a").status == 4)
        let restored = try vault.at(
            "restore", backup, asked: vault.typingPasscode + wrong + [("Passphrase: ", "right phrase\n")])
        #expect(restored.status == 0 && restored.shown.hasSuffix("\nRestored 1 secret; 0 existed already.\n"))
        #expect(try vault.run("get", "a").output == "kept")
    }

    // MARK: - What is no backup

    /// The command says so before it asks for anything, even if the vault is locked.
    @Test func whatIsNoBackupIsRefusedBeforeAnyPrompt() throws {
        let vault = try VaultAtTerminal()
        try vault.run("set", "a", "--preset", "open", input: Data("kept".utf8))
        let backup = vault.place.path("backup")
        #expect(try vault.at("backup", backup, asked: vault.typingPasscode + Self.sealing("right phrase")).status == 0)
        let whole = try Data(contentsOf: URL(filePath: backup))
        let letter = vault.place.path("letter")
        try Data("Dear backup,\n".utf8).write(to: URL(filePath: letter))
        let part = vault.place.path("part")
        try whole.dropLast(1).write(to: URL(filePath: part))
        let newer = vault.place.path("newer")
        try (whole.prefix(8) + [200] + whole.dropFirst(9)).write(to: URL(filePath: newer))
        #expect(try vault.at("lock").status == 0)
        for (file, status, words) in [
            (letter, Int32(11), "is not a backup of a vault"), (part, 11, "the backup is damaged"),
            (newer, 12, "was written by a newer version"), (vault.place.path("none"), 12, "No such file"),
            (vault.folder, 12, "Is a directory"),
        ] {
            let refused = try vault.at("restore", file)
            #expect(refused.status == status && refused.shown.contains(words), "\(file): \(refused)")
            #expect(!refused.shown.contains("Pass") && refused.shown.hasPrefix("latchkey: "), "\(refused)")
        }
    }

    // MARK: - What stays behind

    @Test func aBackupNamesWhatItLeavesOutAndRestoreWhatIsMissing() throws {
        let vault = try VaultAtTerminal("--fake-biometry")
        #expect(try vault.at("biometry", "enroll", "right", asked: vault.typingPasscode).status == 0)
        for (name, options) in [
            ("travels", ["--preset", "open"]), ("guarded", ["--preset", "every-time"]),
            ("bound", ["--preset", "open", "--this-device-only"]), ("finger", ["--preset", "biometry"]),
            ("of this set", ["--preset", "current-set"]),
        ] {
            #expect(try vault.run(["set", name] + options, input: Data("s".utf8)).status == 0)
        }
        #expect(try vault.run("key", "generate", "signing", "--preset", "open").status == 0)
        let backup = vault.place.path("backup")
        let sealing = vault.typingPasscode + Self.sealing("right phrase")
        let made = try vault.at("backup", backup, asked: sealing)
        #expect(made.status == 1 && made.shown.contains("Wrote 3 secrets to \(backup).\n"), "\(made)")
        for line in [
            "left out: finger: it needs authentication that was not given",
            "left out: of this set: it never leaves its device", "left out: signing: it never leaves its device",
        ] { #expect(made.shown.contains("latchkey: \(line)\n"), "\(line): \(made)") }
        let allowed = vault.place.path("allowed")
        #expect(try vault.at("backup", allowed, "--allow-missing", asked: sealing).status == 0)
        // Everything is still here, so nothing is missing.
        let opening: Dialogue = [("Passphrase: ", "right phrase\n")]
        let home = try vault.at("restore", backup, asked: vault.typingPasscode + opening)
        #expect(home.status == 0 && home.shown.hasSuffix("\nRestored 0 secrets; 3 existed already.\n"), "\(home)")
        #expect(try vault.run("rm", "finger").status == 0)
        let later = try vault.at("restore", backup, asked: vault.typingPasscode + opening)
        #expect(later.status == 1 && later.shown.contains("left behind: finger: "), "\(later)")
        #expect(!later.shown.contains("of this set") && !later.shown.contains("bound"))

        let second = try VaultAtTerminal(passcode: "another one")
        try second.run("set", "of this set", "--preset", "open", input: Data("new".utf8))
        let restored = try second.at("restore", backup, asked: second.typingPasscode + opening)
        #expect(restored.status == 1 && restored.shown.contains("\nRestored 2 secrets; 0 existed already.\n"))
        for line in [
            "left behind: bound: it is bound to the device that made the backup",
            "left behind: finger: it needs authentication that was not given",
            "left behind: the key signing: it never leaves its device",
            "to bring such a secret, run `latchkey edit finger --preset presence` on the old machine and back up again; if "
                + "you cannot, get a new secret where you use it and save it here with `latchkey set finger`",
            "to bring such a secret, run `latchkey edit bound --accessible whenUnlocked` on the old machine and back up "
                + "again; if you cannot, get a new secret where you use it and save it here with `latchkey set bound`",
            "to replace a key, run `latchkey key generate NAME` here, and give the new public key to those who had the old "
                + "one",
        ] { #expect(restored.shown.contains("latchkey: \(line)\n"), "\(line): \(restored.shown)") }
        // A new secret has this name here.
        #expect(!restored.shown.contains("of this set"), "\(restored)")
        #expect(!restored.shown.contains("left out"), "each is named once")
        #expect(try second.run("get", "travels").output == "s")
    }
}
