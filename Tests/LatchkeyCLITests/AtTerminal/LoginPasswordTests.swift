import Foundation
import TestSupport
import Testing

/// A vault whose passcode is the login password, which PAM checks.
@Suite(.waitsForProcesses) struct LoginPasswordTests {
    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func theLoginPasswordIsThePasscode()
        throws
    {
        let user = try LoginUser(password: "right one")
        let wrong = try user.run("init", asked: Array(repeating: ("Passcode: ", "wrong one\n"), count: 3))
        #expect(wrong.status == 7)
        #expect(wrong.shown.contains("Wrong passcode. This is attempt 3 of 3.\n"))
        #expect(wrong.shown.contains("PAM rejected your login password 3 times"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: user.home).sorted() == [
                "latchkey", "latchkey-agent", "latchkey-tools", "libcheap-kdf.so", "run",
            ])
        let made = try user.run(
            "init", "--default-policy", "every-time",
            asked: [("Passcode: ", "wrong one\n"), ("attempt 2 of 3.", ""), ("Passcode: ", "right one\n")])
        #expect(made.status == 0, "\(made)")
        #expect(
            try user.run("status").shown.contains("login password, checked by PAM (\(user.home)/vault/pam.d/latchkey)"))
        #expect(try user.run("set", "a", asked: [("Secret: ", "s\n"), ("again: ", "s\n")]).status == 0)
        let read = try user.run(
            "get", "a", asked: [("Passcode: ", "wrong\n"), ("Passcode: ", "right one\n")])
        #expect(read.status == 0 && read.shown.hasSuffix("\ns\n"))

        try user.set("later one")
        #expect(try user.run("lock").status == 0)
        let changed = try user.run(
            "get", "a", asked: [("Passcode: ", "later one\n"), ("Former passcode: ", "right one\n")])
        #expect(changed.status == 0 && changed.shown.hasSuffix("\ns\n"), "\(changed)")
        #expect(try user.run("lock").status == 0)
        let once = try user.run("get", "a", asked: [("Passcode: ", "later one\n")])
        #expect(once.status == 0 && !once.shown.contains("Former passcode"))

        try LoginUser.system("chage -E 1 \(user.name)")
        let expired = try user.run("get", "a", asked: [("Passcode: ", "later one\n")])
        #expect(expired.status == 10 && expired.shown.contains("run `latchkey unlock` to see why"), "\(expired)")
        let why = try user.run("unlock", asked: [("Passcode: ", "later one\n")])
        #expect(why.status == 10 && why.shown.hasSuffix("latchkey: the account has expired: ask the administrator\n"))
        #expect(!expired.shown.hasSuffix("\ns\n"))
        #expect(try user.run("status").shown.contains("attempts") == false, "the passcode was right")
    }

    /// The old vault opens with the login password of the old machine, and the new one with that of the new machine.
    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func aTransferTakesTheLoginPasswordOfTheNewMachine() throws {
        let (old, new) = (try LoginUser(password: "the old one"), try LoginUser(password: "the new one"))
        let typing = [(question: "Passcode: ", answer: "the old one\n")]
        #expect(try old.run("init", "--default-policy", "every-time", asked: typing).status == 0)
        #expect(try old.run("set", "a", asked: [("Secret: ", "s\n"), ("again: ", "s\n")]).status == 0)
        let phrase = [(question: "passphrase: ", answer: "a phrase for the file\n")]
        let sent = try old.run(
            "transfer", "\(old.home)/file",
            asked: typing + phrase + [("again: ", "a phrase for the file\n")])
        #expect(sent.status == 0, "\(sent)")
        try LoginUser.system("mv '\(old.home)/file' '\(new.home)/file' && chown \(new.name) '\(new.home)/file'")
        let opening = [(question: "Passphrase: ", answer: "a phrase for the file\n")] + typing
        let refused = try new.run(
            "receive", "\(new.home)/file", asked: opening + [("Passcode: ", "a wrong one\n")])
        #expect(refused.status == 7 && refused.shown.contains("add --own-passcode"), "\(refused)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: new.home).sorted() == [
                "file", "latchkey", "latchkey-agent", "latchkey-tools", "libcheap-kdf.so", "run",
            ])
        let kept = try new.run("receive", "--own-passcode", "\(new.home)/file", asked: opening)
        #expect(kept.status == 0 && kept.shown.contains("latchkey retire "), "\(kept)")
        let withOld = try new.run("get", "a", asked: typing)
        #expect(withOld.status == 0 && withOld.shown.hasSuffix("\ns\n"), "\(withOld)")
        #expect(try new.run("agent", "stop").status == 0)
        try LoginUser.system("rm -r '\(new.home)/vault'")
        let received = try new.run(
            "receive", "\(new.home)/file", asked: opening + [("Passcode: ", "the new one\n")])
        #expect(received.status == 0 && received.shown.contains("latchkey retire "), "\(received)")
        #expect(try new.run("status").shown.contains("password, checked by PAM (\(new.home)/vault/pam.d/latchkey)"))
        let read = try new.run("get", "a", asked: [("Passcode: ", "the new one\n")])
        #expect(read.status == 0 && read.shown.hasSuffix("\ns\n") && !read.shown.contains("Former"), "\(read)")
    }

    /// The service of PAM lies in the vault, so PAM gets this path too.
    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func theVaultMayLieAtAnyPath()
        throws
    {
        let user = try LoginUser(password: "right one")
        let place = "$HOME/v$(printf '\\377')"
        let typing = [(question: "Passcode: ", answer: "right one\n")]
        let made = try user.run("init", "--default-policy", "every-time", at: place, asked: typing)
        #expect(made.status == 0, "\(made)")
        #expect(try user.run("status", at: place).shown.contains("PAM (\(user.home)/v\\xFF/pam.d/latchkey)"))
        #expect(try user.run("set", "a", at: place, asked: [("Secret: ", "s\n"), ("again: ", "s\n")]).status == 0)
        let wrong = [(question: "Passcode: ", answer: "wrong\n")]
        let read = try user.run("get", "a", at: place, asked: wrong + typing)
        #expect(read.status == 0 && read.shown.hasSuffix("\ns\n"), "\(read)")
        // A second agent, which finds the service by the settings that are sealed in the vault.
        #expect(try user.run("agent", "stop", at: place).status == 0)
        let again = try user.run("get", "a", at: place, asked: wrong + typing)
        #expect(again.status == 0 && again.shown.hasSuffix("\ns\n"), "\(again)")
        #expect(try user.run("agent", "stop", at: place).status == 0)
    }

    /// The settings of this vault name a PAM service of the test.
    @Test(.needsRoot) func whatPAMSaysIsSaid() throws {
        let stack = try PAMStack(passcode: "correct horse")
        let vault = try VaultAtTerminal()
        try vault.run("set", "a", input: Data("kept".utf8))
        let set = try vault.at(
            "config", "--pam-service", "\(stack.folder)/\(stack.service)", asked: vault.typingPasscode)
        #expect(set.status == 0 && set.shown.contains("run `latchkey agent stop`"), "\(set)")
        try vault.run("agent", "stop")
        let read = try vault.at(
            "get", "a", asked: [("Passcode: ", "wrong\n"), ("Passcode: ", "correct horse\n")])
        #expect(read.status == 0 && read.shown.hasSuffix("\nkept\n"))
        try stack.hang()
        let hung = try vault.start(["get", "a"])
        try hung.answer(vault.typingPasscode)
        // The agent answers other commands meanwhile.
        #expect(try vault.run("status").status == 0)
        hung.type("\u{3}")
        #expect(hung.end() == -SIGINT)
        #expect(try vault.run("status").status == 0)
        try stack.letGo()
        try stack.play(["code=9"])
        let unavailable = try vault.at("get", "a", asked: vault.typingPasscode)
        #expect(unavailable.status == 10, "\(unavailable)")
    }

    /// Returns the modes of a folder and of everything in it.
    private func modes(in folder: String) throws -> [String: Int] {
        var modes: [String: Int] = [:]
        let manager = FileManager.default
        for path in [folder] + (manager.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []) {
            let place = path == folder ? path : "\(folder)/\(path)"
            modes[path] = try manager.attributesOfItem(atPath: place)[.posixPermissions] as? Int
        }
        return modes
    }

    /// Many systems give each user a group of their own, which may write to the user's files.
    @Test(.enabled(if: LoginUser.isPossible, "skipped: needs root that may mount, useradd and unix_chkpwd"))
    func aGroupOfTheUsersOwnMayWriteAboveTheVault() throws {
        let user = try LoginUser(password: "right one")
        try LoginUser.system("chgrp \(user.name) '\(user.home)' && chmod 775 '\(user.home)'")
        let choosing = [(question: "New passcode: ", answer: "right one\n"), ("again: ", "right one\n")]
        // The files of the vault are closed to others and open to their owner, whatever the umask is.
        for (name, umask) in [("vault", "002"), ("closed/folder/vault", "777")] {
            let folder = "\(user.home)/\(name)"
            let made = try user.run(
                "init", "--own-passcode", "--default-policy", "every-time", "--vault", folder, umask: umask,
                asked: choosing)
            #expect(made.status == 0, "\(made)")
            #expect(try user.run("status", "--vault", folder).status == 0)
            for (path, mode) in try modes(in: folder) {
                #expect(mode == (path == folder ? 0o700 : 0o600), "\(path) has \(String(mode, radix: 8))")
            }
            #expect(try user.run("agent", "stop", "--vault", folder).status == 0)
        }
        #expect(try modes(in: user.home)["closed/folder"] == 0o700)

        // Once another user is in that group, the command neither prompts nor creates anything.
        try LoginUser.system("usermod --append --groups \(user.name) nobody")
        let refused = try user.run("init", "--own-passcode", "--vault", "\(user.home)/new/other")
        #expect(refused.status == 12 && !refused.shown.contains("asscode"), "\(refused)")
        #expect(refused.shown.contains("chmod go-w \(user.home)"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: "\(user.home)/new"))
        let closed = try user.run("status")
        #expect(closed.status == 12 || closed.status == 13, "\(closed)")
        #expect(closed.shown.contains("chmod go-w \(user.home)"), "\(closed)")
        try LoginUser.system("gpasswd --delete nobody \(user.name)")
        #expect(try user.run("status").status == 0)
    }
}
